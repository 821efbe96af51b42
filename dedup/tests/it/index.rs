//! The index in memory gives the same clusters as a full run, whatever the order of changes.

use std::collections::{BTreeMap, BTreeSet};

use dedup::addresses::Addresses;
use dedup::blocking::MAX_BLOCK_SIZE;
use dedup::clustering::Constraints;
use dedup::engine;
use dedup::index::Index;
use dedup::profile::{Frequency, Profile};
use dedup::weight_table::WeightTable;
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use schema::{ListingKey, ListingPair, Review, Timestamp, Verdict};
use serde_json::json;

use super::engine::{listings, listings_of_lines};
use super::market;

type Named = BTreeSet<BTreeSet<ListingKey>>;

/// The clusters of a full run over the listings.
fn at_once(profiles: &[Profile], reviews: &[Review]) -> Named {
    let constraints =
        Constraints::from_reviews(reviews, profiles.iter().map(|profile| &profile.key));
    let found = engine::partition(
        &WeightTable::default(),
        &mut profiles.to_vec(),
        &constraints,
    )
    .clusters;
    let name = |place: &u32| profiles[*place as usize].key.clone();
    found
        .iter()
        .map(|cluster| cluster.iter().map(name).collect())
        .collect()
}

fn named<'a>(index: &Index, clusters: impl Iterator<Item = &'a [u32]>) -> Named {
    let name = |member: &u32| index.profile(*member).unwrap().key.clone();
    clusters
        .map(|cluster| cluster.iter().map(name).collect())
        .collect()
}

/// An index, and the clusters that result from what it returned.
struct Watched {
    index: Index,
    there: BTreeMap<ListingKey, Profile>,
    clusters: Named,
}

impl Watched {
    fn new(profiles: Vec<Profile>, reviews: &[Review]) -> Self {
        let there = profiles
            .iter()
            .map(|profile| (profile.key.clone(), profile.clone()))
            .collect();
        let index = Index::build(WeightTable::default(), profiles, reviews);
        let clusters = named(&index, index.clusters());
        Self {
            index,
            there,
            clusters,
        }
    }

    fn put(&mut self, profile: &Profile) {
        self.there.insert(profile.key.clone(), profile.clone());
        let fresh = self.index.put(profile.clone());
        self.take_over(None, &fresh);
    }

    fn remove(&mut self, key: &ListingKey) {
        self.there.remove(key);
        let fresh = self.index.remove(key);
        self.take_over(Some(key), &fresh);
    }

    fn take_over(&mut self, gone: Option<&ListingKey>, fresh: &[Vec<u32>]) {
        let fresh = named(&self.index, fresh.iter().map(Vec::as_slice));
        assert!(
            fresh.is_disjoint(&self.clusters),
            "an unchanged cluster is not returned"
        );
        let moved: BTreeSet<&ListingKey> = fresh.iter().flatten().chain(gone).collect();
        self.clusters
            .retain(|cluster| !cluster.iter().any(|key| moved.contains(key)));
        self.clusters.extend(fresh);
    }

    #[track_caller]
    fn assert_whole(&self, reviews: &[Review]) {
        let profiles: Vec<Profile> = self.there.values().cloned().collect();
        let expected = at_once(&profiles, reviews);
        assert_eq!(named(&self.index, self.index.clusters()), expected);
        assert_eq!(
            self.clusters, expected,
            "the returned clusters add up to the clusters of the index"
        );
    }
}

/// Two versions of every listing of a market, with the same keys.
fn versions(count: usize, market: u64) -> Vec<[Profile; 2]> {
    let of = |seed| {
        listings(count, seed)
            .into_iter()
            .map(|listing| Profile::from_listing(&listing, &Addresses::default()))
    };
    let renamed = |(first, mut second): (Profile, Profile)| {
        second.key = first.key.clone();
        [first, second]
    };
    of(market).zip(of(market + 5_000)).map(renamed).collect()
}

