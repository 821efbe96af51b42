//! The survey of the whole set, read from the store for the listings that are looked at.

use schema::StoredListing;
use schema::store::{StoreError, Tx, blocking_keys, listings};

use crate::addresses::Addresses;
use crate::blocking;
use crate::profile::{Profile, Sharing};
use crate::survey::Survey;

/// The survey as far as it concerns these listings, whose keys are stored.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn survey(
    tx: &mut Tx,
    profiles: impl Iterator<Item = &Profile> + Send,
) -> Result<Survey, StoreError> {
    let mut keys: Vec<i64> = profiles
        .flat_map(|profile| {
            let (point, phones) = blocking::counted(profile);
            point.into_iter().chain(phones)
        })
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let mut survey = Survey {
        watched: listings::watched(tx).await?,
        ..Survey::default()
    };
    for (key, _) in blocking_keys::members(tx, &keys, Sharing::COUNTED as u32).await? {
        *survey.counts.entry(key).or_default() += 1;
    }
    Ok(survey)
}

/// The profiles of stored listings, with the survey noted on them.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn profiles(
    tx: &mut Tx,
    addresses: &Addresses,
    stored: &[StoredListing],
) -> Result<Vec<Profile>, StoreError> {
    let mut profiles: Vec<Profile> = stored
        .iter()
        .map(|listing| Profile::of(listing, addresses))
        .collect();
    survey(tx, profiles.iter()).await?.note(&mut profiles);
    Ok(profiles)
}
