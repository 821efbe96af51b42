//! What can be reached from some listings by links and decisions: everything that decides about them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema::store::{StoreError, Tx, blocking_keys, listings, matches, reviews};
use schema::{ListingId, Review, StoredMatch, Verdict};

use super::survey;
use crate::addresses::Addresses;
use crate::blocking::Member;
use crate::clustering::Decisions;
use crate::engine::{Components, ScoredPair};
use crate::explanation::{self, Reason, Surroundings};
use crate::scoring::weights;

/// The members of one or more connected components, as the store has them.
#[derive(Debug, Default)]
pub struct Reach {
    /// The members, in the order of their row numbers: a place is a place in this list.
    pub members: Vec<ListingId>,
    /// The links among them.
    pub links: Vec<ScoredPair>,
    /// What persons decided about them.
    pub decisions: Decisions,
}

impl Reach {
    /// Follows links and decisions from these listings on.
    ///
    /// # Errors
    /// [`StoreError`] when the database fails.
    pub async fn from(tx: &mut Tx, listings: BTreeSet<ListingId>) -> Result<Self, StoreError> {
        let mut frontier: Vec<ListingId> = listings.iter().copied().collect();
        let mut reached = listings;
        let mut links_found: BTreeMap<(ListingId, ListingId), f32> = BTreeMap::new();
        let mut decided: BTreeMap<(ListingId, ListingId), Verdict> = BTreeMap::new();
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for found in matches::around(tx, &frontier)
                .await?
                .iter()
                .filter(|found| links(found))
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
        let place_of: HashMap<ListingId, Member> = members.iter().copied().zip(0..).collect();
        let mut decisions = Decisions::default();
        for ((left, right), verdict) in decided {
            if let (Some(left), Some(right)) = (place_of.get(&left), place_of.get(&right)) {
                decisions.add(*left, *right, verdict);
            }
        }
        let link = |((left, right), weight)| ScoredPair {
            left: place_of[&left],
            right: place_of[&right],
            weight,
            vetoed: false,
        };
        Ok(Self {
            links: links_found.into_iter().map(link).collect(),
            members,
            decisions,
        })
    }
}

/// Whether a stored match speaks for one property by itself.
pub fn links(found: &StoredMatch) -> bool {
    !found.vetoed && found.weight >= f64::from(weights::LINK)
}

/// Why two stored listings are in different records, by what the last run left; `in_force` are the decisions.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub async fn reasons_apart(
    tx: &mut Tx,
    addresses: &Addresses,
    (one, other): (ListingId, ListingId),
    in_force: &[Review],
) -> Result<Vec<Reason>, StoreError> {
    let reach = Reach::from(tx, BTreeSet::from([one, other])).await?;
    let stored = listings::get(tx, &reach.members).await?;
    let profiles = survey::profiles(tx, addresses, &stored).await?;
    let place = |id| {
        (0..)
            .zip(&profiles)
            .find(|(_, profile)| profile.id == id)
            .map(|(place, _)| place)
    };
    let (Some(one), Some(other)) = (place(one), place(other)) else {
        return Ok(Vec::new());
    };
    let shared = explanation::shared_keys(&profiles[one as usize], &profiles[other as usize]);
    let keys: Vec<i64> = shared.into_keys().collect();
    let sizes = blocking_keys::sizes(tx, &keys).await?;
    let components = Components::of(&profiles, &reach.links, &reach.decisions);
    let around = Surroundings {
        profiles: &profiles,
        components: &components,
        reviews: in_force,
        block_size: &|key| sizes.get(&key).copied().unwrap_or_default(),
    };
    Ok(explanation::reasons(around, one, other))
}
