//! The stored links around some listings, followed to their ends. A change of a listing can strengthen or weaken any link
//! within two links of it, so a run that clusters changed listings again reads all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schema::store::{StoreError, Tx, matches, reviews};
use schema::{ListingId, StoredMatch, Verdict};

use crate::blocking::Member;
use crate::clustering::Constraints;
use crate::engine::ScoredPair;
use crate::weights;

/// Listings that are connected by links, as stored.
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
        let mut frontier: Vec<ListingId> = listings.iter().copied().collect();
        let mut reached = listings;
        let mut links_found: BTreeMap<(ListingId, ListingId), f32> = BTreeMap::new();
        let mut decided: BTreeMap<(ListingId, ListingId), Verdict> = BTreeMap::new();
        while !frontier.is_empty() {
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
        Ok(Self {
            links: links_found.into_iter().map(link).collect(),
            members,
            constraints,
        })
    }
}

/// Whether a stored match alone is enough to link its listings.
pub fn is_link(found: &StoredMatch) -> bool {
    !found.vetoed && found.weight >= f64::from(weights::LINK)
}
