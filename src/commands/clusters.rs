//! `jeden clusters`

use std::collections::HashMap;

use clap::Args;
use dedup::confidence;
use dedup::worker::{self, CertainListings, Listings};
use futures::TryStreamExt;
use schema::ListingKey;
use schema::store::{Db, listings};

use super::evaluate;
use crate::outcome::Outcome;
use crate::registry;
use crate::settings::Settings;

/// `jeden clusters`
#[derive(Debug, Args)]
pub struct Clusters {
    /// Add how sure each record is: the probability that it is one property, the weight of its weakest tie, its
    /// strongest rival, and the weight of the two. Matches all listings in memory; writes nothing
    #[arg(long)]
    confidence: bool,
}

pub async fn run(options: &Clusters, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    if options.confidence {
        let listings = Listings {
            db: &db,
            addresses: &registry::addresses(settings)?,
        };
        write_with_confidence(listings).await?;
    } else {
        write(&db).await?;
    }
    db.close().await;
    Ok(Outcome::Done)
}

/// Writes every listing with its record.
async fn write(db: &Db) -> anyhow::Result<()> {
    let mut out = csv::Writer::from_writer(std::io::stdout().lock());
    out.write_record(["siteId", "offerId", "clusterId"])?;
    let mut states = listings::member_states(db);
    while let Some(state) = states.try_next().await? {
        let cluster = state.offer_id.as_ref().map_or("", |offer| offer.as_str());
        out.write_record([&state.key.site_id, &state.key.offer_id, cluster])?;
    }
    Ok(out.flush()?)
}

/// Writes every listing with its record and how sure that is.
async fn write_with_confidence(source: Listings<'_>) -> anyhow::Result<()> {
    evaluate::say_if_out_of_date(source).await?;
    let CertainListings {
        profiles,
        certainty,
    } = worker::certainty_of_everything(source).await?;
    let mut records: HashMap<ListingKey, String> = HashMap::new();
    let mut states = listings::member_states(source.db);
    while let Some(state) = states.try_next().await? {
        let record = state.offer_id.map(|offer| offer.to_string());
        records.insert(state.key, record.unwrap_or_default());
    }
    let record = |member: u32| records.get(&profiles[member as usize].key);
    let mut out = csv::Writer::from_writer(std::io::stdout().lock());
    out.write_record([
        "siteId",
        "offerId",
        "clusterId",
        "probability",
        "weakestTie",
        "rival",
        "rivalWeight",
    ])?;
    let rivals = certainty.rivals_by_cluster();
    for (number, cluster) in certainty.clusters.iter().enumerate() {
        // A person's decision has an infinite weight.
        let tie = certainty.weakest_tie(number).map(|tie| tie.weight);
        let probability = tie.map(|weight| format!("{:.4}", confidence::probability(weight)));
        let tie = tie.filter(|weight| weight.is_finite());
        let rival = rivals[number].first();
        let rival_member = rival.map(|rival| {
            if rival.clusters.0 == number {
                rival.right
            } else {
                rival.left
            }
        });
        let weight = |weight: Option<f32>| weight.map(|weight| format!("{weight:.2}"));
        let shown = [
            probability,
            weight(tie),
            rival_member.and_then(record).cloned(),
            weight(rival.map(|rival| rival.weight)),
        ]
        .map(Option::unwrap_or_default);
        for member in cluster {
            let key = &profiles[*member as usize].key;
            let own = record(*member).map(String::as_str).unwrap_or_default();
            let first = [key.site_id.as_str(), &key.offer_id, own];
            out.write_record(first.into_iter().chain(shown.iter().map(String::as_str)))?;
        }
    }
    Ok(out.flush()?)
}
