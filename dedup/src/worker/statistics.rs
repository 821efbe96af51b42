//! The statistics of the whole set of listings, read from the store for some of them.

use std::collections::{BTreeMap, HashMap};

use futures::future::BoxFuture;
use schema::StoredListing;
use schema::store::{StoreError, Tx, blocking_keys, listings};

use crate::addresses::Addresses;
use crate::blocking;
use crate::profile::{Frequency, Profile};
use crate::statistics::{Portal, WIDE_CRAWL, apply_counts};

/// The statistics of the whole set that concern some of its listings.
pub(super) struct Statistics {
    /// How many listings have each key that counts them: of a pin, a phone number, a day.
    counts: HashMap<i64, usize>,
    portals: BTreeMap<String, Portal>,
}

impl Statistics {
    /// Sets on a profile what depends on the whole set.
    pub fn apply_to(&self, profile: &mut Profile) {
        let portal = self.portals.get(&profile.key.site_id);
        apply_counts(profile, portal.copied().unwrap_or_default(), |key| {
            self.counts.get(&key).copied().unwrap_or_default()
        });
    }
}

/// The statistics that concern these listings, whose keys are stored.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(super) async fn load_statistics(
    tx: &mut Tx,
    profiles: impl Iterator<Item = &Profile> + Send,
) -> Result<Statistics, StoreError> {
    let mut keys: Vec<i64> = profiles
        .flat_map(|profile| blocking::shared_value_keys(profile).into_keys())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let counted = blocking_keys::sizes_up_to(tx, &keys, Frequency::COUNT_LIMIT + 1).await?;
    Ok(Statistics {
        counts: counted.into_iter().collect(),
        portals: load_portals(tx).await?,
    })
}

/// What the stored listings show about each portal.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(super) async fn load_portals(tx: &mut Tx) -> Result<BTreeMap<String, Portal>, StoreError> {
    let portal = |known: listings::WatchedPortal| {
        let first = Some(known.first_seen_at);
        let portal = Portal::new(known.is_watched, first, known.nth_seen_at);
        (known.site_id, portal)
    };
    let known = listings::portals(tx, WIDE_CRAWL as u32).await?;
    Ok(known.into_iter().map(portal).collect())
}

/// How many listings of the same kind of offer have the same pin as this one, itself included, counted up to `most`.
/// `None` if it has no pin that could be shared.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn listings_at_pin<'a>(
    tx: &'a mut Tx,
    profile: &'a Profile,
    most: u32,
) -> BoxFuture<'a, Result<Option<u64>, StoreError>> {
    Box::pin(async move {
        let Some(key) = blocking::shared_value_keys(profile).pin else {
            return Ok(None);
        };
        let found = blocking_keys::members(tx, &[key], most).await?;
        Ok(Some(found.len() as u64))
    })
}

/// The profiles of stored listings, with the statistics of the whole set.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn load_profiles<'a>(
    tx: &'a mut Tx,
    addresses: &'a Addresses,
    stored: &'a [StoredListing],
) -> BoxFuture<'a, Result<Vec<Profile>, StoreError>> {
    Box::pin(async move {
        let mut profiles: Vec<Profile> = stored
            .iter()
            .map(|listing| Profile::from_listing(listing, addresses))
            .collect();
        let statistics = load_statistics(tx, profiles.iter()).await?;
        for profile in &mut profiles {
            statistics.apply_to(profile);
        }
        Ok(profiles)
    })
}
