//! How sure the records are.

use std::collections::{BTreeSet, HashMap};

use futures::future::BoxFuture;
use schema::store::{StoreError, Tx, listings, matches};
use schema::{ListingId, StoredListing};

use super::everything::load_everything;
use super::stored_components::StoredComponents;
use super::{Listings, statistics, weight_table};
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::clustering::Constraints;
use crate::engine::{self, Certainty, Components, ScoredPair};
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

/// How certain the clusters around these listings are, according to the pairs that the last run stored; `None` if more
/// than `most` listings decide about that.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub(super) async fn certainty_around(
    tx: &mut Tx,
    addresses: &Addresses,
    (members, most): (&[ListingId], usize),
) -> Result<Option<CertaintyAround>, StoreError> {
    let kept = matches::around(tx, members).await?;
    let mut around: BTreeSet<ListingId> = members.iter().copied().collect();
    around.extend(kept.iter().flat_map(|found| [found.left, found.right]));
    let loaded = StoredComponents::load_up_to(tx, around, most).await?;
    let Some(StoredComponents {
        members: all,
        links,
        constraints,
    }) = loaded
    else {
        return Ok(None);
    };
    let index_of: HashMap<ListingId, Member> = all.iter().copied().zip(0..).collect();
    let stored = listings::get(tx, &all).await?;
    let profiles = statistics::load_profiles(tx, addresses, &stored).await?;
    let table = weight_table(tx).await?;
    let components = Components::build(&table, &profiles, &links, &constraints);
    let near = kept.iter().filter_map(|found| {
        Some(ScoredPair {
            left: *index_of.get(&found.left)?,
            right: *index_of.get(&found.right)?,
            weight: found.weight as f32,
            vetoed: found.vetoed,
        })
    });
    let near: Vec<ScoredPair> = near.collect();
    Ok(Some(CertaintyAround {
        certainty: Certainty::of_clusters(&components, &profiles, &near, &constraints),
        stored,
        profiles,
    }))
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
        let around = certainty_around(tx, addresses, (members, usize::MAX)).await?;
        let Some(CertaintyAround {
            stored,
            profiles,
            certainty,
        }) = around
        else {
            return Ok(None);
        };
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