/// Adds, replaces and removes listings at random.
fn shake(watched: &mut Watched, versions: &[[Profile; 2]], steps: usize, rng: &mut StdRng) {
    for _ in 0..steps {
        let both = versions.choose(rng).unwrap();
        if rng.random_bool(0.3) {
            watched.remove(&both[0].key);
        } else {
            watched.put(both.choose(rng).unwrap());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_order_of_changes_gives_the_clusters_of_a_full_run(
        market in 0u64..1000,
        order in any::<u64>(),
        given in 0usize..60,
    ) {
        let versions = versions(60, market);
        let mut rng = StdRng::seed_from_u64(order);
        let first = versions[..given].iter().map(|both| both[0].clone()).collect();
        let mut watched = Watched::new(first, &[]);
        for _ in 0..6 {
            shake(&mut watched, &versions, 15, &mut rng);
            watched.assert_whole(&[]);
        }
    }

    #[test]
    fn any_order_of_changes_gives_the_clusters_of_a_full_run_with_decisions(
        market in 0u64..1000,
        order in any::<u64>(),
        decided in proptest::collection::vec((0usize..40, 0usize..40, any::<bool>()), 0..12),
    ) {
        let versions = versions(40, market);
        let reviews: Vec<Review> = decided.into_iter().filter_map(|(one, other, same)| {
            let pair = ListingPair::new(versions[one][0].key.clone(), versions[other][0].key.clone())?;
            let verdict = if same { Verdict::Same } else { Verdict::Different };
            Some(Review { pair, verdict, reason: None, decided_at: Timestamp(0) })
        }).collect();
        let mut rng = StdRng::seed_from_u64(order);
        let mut watched = Watched::new(versions[..20].iter().map(|both| both[0].clone()).collect(), &reviews);
        for _ in 0..4 {
            shake(&mut watched, &versions, 12, &mut rng);
            watched.assert_whole(&reviews);
        }
    }
}

/// Adds listings one by one and removes them again, and checks the index each time.
fn one_by_one(profiles: &[Profile]) {
    let mut watched = Watched::new(Vec::new(), &[]);
    for profile in profiles {
        watched.put(profile);
        watched.assert_whole(&[]);
    }
    for profile in profiles {
        watched.remove(&profile.key);
        watched.assert_whole(&[]);
    }
}

fn profiles_of(lines: &[String]) -> Vec<Profile> {
    let listings = listings_of_lines(lines);
    listings
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect()
}

#[test]
fn a_block_that_crosses_the_size_limit_is_matched_again() {
    let crowd = profiles_of(&market::crowd(MAX_BLOCK_SIZE + 4, 0));
    let mut watched = Watched::new(Vec::new(), &[]);
    let mut merged = Vec::new();
    for profile in &crowd {
        watched.put(profile);
        watched.assert_whole(&[]);
        merged.push(watched.clusters.len() < watched.there.len());
    }
    assert!(
        merged[MAX_BLOCK_SIZE - 1] && !merged[MAX_BLOCK_SIZE],
        "the size limit makes the difference: {merged:?}"
    );
    for profile in &crowd {
        watched.remove(&profile.key);
        watched.assert_whole(&[]);
    }
}

#[test]
fn a_point_or_phone_number_weighs_less_as_more_listings_share_it() {
    let advert = |number: usize| {
        let facts = json!({
            "offerType": "sale", "type": "apartment", "city": "Brno", "arrangement": "2+kk",
            "livingArea": 50 + number % 2, "priceTotal": 4_000_000 + number % 2 * 30_000, "floor": number % 3,
            "location": {"lat": 49.2, "lng": 16.6},
            "description": "Volejte prosím na číslo 700 000 100, rádi vám byt ukážeme.",
        });
        super::feeding::seen(
            ["sreality", "idnes", "bazos"][number % 3],
            &number.to_string(),
            1,
            &facts,
        )
    };
    let lines: Vec<String> = (0..Frequency::COUNT_LIMIT + 2).map(advert).collect();
    one_by_one(&profiles_of(&lines));
}

#[test]
fn a_portal_is_watched_once_one_of_its_adverts_is_gone() {
    let mut lines: Vec<String> = ["1", "2", "3"]
        .map(|number| super::feeding::seen("sreality", number, 1, &market::flat()))
        .to_vec();
    lines.push(super::feeding::seen(
        "sreality",
        "4",
        1,
        &market::other_flat(),
    ));
    lines.push(super::feeding::gone("sreality", "4", 50));
    one_by_one(&profiles_of(&lines));
}

#[test]
fn a_first_crawl_is_wide_once_it_found_many_adverts() {
    let sites = ["sreality", "idnes"];
    let seen = super::feeding::seen;
    let mut lines = vec![seen("sreality", "early", 1, &market::flat())];
    lines.extend(sites.map(|site| seen(site, "first", 1, &market::other_flat())));
    lines.push(seen("idnes", "late", 100, &market::flat()));
    lines.extend((0..30).map(|number| {
        let number = format!("first {number}");
        seen("idnes", &number, 2, &market::other_flat())
    }));
    one_by_one(&profiles_of(&lines));
}

#[test]
fn the_first_crawl_of_a_portal_is_known_from_its_earliest_advert() {
    let sites = ["sreality", "idnes"];
    let advert = |site: &&str, number: &str, hour: i64| {
        let facts = if number == "early" {
            market::other_flat()
        } else {
            market::flat()
        };
        super::feeding::seen(site, number, hour, &facts)
    };
    let mut lines: Vec<String> = sites.map(|site| advert(&site, "late", 100)).to_vec();
    lines.extend(sites.map(|site| advert(&site, "early", 1)));
    one_by_one(&profiles_of(&lines));
}
