//! Matching in memory depends only on the set of profiles.

use std::collections::{BTreeMap, BTreeSet};

use dedup::addresses::Addresses;
use dedup::clustering::Constraints;
use dedup::engine;
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use ingest::intake;
use ingest::timeline::{ContentHash, Event, Sighting, fold};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use schema::{
    ListingId, ListingKey, ListingPair, Observation, RawListing, Review, StoredListing, Timestamp,
    Verdict,
};

use super::market;

/// The profiles of a market.
pub fn profiles(count: usize, seed: u64) -> Vec<Profile> {
    let listings = listings(count, seed);
    listings
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect()
}

/// The listings of a market, each in the state after all of its observations.
pub fn listings(count: usize, seed: u64) -> Vec<StoredListing> {
    listings_of_lines(&market::lines(count, seed))
}

/// The listings that these lines show.
pub fn listings_of_lines(lines: &[String]) -> Vec<StoredListing> {
    let mut events = BTreeMap::<ListingKey, Vec<Event>>::new();
    for line in lines {
        let observation = ingest::dumps::parse_line(line.as_bytes()).unwrap().unwrap();
        let (key, event) = match observation {
            Observation::Seen { key, at, raw } => {
                let event = sighting(&key.site_id, at, &raw);
                (key, event)
            }
            Observation::Gone { key, at } => (key, Event::Gone { at }),
            Observation::Crawled(_) => continue,
        };
        events.entry(key).or_default().push(event);
    }
    let states = events
        .into_iter()
        .filter_map(|(key, events)| Some((key, fold(events)?)));
    let stored = |(id, (key, state))| StoredListing {
        id: ListingId(id),
        key,
        state,
        version: 1,
        offer_id: None,
    };
    (1..).zip(states).map(stored).collect()
}

fn sighting(site: &str, at: Timestamp, raw: &RawListing) -> Event {
    let listing = intake::read_raw_listing(site, raw).unwrap().listing;
    Event::Seen(Box::new(Sighting {
        at,
        content: ContentHash::from(raw),
        listing,
        url: None,
        brief: false,
    }))
}

/// The clusters by portal and number.
fn named(profiles: &[Profile], clusters: &[Vec<u32>]) -> BTreeSet<BTreeSet<ListingKey>> {
    let name = |place: &u32| profiles[*place as usize].key.clone();
    clusters
        .iter()
        .map(|cluster| cluster.iter().map(name).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn the_order_of_profiles_and_their_row_numbers_do_not_matter(market in 0u64..1000, order in any::<u64>()) {
        let profiles = profiles(40, market);
        let expected = named(&profiles, &engine::partition(&WeightTable::default(), &mut profiles.clone(), &Constraints::default()).clusters);
        let mut moved = profiles;
        moved.shuffle(&mut StdRng::seed_from_u64(order));
        for (id, profile) in (1..).zip(&mut moved) {
            profile.id = ListingId(id);
        }
        prop_assert_eq!(named(&moved, &engine::partition(&WeightTable::default(), &mut moved.clone(), &Constraints::default()).clusters), expected);
    }

    #[test]
    fn the_order_does_not_matter_with_decisions_either(
        market in 0u64..1000,
        order in any::<u64>(),
        decided in proptest::collection::vec((0usize..40, 0usize..40, any::<bool>()), 0..12),
    ) {
        let profiles = profiles(40, market);
        // Contradicting decisions are normally refused; even with them the result is unique.
        let reviews: Vec<Review> = decided.into_iter().filter_map(|(one, other, same)| {
            let (one, other) = (profiles.get(one)?, profiles.get(other)?);
            let pair = ListingPair::new(one.key.clone(), other.key.clone())?;
            let verdict = if same { Verdict::Same } else { Verdict::Different };
            Some(Review { pair, verdict, reason: None, decided_at: Timestamp(0) })
        }).collect();
        let found = |profiles: &[Profile]| {
            let constraints = Constraints::from_reviews(&reviews, profiles.iter().map(|profile| &profile.key));
            named(profiles, &engine::partition(&WeightTable::default(), &mut profiles.to_vec(), &constraints).clusters)
        };
        let expected = found(&profiles);
        for review in reviews.iter().filter(|review| review.verdict == Verdict::Different) {
            let together = |keys: &BTreeSet<ListingKey>| {
                keys.contains(&review.pair.left) && keys.contains(&review.pair.right)
            };
            prop_assert!(!expected.iter().any(together), "{} are together", review.pair);
        }
        let mut moved = profiles;
        moved.shuffle(&mut StdRng::seed_from_u64(order));
        prop_assert_eq!(found(&moved), expected);
    }

    #[test]
    fn a_pair_weighs_the_same_from_both_ends(market in 0u64..1000) {
        let mut profiles = profiles(24, market);
        let forward = engine::partition(&WeightTable::default(), &mut profiles.clone(), &Constraints::default()).pairs;
        profiles.reverse();
        let last = profiles.len() as u32 - 1;
        let mut backward = engine::partition(&WeightTable::default(), &mut profiles.clone(), &Constraints::default()).pairs;
        for pair in &mut backward {
            (pair.left, pair.right) = (last - pair.right, last - pair.left);
        }
        backward.sort_by_key(|pair| (pair.left, pair.right));
        prop_assert_eq!(backward, forward);
    }
}

#[test]
fn every_listing_is_in_one_cluster() {
    let profiles = profiles(90, 1);
    let mut members: Vec<u32> = engine::partition(
        &WeightTable::default(),
        &mut profiles.clone(),
        &Constraints::default(),
    )
    .clusters
    .concat();
    members.sort_unstable();
    assert_eq!(members, (0..profiles.len() as u32).collect::<Vec<_>>());
}
