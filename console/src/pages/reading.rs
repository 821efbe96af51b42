//! Reading listings by their names.

use schema::store::{Db, listings};
use schema::{ListingKey, StoredListing};

use crate::error::ConsoleError;

/// A listing named as PORTAL/NUMBER.
pub(super) fn parse_key(text: &str) -> Result<ListingKey, ConsoleError> {
    match text.split_once('/') {
        Some((site, number)) if !site.is_empty() && !number.is_empty() => {
            Ok(ListingKey::new(site, number))
        }
        _ => Err(ConsoleError::NotFound),
    }
}

/// The stored listings of these names.
pub(super) async fn listings_named<const N: usize>(
    db: &Db,
    keys: [&ListingKey; N],
) -> Result<[StoredListing; N], ConsoleError> {
    let wanted = keys.map(Clone::clone);
    let mut tx = db.begin_read().await?;
    let mut found = listings::load(&mut tx, &wanted).await?;
    tx.rollback().await?;
    let found: Option<Vec<StoredListing>> = wanted.iter().map(|key| found.remove(key)).collect();
    let found = found.and_then(|found| <[StoredListing; N]>::try_from(found).ok());
    found.ok_or(ConsoleError::NotFound)
}
