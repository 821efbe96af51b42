//! The stored connected components around some listings: everything that decides about their
//! clusters.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::BoxFuture;
use schema::store::{StoreError, Tx, blocking_keys, listings, matches, reviews};
use schema::{ListingId, Review, StoredMatch, Verdict};

use super::statistics;
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::clustering::Constraints;
use crate::engine::{Components, ScoredPair};
use crate::explanation::{self, MatchContext, SeparationReason};
use crate::weights;

/// One or more connected components, as stored.
#[derive(Debug, Default)]
pub struct StoredComponents {
    /// The members, ordered by row number. Links and constraints refer to indices into this list.
    pub members: Vec<ListingId>,
    /// The links among them.
    pub links: Vec<ScoredPair>,
    /// The constraints among them.
    pub constraints: Constraints,
}

impl StoredComponents {
    /// Follows links and decisions from these listings.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn load_around(
        tx: &mut Tx,
        listings: BTreeSet<ListingId>,
    ) -> Result<Self, StoreError> {
        let loaded = Self::load_up_to(tx, listings, usize::MAX).await?;
        Ok(loaded.unwrap_or_default())
    }

    /// As [`StoredComponents::load_around`], but `None` if the components have more than `most` listings: those of a large
    /// estate of equal flats have tens of thousands.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn load_up_to(
        tx: &mut Tx,
        listings: BTreeSet<ListingId>,
        most: usize,
    ) -> Result<Option<Self>, StoreError> {
        let mut frontier: Vec<ListingId> = listings.iter().copied().collect();
        let mut reached = listings;
        let mut links_found: BTreeMap<(ListingId, ListingId), f32> = BTreeMap::new();
        let mut decided: BTreeMap<(ListingId, ListingId), Verdict> = BTreeMap::new();
        while !frontier.is_empty() {
            if reached.len() > most {
                return Ok(None);
            }
            let mut next = Vec::new();
            for found in matches::around(tx, &frontier)
                .await?
                .iter()
                .filter(|found| is_link(found))
            {
                links_found.insert((found.left, found.right), found.weight as f32);
                next.extend(
                    [found.left, found.right]
                        .into_iter()
                        .filter(|id| reached.insert(*id)),
                );
            }
            for found in reviews::around(tx, &frontier).await? {
                decided.insert((found.left, found.right), found.verdict);
                let joined = [found.left, found.right]
                    .into_iter()
                    .filter(|_| found.verdict == Verdict::Same);
                next.extend(joined.filter(|id| reached.insert(*id)));
            }
            frontier = next;
        }
        let members: Vec<ListingId> = reached.into_iter().collect();
        let index_of: HashMap<ListingId, Member> = members.iter().copied().zip(0..).collect();
        let mut constraints = Constraints::default();
        for ((left, right), verdict) in decided {
            if let (Some(left), Some(right)) = (index_of.get(&left), index_of.get(&right)) {
                constraints.add(*left, *right, verdict);
            }
        }
        let link = |((left, right), weight)| ScoredPair {
            left: index_of[&left],
            right: index_of[&right],
            weight,
            vetoed: false,
        };
        Ok(Some(Self {
            links: links_found.into_iter().map(link).collect(),
            members,
            constraints,
        }))
    }
}

/// Whether a stored match alone is enough to link its listings.
pub fn is_link(found: &StoredMatch) -> bool {
    !found.vetoed && found.weight >= f64::from(weights::LINK)
}

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
        let stored_components =
            StoredComponents::load_around(tx, BTreeSet::from([one, other])).await?;
        let stored = listings::get(tx, &stored_components.members).await?;
        let profiles = statistics::load_profiles(tx, addresses, &stored).await?;
        let index = |id| {
            (0..)
                .zip(&profiles)
                .find(|(_, profile)| profile.id == id)
                .map(|(index, _)| index)
        };
        let (Some(one), Some(other)) = (index(one), index(other)) else {
            return Ok(Vec::new());
        };
        let shared = explanation::shared_keys(&profiles[one as usize], &profiles[other as usize]);
        let keys: Vec<i64> = shared.into_keys().collect();
        let sizes = blocking_keys::sizes(tx, &keys).await?;
        let components = Components::build(
            &super::weight_table(tx).await?,
            &profiles,
            &stored_components.links,
            &stored_components.constraints,
        );
        let context = MatchContext {
            profiles: &profiles,
            components: &components,
            reviews: in_force,
            block_size: &|key| sizes.get(&key).copied().unwrap_or_default(),
        };
        Ok(explanation::separation_reasons(context, one, other))
    })
}
