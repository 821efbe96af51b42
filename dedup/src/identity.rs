//! Ids that outlive merges and splits: when records become one, the older id stays; when one splits, the id stays with
//! the part that holds its first listing.

use std::collections::{BTreeMap, BTreeSet};

use schema::{ListingKey, OfferId, Timestamp};

/// What identity needs to know of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    /// The listing.
    pub key: ListingKey,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// The record it belonged to so far.
    pub offer: Option<OfferId>,
}

/// How old an id is: when it was issued, then how far back its record reaches.
pub type Age = (Timestamp, Timestamp);

/// The id of one cluster, and the ids that end in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claim {
    /// The id that stays; `None` where a fresh one is needed.
    pub id: Option<OfferId>,
    /// Ids that from now on answer with this cluster's record.
    pub retired: Vec<OfferId>,
}

/// Decides the ids of clusters that together hold every listing of the records they touch.
pub fn claims(clusters: &[Vec<Bearer>], ages: &BTreeMap<OfferId, Age>) -> Vec<Claim> {
    let mut first_of: BTreeMap<&OfferId, (Timestamp, &ListingKey, usize)> = BTreeMap::new();
    for (place, cluster) in clusters.iter().enumerate() {
        for bearer in cluster {
            let Some(offer) = &bearer.offer else { continue };
            let candidate = (bearer.first_seen_at, &bearer.key, place);
            let first = first_of.entry(offer).or_insert(candidate);
            if (candidate.0, candidate.1) < (first.0, first.1) {
                *first = candidate;
            }
        }
    }
    let mut claimed: Vec<BTreeSet<(bool, Option<Age>, &OfferId)>> =
        vec![BTreeSet::new(); clusters.len()];
    for (offer, (_, _, place)) in &first_of {
        let age = ages.get(*offer).copied();
        claimed[*place].insert((age.is_none(), age, offer));
    }
    claimed
        .into_iter()
        .map(|ids| {
            let mut oldest_first = ids.into_iter().map(|(_, _, offer)| offer.clone());
            Claim {
                id: oldest_first.next(),
                retired: oldest_first.collect(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> OfferId {
        OfferId::parse(text).unwrap()
    }

    fn bearer(number: &str, seen: i64, offer: Option<&str>) -> Bearer {
        Bearer {
            key: ListingKey::new("sreality", number),
            first_seen_at: Timestamp(seen),
            offer: offer.map(id),
        }
    }

    fn ages(list: &[(&str, i64)]) -> BTreeMap<OfferId, Age> {
        list.iter()
            .map(|(text, age)| (id(text), (Timestamp(*age), Timestamp(*age))))
            .collect()
    }

    #[test]
    fn the_older_id_survives_a_merge() {
        let cluster = vec![
            bearer("1", 5, Some("young")),
            bearer("2", 9, Some("old")),
            bearer("3", 1, None),
        ];
        let found = claims(&[cluster], &ages(&[("young", 20), ("old", 10)]));
        assert_eq!(
            found,
            [Claim {
                id: Some(id("old")),
                retired: vec![id("young")]
            }]
        );
    }

    #[test]
    fn a_split_leaves_the_id_with_the_first_listing() {
        let parts = [
            vec![bearer("2", 7, Some("a"))],
            vec![bearer("1", 3, Some("a")), bearer("3", 9, Some("a"))],
        ];
        let found = claims(&parts, &ages(&[("a", 1)]));
        assert_eq!(
            found,
            [
                Claim::default(),
                Claim {
                    id: Some(id("a")),
                    retired: vec![]
                }
            ]
        );
    }

    #[test]
    fn a_new_cluster_needs_a_fresh_id() {
        assert_eq!(
            claims(&[vec![bearer("1", 1, None)]], &BTreeMap::new()),
            [Claim::default()]
        );
    }
}
