//! `jeden explain`

use anyhow::Context;
use dedup::explanation::{self, ExplainedOffer, ExplainedPair};
use dedup::merging;
use dedup::scoring::weights;
use dedup::worker;
use schema::store::{Db, listings, offers};
use schema::{ListingKey, OfferId, StoredListing};

use crate::cli::Explain;
use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;

pub async fn run(options: &Explain, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    match &options.other {
        Some(other) => pair(&db, &options.subject, other, options.json).await?,
        None => record(&db, &options.subject, options.json).await?,
    }
    db.close().await;
    Ok(Outcome::Done)
}

async fn pair(db: &Db, one: &str, other: &str, json: bool) -> anyhow::Result<()> {
    let (one, other) = (listing(db, one).await?, listing(db, other).await?);
    let explained = explanation::pair(&one, &other);
    if json {
        return Ok(progress::result(&serde_json::to_string_pretty(&explained)?)?);
    }
    let together = one.offer_id.is_some() && one.offer_id == other.offer_id;
    progress::result(if together { "The two are one record." } else { "The two are different records." })?;
    show_pair(&explained)?;
    progress::result(&verdict(&explained, together))?;
    Ok(())
}

fn verdict(pair: &ExplainedPair, together: bool) -> String {
    match (&pair.evidence.veto, pair.meets_by.is_empty()) {
        (Some(veto), _) => format!("Forbidden: {veto}."),
        (None, true) => "They share no blocking key, so they were never compared.".to_owned(),
        (None, false) if pair.evidence.weight < f64::from(weights::LINK) => {
            format!("The weight is under {}, so this pair does not join them.", weights::LINK)
        }
        (None, false) if together => "This pair speaks for one property.".to_owned(),
        (None, false) => {
            "The pair alone would join them; the other listings of both records speak against it.".to_owned()
        }
    }
}

async fn record(db: &Db, subject: &str, json: bool) -> anyhow::Result<()> {
    let id = if subject.contains('/') {
        let found = listing(db, subject).await?;
        found
            .offer_id
            .with_context(|| format!("{subject} is not deduplicated yet; `jeden replay` does that"))?
    } else {
        let id = OfferId::parse(subject)?;
        offers::resolve(db, &id).await?.with_context(|| {
            format!("there is no record {id}; `jeden clusters` lists them, a listing is named PORTAL/NUMBER")
        })?
    };
    let members = listings::of_offer(db, &id).await?;
    let mut tx = db.begin_read().await?;
    let districts = worker::known_districts(&mut tx, &members).await?;
    tx.rollback().await?;
    let merged = merging::merge(&members, |city, location| worker::district_of(city, location, &districts));
    let explained = explanation::offer(&members, &merged);
    if json {
        return Ok(progress::result(&serde_json::to_string_pretty(&explained)?)?);
    }
    show_record(&id, &members, &explained)
}

async fn listing(db: &Db, text: &str) -> anyhow::Result<StoredListing> {
    let (site, number) = text
        .split_once('/')
        .with_context(|| format!("{text:?} is no listing; one is named PORTAL/NUMBER"))?;
    let key = ListingKey::new(site, number);
    let mut tx = db.begin_read().await?;
    let found = listings::load(&mut tx, std::slice::from_ref(&key)).await?.remove(&key);
    tx.rollback().await?;
    found.with_context(|| format!("there is no listing {key}; `jeden clusters` lists them"))
}

fn show_record(id: &OfferId, members: &[StoredListing], explained: &ExplainedOffer) -> anyhow::Result<()> {
    progress::result(&format!("Record {id}: {} listings", members.len()))?;
    for member in members {
        let state = &member.state;
        let life = state.gone_at.map_or_else(|| "live".to_owned(), |at| format!("gone {at}"));
        let title = state.listing.attributes.title.as_deref().unwrap_or_default();
        progress::result(&format!("  {}  since {}, {life}: {title}", member.key, state.first_seen_at))?;
    }
    for link in &explained.links {
        progress::result("")?;
        show_pair(link)?;
    }
    if !explained.other_pairs.is_empty() {
        progress::result("\nThe other pairs:")?;
        for pair in &explained.other_pairs {
            progress::result(&format!("  {:+7.1}  {} and {}", pair.weight, pair.left, pair.right))?;
        }
    }
    progress::result("\nWhere the merged values are from:")?;
    for (field, key) in &explained.provenance {
        progress::result(&format!("  {field:<14} {key}"))?;
    }
    for field in &explained.filled_by_gazetteer {
        progress::result(&format!(
            "  {field:<14} no portal gave one; the gazetteer knows it from the place"
        ))?;
    }
    Ok(())
}

fn show_pair(pair: &ExplainedPair) -> anyhow::Result<()> {
    progress::result(&format!("{} and {}", pair.left, pair.right))?;
    if !pair.meets_by.is_empty() {
        progress::result(&format!("  compared because they share: {}", pair.meets_by.join(", ")))?;
    }
    for bar in &pair.evidence.bars {
        progress::result(&format!("  {:+7.1}  {:<9} {}", bar.weight, bar.comparison, bar.level))?;
        match (bar.left.as_str(), bar.right.as_str()) {
            ("", "") => {}
            (left, right) if left == right => show_values(&format!("both: {left}"))?,
            (left, right) => show_values(&format!("{left}  |  {right}"))?,
        }
    }
    if let Some(veto) = &pair.evidence.veto {
        progress::result(&format!("     veto  {veto}"))?;
    }
    let odds = pair.evidence.weight;
    progress::result(&format!("  {odds:+7.1}  in all: odds of 2^{odds:.1} to 1 that both are one property"))?;
    Ok(())
}

fn show_values(values: &str) -> std::io::Result<()> {
    progress::result(&format!("                     {values}"))
}
