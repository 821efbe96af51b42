//! `jeden clusters`

use futures::TryStreamExt;
use schema::store::listings;

use crate::outcome::Outcome;
use crate::settings::Settings;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let mut out = csv::Writer::from_writer(std::io::stdout().lock());
    out.write_record(["siteId", "offerId", "clusterId"])?;
    let mut standings = listings::standings(&db);
    while let Some(standing) = standings.try_next().await? {
        let cluster = standing
            .offer_id
            .as_ref()
            .map_or("", |offer| offer.as_str());
        out.write_record([&standing.key.site_id, &standing.key.offer_id, cluster])?;
    }
    out.flush()?;
    db.close().await;
    Ok(Outcome::Done)
}
