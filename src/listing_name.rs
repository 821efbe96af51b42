//! How a person names a listing.

use anyhow::Context;
use schema::ListingKey;

/// The listing that a text names, `PORTAL/NUMBER`.
pub fn parse(text: &str) -> anyhow::Result<ListingKey> {
    let (site, number) = text
        .split_once('/')
        .filter(|(site, number)| !site.is_empty() && !number.is_empty())
        .with_context(|| format!("{text:?} is no listing; one is named PORTAL/NUMBER"))?;
    Ok(ListingKey::new(site, number))
}
