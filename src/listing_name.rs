//! Names of listings on the command line.

use anyhow::Context;
use schema::ListingKey;

/// Parses `PORTAL/NUMBER`.
pub fn parse(text: &str) -> anyhow::Result<ListingKey> {
    let (site, number) = text
        .split_once('/')
        .filter(|(site, number)| !site.is_empty() && !number.is_empty())
        .with_context(|| {
            format!(
                "{text:?} does not name a listing; write PORTAL/NUMBER, such as sreality/2871231"
            )
        })?;
    Ok(ListingKey::new(site, number))
}
