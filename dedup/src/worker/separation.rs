//! Why two stored listings are in different records.

use std::collections::BTreeSet;

use futures::future::BoxFuture;
use schema::store::{StoreError, Tx, blocking_keys, listings};
use schema::{ListingId, Review};

use super::components_around::ComponentsAround;
use super::statistics;
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::explanation::{self, ClusteringContext, PairContext, SeparationReason};
use crate::profile::Profile;

/// Why two stored listings are in different records, according to what the last run stored.
/// `in_force` are the decisions in force.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn reasons_apart<'a>(
    tx: &'a mut Tx,
    addresses: &'a Addresses,
    (one, other): (ListingId, ListingId),
    in_force: &'a [Review],
) -> BoxFuture<'a, Result<Vec<SeparationReason>, StoreError>> {
    Box::pin(async move {
        let both = load_profiles(tx, addresses, &[one, other]).await?;
        let [left, right] = &both[..] else {
            return Ok(Vec::new());
        };
        let shared = explanation::shared_keys(left, right);
        let keys: Vec<i64> = shared.into_keys().collect();
        let sizes = blocking_keys::sizes(tx, &keys).await?;
        let table = super::weight_table(tx).await?;
        let context = PairContext {
            table: &table,
            reviews: in_force,
            block_size: &|key| sizes.get(&key).copied().unwrap_or_default(),
        };
        let reasons = explanation::pair_reasons(context, left, right);
        if !reasons.is_empty() {
            return Ok(reasons);
        }
        let around = ComponentsAround::load(tx, addresses, &BTreeSet::from([one, other])).await?;
        let profiles = load_profiles(tx, addresses, &around.members).await?;
        let index = |id: ListingId| {
            around
                .members
                .binary_search(&id)
                .map(|place| place as Member)
        };
        let (Ok(one), Ok(other)) = (index(one), index(other)) else {
            return Ok(Vec::new());
        };
        let context = ClusteringContext {
            profiles: &profiles,
            components: &around.components(&table),
            reviews: in_force,
        };
        Ok(vec![explanation::clustering_reason(context, one, other)])
    })
}

async fn load_profiles(
    tx: &mut Tx,
    addresses: &Addresses,
    ids: &[ListingId],
) -> Result<Vec<Profile>, StoreError> {
    let stored = listings::get(tx, ids).await?;
    statistics::load_profiles(tx, addresses, &stored).await
}
