//! `jeden clusters`

use futures::TryStreamExt;
use schema::store::listings;

use crate::outcome::Outcome;
use crate::settings::Settings;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let mut out = csv::Writer::from_writer(std::io::stdout().lock());
    out.write_record(["siteId", "offerId", "clusterId"])?;
    let mut states = listings::member_states(&db);
    while let Some(state) = states.try_next().await? {
        let cluster = state.offer_id.as_ref().map_or("", |offer| offer.as_str());
        out.write_record([&state.key.site_id, &state.key.offer_id, cluster])?;
    }
    out.flush()?;
    db.close().await;
    Ok(Outcome::Done)
}
