//! Profiling, blocking, scoring, clustering and merging over an invented market of look-alikes.

use divan::Bencher;
use divan::counter::ItemsCount;
use schema::{
    Arrangement, Attributes, Evidence, Listing, ListingId, ListingKey, ListingState, Location,
    OfferType, PricePoint, PropertyType, StoredListing, Timestamp,
};

use dedup::addresses::Addresses;
use dedup::clustering::Constraints;
use dedup::profile::Profile;
use dedup::weight_table::WeightTable;
use dedup::{engine, merging, scoring};

const SIZES: [usize; 2] = [1_000, 10_000];

fn main() {
    divan::main();
}

/// A market of `count` listings: every property on two portals, among others of similar size and price.
fn market(count: usize) -> Vec<StoredListing> {
    (0..count)
        .map(|number| listing(number / 2, number % 2, number))
        .collect()
}

fn listing(property: usize, portal: usize, number: usize) -> StoredListing {
    let size = 40.0 + (property % 60) as f64;
    let at = Timestamp(1_780_000_000_000 + property.cast_signed() as i64 * 60_000);
    let price_total = 3_000_000.0 + (property % 400) as f64 * 10_000.0;
    let attributes = Attributes {
        city: Some(format!("Obec {}", property / 200)),
        street: Some(format!("Ulice {}", property / 20)),
        location: Some(Location {
            lat: 49.0 + property as f64 * 1e-4,
            lng: 15.0 + property as f64 * 1e-4,
        }),
        title: Some(format!("Prodej bytu 2+kk {size} m²")),
        description: Some(format!(
            "Nabízíme byt 2+kk o ploše {size} m² v {}. patře, sklep 3,{} m², okna na jih. Cena {price_total} Kč.",
            property % 8 + 1,
            property % 9 + 1
        )),
        offer_type: Some(OfferType::Sale),
        property_type: Some(PropertyType::Apartment),
        arrangement: Some(Arrangement::R2Kk),
        living_area: Some(size),
        floor: i16::try_from(property % 8).ok(),
        price_total: Some(price_total),
        ..Attributes::default()
    };
    StoredListing {
        id: ListingId(number.cast_signed() as i64),
        key: ListingKey::new(["sreality", "idnes"][portal], number.to_string()),
        state: ListingState {
            listing: Listing {
                attributes,
                evidence: Evidence::default(),
            },
            url: None,
            first_seen_at: at,
            last_seen_at: at,
            last_changed_at: at,
            gone_at: None,
            prices: vec![PricePoint { at, price_total }],
        },
        version: 1,
        offer_id: None,
    }
}

fn profiles(count: usize) -> Vec<Profile> {
    market(count)
        .iter()
        .map(|listing| Profile::from_listing(listing, &Addresses::default()))
        .collect()
}

#[divan::bench]
fn profile(bencher: Bencher) {
    let listing = listing(7, 0, 14);
    bencher.bench(|| Profile::from_listing(&listing, &Addresses::default()));
}

#[divan::bench(args = SIZES)]
fn block(bencher: Bencher, count: usize) {
    let mut profiles = profiles(count);
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| engine::candidates(&mut profiles).count());
}

#[divan::bench]
fn score_a_pair(bencher: Bencher) {
    let profiles = profiles(2);
    bencher.bench(|| scoring::match_weight(&WeightTable::default(), &profiles[0], &profiles[1]));
}

#[divan::bench(args = SIZES)]
fn partition(bencher: Bencher, count: usize) {
    let mut profiles = profiles(count);
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        engine::partition(
            &WeightTable::default(),
            &mut profiles,
            &Constraints::default(),
        )
        .clusters
        .len()
    });
}

#[divan::bench]
fn merge(bencher: Bencher) {
    let members = market(4);
    bencher.bench(|| merging::merge(&members, &Addresses::default(), |_| None));
}
