//! `jeden clusters`

use std::io::Write;

use schema::store::listings;

use crate::outcome::Outcome;
use crate::settings::Settings;

const PAGE: u32 = 5_000;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "siteId,offerId,clusterId")?;
    let mut after = None;
    loop {
        let page = listings::clusters(&db, after, PAGE).await?;
        let Some((last, ..)) = page.last() else { break };
        after = Some(*last);
        for (_, key, offer) in &page {
            let cluster = offer.as_ref().map_or("", |offer| offer.as_str());
            writeln!(out, "{},{},{}", field(&key.site_id), field(&key.offer_id), cluster)?;
        }
    }
    out.flush()?;
    db.close().await;
    Ok(Outcome::Done)
}

/// A field of a CSV line (RFC 4180): quoted where it holds a separator, a quote or a line break.
fn field(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}
