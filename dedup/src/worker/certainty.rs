//! How sure the records are.

use std::collections::BTreeSet;

use futures::future::BoxFuture;
use schema::store::{StoreError, Tx, listings, matches};
use schema::{ListingId, StoredListing};

use super::components_around::ComponentsAround;
use super::everything::load_everything;
use super::{Listings, statistics, weight_table};
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::clustering::Constraints;
use crate::engine::{self, Certainty, ScoredPair};
use crate::explanation::{self, RecordConfidence};
use crate::profile::Profile;

/// All listings, and how certain their clusters are.
#[derive(Debug)]
pub struct CertainListings {
    /// The listings. Clusters, ties and rivals refer to indices into this list.
    pub profiles: Vec<Profile>,
    /// The clusters with their ties and rivals.
    pub certainty: Certainty,
}

/// Matches all listings in memory and says how certain each cluster is. Nothing is written.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn certainty_of_everything(
    listings: Listings<'_>,
) -> BoxFuture<'_, Result<CertainListings, StoreError>> {
    Box::pin(async move {
        let everything = load_everything(listings).await?;
        let (table, mut profiles) = (everything.table, everything.profiles);
        engine::sort_for_locality(&mut profiles);
        let constraints = Constraints::from_reviews(
            &everything.reviews,
            profiles.iter().map(|profile| &profile.key),
        );
        Ok(CertainListings {
            certainty: engine::certainty(&table, &mut profiles, &constraints),
            profiles,
        })
    })
}

/// Some stored listings with all that decides about their clusters, and how certain these are.
pub(super) struct CertaintyAround {
    /// The listings.
    pub(super) stored: Vec<StoredListing>,
    /// Their profiles, in the same order. Clusters, ties and rivals refer to indices into this list.
    pub(super) profiles: Vec<Profile>,
    /// The clusters with their ties, and those of their rivals that the last run stored.
    pub(super) certainty: Certainty,
}

/// How certain the clusters around these listings are, according to the pairs that the last run stored.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(super) async fn certainty_around(
    tx: &mut Tx,
    addresses: &Addresses,
    members: &[ListingId],
) -> Result<CertaintyAround, StoreError> {
    let kept = matches::around(tx, members).await?;
    let mut wanted: BTreeSet<ListingId> = members.iter().copied().collect();
    wanted.extend(kept.iter().flat_map(|found| [found.left, found.right]));
    let around = ComponentsAround::load(tx, addresses, &wanted).await?;
    let stored = listings::get(tx, &around.members).await?;
    let profiles = statistics::load_profiles(tx, addresses, &stored).await?;
    let components = around.components(&weight_table(tx).await?);
    let index = |id: &ListingId| Some(around.members.binary_search(id).ok()? as Member);
    let near = kept.iter().filter_map(|found| {
        Some(ScoredPair {
            left: index(&found.left)?,
            right: index(&found.right)?,
            weight: found.weight as f32,
            vetoed: found.vetoed,
        })
    });
    let near: Vec<ScoredPair> = near.collect();
    Ok(CertaintyAround {
        certainty: Certainty::of_clusters(&components, &profiles, &near, &around.constraints),
        stored,
        profiles,
    })
}

/// How sure the record of these listings is, according to what the last run stored; `None` if it would
/// not be the record of the same listings today.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn record_certainty<'a>(
    tx: &'a mut Tx,
    addresses: &'a Addresses,
    members: &'a [ListingId],
) -> BoxFuture<'a, Result<Option<RecordConfidence>, StoreError>> {
    Box::pin(async move {
        let CertaintyAround {
            stored,
            profiles,
            certainty,
        } = certainty_around(tx, addresses, members).await?;
        let mut wanted: Vec<Member> = (0..)
            .zip(&profiles)
            .filter(|(_, profile)| members.contains(&profile.id))
            .map(|(index, _)| index)
            .collect();
        wanted.sort_unstable();
        let Some(cluster) = certainty.clusters.iter().position(|one| *one == wanted) else {
            return Ok(None);
        };
        let rivals = &certainty.rivals_by_cluster()[cluster];
        let mut found = explanation::record_confidence(&profiles, &certainty, cluster, rivals);
        if let Some(nearest) = &mut found.strongest_rival {
            let of_rival = stored
                .iter()
                .find(|listing| listing.key == nearest.pair.right);
            nearest.record = of_rival.and_then(|listing| listing.offer_id.clone());
        }
        Ok(Some(found))
    })
}
