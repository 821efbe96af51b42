//! Finds a page in the index with 100 000 and with a million offers: the index alone, without the store and HTTP.
//!
//! `cargo bench -p api`

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use api::index::{
    Batch, Circle, Criteria, Filter, PageRequest, Position, Range, Reach, Stop, View,
};
use divan::Bencher;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::offers::IndexRow;
use schema::{Arrangement, Location, OfferType, PropertyType, SpecEnum, Subtype, Timestamp};

const SIZES: [i64; 2] = [100_000, 1_000_000];
const PRAGUE: Location = Location {
    lat: 50.0755,
    lng: 14.4378,
};
/// The towns: weight, district, position.
const TOWNS: [(u32, &str, Location); 5] = [
    (30, "Praha", PRAGUE),
    (
        12,
        "Brno-město",
        Location {
            lat: 49.1951,
            lng: 16.6068,
        },
    ),
    (
        8,
        "Ostrava-město",
        Location {
            lat: 49.8209,
            lng: 18.2625,
        },
    ),
    (
        5,
        "Plzeň-město",
        Location {
            lat: 49.7384,
            lng: 13.3736,
        },
    ),
    (
        45,
        "Tachov",
        Location {
            lat: 49.8,
            lng: 15.4,
        },
    ),
];

static VIEWS: LazyLock<[View; 2]> = LazyLock::new(|| SIZES.map(view));

fn main() {
    divan::main();
}

/// Offers like those of the whole country: mostly live, near towns, changed within nine months.
fn view(count: i64) -> View {
    let mut rng = StdRng::seed_from_u64(1);
    let empty = View::default();
    let mut batch = Batch::new(&empty);
    for row in 0..count {
        batch.changed(&offer(&mut rng, row, row + 1));
    }
    empty.after(batch, count)
}

fn offer(rng: &mut StdRng, row: i64, change: i64) -> IndexRow {
    let mut weight = rng.random_range(0..100);
    let (_, district, town) = TOWNS
        .into_iter()
        .find(|(share, ..)| {
            let found = weight < *share;
            weight = weight.saturating_sub(*share);
            found
        })
        .unwrap_or(TOWNS[0]);
    let spread = if district == "Tachov" { 2.0 } else { 0.08 };
    let is_live = rng.random_bool(0.75);
    let sale = rng.random_bool(0.7);
    IndexRow {
        row,
        change,
        id: String::new(),
        first_seen_at: Timestamp(0),
        last_changed_at: Timestamp(1_780_000_000_000 - rng.random_range(0..270 * 86_400_000)),
        is_live,
        expired_at: (!is_live)
            .then(|| Timestamp(1_780_000_000_000 - rng.random_range(0..270 * 86_400_000))),
        location: rng.random_bool(0.95).then(|| Location {
            lat: town.lat + rng.random_range(-spread..spread) / 2.0,
            lng: town.lng + rng.random_range(-spread..spread),
        }),
        offer_type: Some(if sale {
            OfferType::Sale
        } else {
            OfferType::Rent
        }),
        property_type: Some(PropertyType::ALL[rng.random_range(0..5)]),
        subtype: Some(Subtype::ALL[rng.random_range(0..10)]),
        arrangement: Some(Arrangement::ALL[rng.random_range(0..12)]),
        equipment: None,
        ownership: None,
        property_state: None,
        building_type: None,
        district: Some(district.to_owned()),
        neighborhood: Some(format!("Quarter {}", rng.random_range(0..5000))),
        price_total: Some(
            f64::from(rng.random_range(500..200_000)) * if sale { 100.0 } else { 0.3 },
        ),
        living_area: Some(f64::from(rng.random_range(15..250))),
        land_area: None,
        floor: Some(rng.random_range(-1..15)),
        floor_count: None,
    }
}

fn all() -> Filter {
    Filter {
        criteria: Criteria::default(),
        circle: None,
        reach: Reach::Live,
    }
}

fn flats(offer_type: OfferType) -> Criteria {
    Criteria {
        offer_type: Some(offer_type),
        property_type: Some(PropertyType::Apartment),
        ..Criteria::default()
    }
}

fn search(bencher: Bencher, size: i64, filter: &Filter, after: Option<Position>) {
    let view = &VIEWS[usize::from(size == SIZES[1])];
    let request = PageRequest {
        after,
        as_of: after.map(|_| size),
        limit: 25,
    };
    let stop = Stop::new(
        Instant::now() + Duration::from_hours(1),
        Arc::new(AtomicBool::new(false)),
    );
    bencher.bench(|| view.search(divan::black_box(filter), request, &stop));
}

#[divan::bench(args = SIZES)]
fn plain(bencher: Bencher, size: i64) {
    search(bencher, size, &all(), None);
}

#[divan::bench(args = SIZES)]
fn district_and_price(bencher: Bencher, size: i64) {
    let criteria = Criteria {
        district: Some("Praha".to_owned()),
        price: Range {
            min: Some(5_626_000.0),
            max: Some(9_693_000.0),
        },
        ..flats(OfferType::Sale)
    };
    search(bencher, size, &Filter { criteria, ..all() }, None);
}

#[divan::bench(args = SIZES)]
fn two_kilometres_with_filters(bencher: Bencher, size: i64) {
    let mut criteria = flats(OfferType::Rent);
    criteria.arrangement = Some(Arrangement::R2Kk);
    search(
        bencher,
        size,
        &Filter {
            criteria,
            circle: Some(Circle::new(PRAGUE, 2000.0)),
            ..all()
        },
        None,
    );
}

#[divan::bench(args = SIZES)]
fn twenty_kilometres(bencher: Bencher, size: i64) {
    let centre = Location {
        lat: 49.144,
        lng: 15.003,
    };
    search(
        bencher,
        size,
        &Filter {
            circle: Some(Circle::new(centre, 20_000.0)),
            ..all()
        },
        None,
    );
}

#[divan::bench(args = SIZES)]
fn rare_quarter(bencher: Bencher, size: i64) {
    let criteria = Criteria {
        neighborhood: Some("Quarter 77".to_owned()),
        ..flats(OfferType::Rent)
    };
    search(bencher, size, &Filter { criteria, ..all() }, None);
}

#[divan::bench(args = SIZES)]
fn nothing_matches(bencher: Bencher, size: i64) {
    let price = Range {
        min: Some(999_999_999_999.0),
        max: None,
    };
    search(
        bencher,
        size,
        &Filter {
            criteria: Criteria {
                price,
                ..Criteria::default()
            },
            ..all()
        },
        None,
    );
}

#[divan::bench(args = SIZES)]
fn deep_page_with_the_past(bencher: Bencher, size: i64) {
    let filter = Filter {
        reach: Reach::ExpiredSince(Timestamp(1_765_000_000_000)),
        ..all()
    };
    let after = Position {
        last_changed_at: Timestamp(1_770_000_000_000),
        row: 0,
    };
    search(bencher, size, &filter, Some(after));
}

/// Adds a hundred changed offers to the index.
#[divan::bench(args = SIZES, sample_count = 10)]
fn a_hundred_changes(bencher: Bencher, size: i64) {
    let view = &VIEWS[usize::from(size == SIZES[1])];
    let mut rng = StdRng::seed_from_u64(2);
    let changed: Vec<IndexRow> = (0..100)
        .map(|number| offer(&mut rng, number * 31, size + 1 + number))
        .collect();
    bencher.bench_local(|| {
        let mut batch = Batch::new(view);
        for row in &changed {
            batch.changed(row);
        }
        view.after(batch, size + 100)
    });
}
