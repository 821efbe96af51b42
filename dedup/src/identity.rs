//! Assigns ids to clusters so that ids outlive merges and splits. When records merge, the older id
//! stays. When a record splits, the id stays with the part that holds its first listing.

use std::collections::{BTreeMap, BTreeSet};

use schema::{ListingKey, OfferId, Timestamp};

/// What the assignment needs to know about a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterMember {
    /// The listing.
    pub key: ListingKey,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// The record that it has been in.
    pub offer: Option<OfferId>,
}

/// The age of an id: when it was issued, then when the first listing of its record was first seen.
pub type IdAge = (Timestamp, Timestamp);

/// The id of one cluster, and the ids that become its aliases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IdAssignment {
    /// The id that stays; `None` if the cluster needs a new id.
    pub id: Option<OfferId>,
    /// Ids that become aliases of this record.
    pub retired: Vec<OfferId>,
}

/// Assigns ids to clusters. Together the clusters must hold every listing of every record that one
/// of them takes a listing from.
pub fn assign_ids(
    clusters: &[Vec<ClusterMember>],
    ages: &BTreeMap<OfferId, IdAge>,
) -> Vec<IdAssignment> {
    let mut first_of: BTreeMap<&OfferId, (Timestamp, &ListingKey, usize)> = BTreeMap::new();
    for (index, cluster) in clusters.iter().enumerate() {
        for member in cluster {
            let Some(offer) = &member.offer else { continue };
            let candidate = (member.first_seen_at, &member.key, index);
            let first = first_of.entry(offer).or_insert(candidate);
            if (candidate.0, candidate.1) < (first.0, first.1) {
                *first = candidate;
            }
        }
    }
    let mut claimed: Vec<BTreeSet<(bool, Option<IdAge>, &OfferId)>> =
        vec![BTreeSet::new(); clusters.len()];
    for (offer, (_, _, index)) in &first_of {
        let age = ages.get(*offer).copied();
        claimed[*index].insert((age.is_none(), age, offer));
    }
    claimed
        .into_iter()
        .map(|ids| {
            let mut oldest_first = ids.into_iter().map(|(_, _, offer)| offer.clone());
            IdAssignment {
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

    fn member(number: &str, seen: i64, offer: Option<&str>) -> ClusterMember {
        ClusterMember {
            key: ListingKey::new("sreality", number),
            first_seen_at: Timestamp(seen),
            offer: offer.map(id),
        }
    }

    fn ages(list: &[(&str, i64)]) -> BTreeMap<OfferId, IdAge> {
        list.iter()
            .map(|(text, age)| (id(text), (Timestamp(*age), Timestamp(*age))))
            .collect()
    }

    #[test]
    fn the_older_id_survives_a_merge() {
        let cluster = vec![
            member("1", 5, Some("young")),
            member("2", 9, Some("old")),
            member("3", 1, None),
        ];
        let found = assign_ids(&[cluster], &ages(&[("young", 20), ("old", 10)]));
        assert_eq!(
            found,
            [IdAssignment {
                id: Some(id("old")),
                retired: vec![id("young")]
            }]
        );
    }

    #[test]
    fn a_split_leaves_the_id_with_the_first_listing() {
        let parts = [
            vec![member("2", 7, Some("a"))],
            vec![member("1", 3, Some("a")), member("3", 9, Some("a"))],
        ];
        let found = assign_ids(&parts, &ages(&[("a", 1)]));
        assert_eq!(
            found,
            [
                IdAssignment::default(),
                IdAssignment {
                    id: Some(id("a")),
                    retired: vec![]
                }
            ]
        );
    }

    #[test]
    fn a_new_cluster_needs_a_new_id() {
        assert_eq!(
            assign_ids(&[vec![member("1", 1, None)]], &BTreeMap::new()),
            [IdAssignment::default()]
        );
    }
}
