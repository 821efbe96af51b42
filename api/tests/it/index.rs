//! The index compared with a plain scan that applies every filter.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use api::index::{
    Batch, Circle, Criteria, Filter, PageRequest, Position, Range, Reach, Stop, Stopped, View,
};
use geo::{Distance, Haversine, Point};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::store::offers::IndexRow;
use schema::{
    Arrangement, BuildingType, Equipment, Location, OfferType, Ownership, PropertyState,
    PropertyType, SpecEnum, Subtype, Timestamp,
};

const DISTRICTS: [&str; 4] = ["Praha", "Praha-východ", "Brno-město", "Tachov"];
const QUARTERS: [&str; 3] = ["Svinov", "Vinohrady", "Říčany"];

fn forever() -> Stop {
    Stop::new(
        Instant::now() + Duration::from_hours(1),
        Arc::new(AtomicBool::new(false)),
    )
}

fn maybe<T>(rng: &mut StdRng, value: impl FnOnce(&mut StdRng) -> T) -> Option<T> {
    rng.random_bool(0.8).then(|| value(rng))
}

fn any<E: SpecEnum>(rng: &mut StdRng) -> E {
    // Few values, so that filters match something; the others are rare.
    let frequent = if rng.random_bool(0.02) {
        E::ALL.len()
    } else {
        4
    };
    E::ALL[rng.random_range(0..E::ALL.len().min(frequent))]
}

fn random_row(rng: &mut StdRng, row: i64, change: i64) -> IndexRow {
    let is_live = rng.random_bool(0.75);
    IndexRow {
        row,
        change,
        id: format!("offer-{row}"),
        first_seen_at: Timestamp(0),
        last_changed_at: Timestamp(rng.random_range(0..50)),
        is_live,
        expired_at: if is_live {
            None
        } else {
            maybe(rng, |rng| Timestamp(rng.random_range(0..50)))
        },
        location: maybe(rng, |rng| Location {
            // A town, and the country around it.
            lat: if rng.random_bool(0.8) {
                rng.random_range(49.9..50.2)
            } else {
                rng.random_range(48.5..51.1)
            },
            lng: rng.random_range(14.2..14.7),
        }),
        offer_type: maybe(rng, any::<OfferType>),
        property_type: maybe(rng, any::<PropertyType>),
        subtype: maybe(rng, any::<Subtype>),
        arrangement: maybe(rng, any::<Arrangement>),
        equipment: maybe(rng, any::<Equipment>),
        ownership: maybe(rng, any::<Ownership>),
        property_state: maybe(rng, any::<PropertyState>),
        building_type: maybe(rng, any::<BuildingType>),
        district: maybe(rng, |rng| DISTRICTS[rng.random_range(0..4)].to_owned()),
        neighborhood: maybe(rng, |rng| {
            if rng.random_bool(0.02) {
                format!("Quarter {}", rng.random_range(0..9))
            } else {
                QUARTERS[rng.random_range(0..3)].to_owned()
            }
        }),
        price_total: maybe(rng, |rng| f64::from(rng.random_range(0..40)) * 0.1),
        living_area: maybe(rng, |rng| f64::from(rng.random_range(0..40)) * 0.1),
        land_area: maybe(rng, |rng| f64::from(rng.random_range(0..40)) * 0.1),
        floor: maybe(rng, |rng| rng.random_range(-3..20)),
        floor_count: maybe(rng, |rng| rng.random_range(1..20)),
    }
}

fn random_range(rng: &mut StdRng, scale: f64) -> Range {
    let bound = |rng: &mut StdRng| {
        rng.random_bool(0.1)
            .then(|| f64::from(rng.random_range(0..40)) * scale)
    };
    Range {
        min: bound(rng),
        max: bound(rng),
    }
}

fn random_value<E: SpecEnum>(rng: &mut StdRng) -> Option<E> {
    rng.random_bool(0.12).then(|| {
        // Rare values are looked for more often than they occur.
        if rng.random_bool(0.3) {
            E::ALL[rng.random_range(0..E::ALL.len())]
        } else {
            any(rng)
        }
    })
}

/// A filter, and the circle that it was made from.
type Plain = (Filter, Option<(Location, f64)>);

fn random_filter(rng: &mut StdRng) -> Plain {
    let name = |rng: &mut StdRng, names: &[&str]| {
        rng.random_bool(0.1)
            .then(|| names[rng.random_range(0..names.len())].to_owned())
    };
    let circle = rng.random_bool(0.4).then(|| {
        let centre = Location {
            lat: rng.random_range(49.9..50.2),
            lng: rng.random_range(14.2..14.7),
        };
        let largest = if rng.random_bool(0.3) {
            1_000.0
        } else {
            20_000.0
        };
        (centre, rng.random_range(100.0..largest))
    });
    let criteria = Criteria {
        offer_type: random_value::<OfferType>(rng),
        property_type: random_value::<PropertyType>(rng),
        subtype: random_value::<Subtype>(rng),
        arrangement: random_value::<Arrangement>(rng),
        equipment: random_value::<Equipment>(rng),
        ownership: random_value::<Ownership>(rng),
        property_state: random_value::<PropertyState>(rng),
        building_type: random_value::<BuildingType>(rng),
        district: name(rng, &["Praha", "Tachov", "Nowhere"]),
        neighborhood: name(
            rng,
            &["Svinov", "Vinohrady", "Říčany", "Quarter 3", "Nowhere"],
        ),
        price: random_range(rng, 0.1),
        living_area: random_range(rng, 0.1),
        land_area: random_range(rng, 0.1),
        floor: random_range(rng, 0.5),
        floor_count: random_range(rng, 0.5),
    };
    let reach = if rng.random_bool(0.5) {
        Reach::Live
    } else {
        Reach::ExpiredSince(Timestamp(rng.random_range(0..50)))
    };
    let filter = Filter {
        criteria,
        circle: circle.map(|(centre, radius)| Circle::new(centre, radius)),
        reach,
    };
    (filter, circle)
}

/// Whether an offer matches, implemented directly from the specification.
fn matches(row: &IndexRow, (filter, circle): &Plain) -> bool {
    fn equal<E: Copy + PartialEq>(value: Option<E>, wanted: Option<E>) -> bool {
        wanted.is_none() || value == wanted
    }
    fn within(value: Option<f64>, range: Range) -> bool {
        let holds = |value: f64| {
            range.min.is_none_or(|min| min <= value) && range.max.is_none_or(|max| value <= max)
        };
        (range.min.is_none() && range.max.is_none()) || value.is_some_and(holds)
    }
    let criteria = &filter.criteria;
    let reached = match filter.reach {
        Reach::Live => row.is_live,
        Reach::ExpiredSince(instant) => {
            row.is_live || row.expired_at.is_some_and(|at| at >= instant)
        }
    };
    let located = circle.is_none_or(|(centre, radius)| {
        row.location.is_some_and(|location| {
            let (here, there) = (
                Point::new(centre.lng, centre.lat),
                Point::new(location.lng, location.lat),
            );
            Haversine.distance(here, there) <= radius
        })
    });
    reached
        && located
        && equal(row.offer_type, criteria.offer_type)
        && equal(row.property_type, criteria.property_type)
        && equal(row.subtype, criteria.subtype)
        && equal(row.arrangement, criteria.arrangement)
        && equal(row.equipment, criteria.equipment)
        && equal(row.ownership, criteria.ownership)
        && equal(row.property_state, criteria.property_state)
        && equal(row.building_type, criteria.building_type)
        && criteria
            .district
            .as_ref()
            .is_none_or(|name| row.district.as_ref() == Some(name))
        && criteria
            .neighborhood
            .as_ref()
            .is_none_or(|name| row.neighborhood.as_ref() == Some(name))
        && within(row.price_total, criteria.price)
        && within(row.living_area, criteria.living_area)
        && within(row.land_area, criteria.land_area)
        && within(row.floor.map(f64::from), criteria.floor)
        && within(row.floor_count.map(f64::from), criteria.floor_count)
}

fn after(view: &View, changed: &[IndexRow], retired: &[(i64, i64)], change: i64) -> View {
    let mut batch = Batch::new(view);
    for row in changed {
        batch.changed(row);
    }
    for (change, row) in retired {
        batch.retired(*change, *row);
    }
    view.after(batch, change)
}

/// Stored offers, and the index that follows them.
struct World {
    rows: BTreeMap<i64, IndexRow>,
    view: View,
    next_row: i64,
    change: i64,
}

impl World {
    fn new() -> Self {
        Self {
            rows: BTreeMap::new(),
            view: View::default(),
            next_row: 1,
            change: 0,
        }
    }

    /// Adds, changes and retires some offers.
    fn evolve(&mut self, rng: &mut StdRng, steps: usize) {
        let (mut changed, mut retired) = (Vec::new(), Vec::new());
        for _ in 0..steps {
            self.change += 1;
            let known = self.rows.len();
            let existing = |rng: &mut StdRng, rows: &BTreeMap<i64, IndexRow>| {
                let row = rng.random_range(0..known);
                *rows.keys().nth(row).unwrap()
            };
            match rng.random_range(0..10) {
                0 if known > 0 => {
                    let row = existing(rng, &self.rows);
                    self.rows.remove(&row);
                    retired.push((self.change, row));
                }
                1..=3 if known > 0 => {
                    let row = existing(rng, &self.rows);
                    let record = random_row(rng, row, self.change);
                    self.rows.insert(row, record);
                    changed.push(row);
                }
                _ => {
                    self.rows
                        .insert(self.next_row, random_row(rng, self.next_row, self.change));
                    changed.push(self.next_row);
                    self.next_row += 1;
                }
            }
        }
        changed.sort_unstable();
        changed.dedup();
        let mut changed: Vec<IndexRow> = changed
            .iter()
            .filter_map(|row| self.rows.get(row).cloned())
            .collect();
        changed.sort_by_key(|row| row.change);
        self.view = after(&self.view, &changed, &retired, self.change);
    }

    fn expected(&self, filter: &Plain) -> Vec<i64> {
        let mut rows: Vec<&IndexRow> = self
            .rows
            .values()
            .filter(|row| matches(row, filter))
            .collect();
        rows.sort_by_key(|row| std::cmp::Reverse((row.last_changed_at, row.row)));
        rows.into_iter().map(|row| row.row).collect()
    }
}

fn page(
    view: &View,
    filter: &Filter,
    after: Option<Position>,
    as_of: Option<i64>,
    limit: usize,
) -> (Vec<Position>, bool) {
    let found = view
        .search(
            filter,
            PageRequest {
                after,
                as_of,
                limit,
            },
            &forever(),
        )
        .unwrap();
    (
        found.hits.into_iter().map(|hit| hit.position).collect(),
        found.more,
    )
}

/// Two values that are rare, but not rare enough to be followed offer by offer: of the three stretches of the index, one
/// has the first value, the next neither, and the last both.
#[test]
fn rare_values_that_meet_only_in_a_later_stretch_are_found_there() {
    const STRETCH: i64 = 8_000;
    let mut rng = StdRng::seed_from_u64(1);
    let rows: Vec<IndexRow> = (0..3 * STRETCH)
        .map(|row| {
            let mut it = random_row(&mut rng, row, row + 1);
            it.last_changed_at = Timestamp(3 * STRETCH - row);
            it.is_live = true;
            let is_at =
                |every, stretches: &[i64]| row % every == 0 && stretches.contains(&(row / STRETCH));
            it.subtype = is_at(50, &[0, 2]).then_some(Subtype::ALL[3]);
            it.neighborhood = is_at(20, &[2]).then(|| "Svinov".to_owned());
            it
        })
        .collect();
    let view = after(&View::default(), &rows, &[], 3 * STRETCH);
    let mut filter = Filter::everything(Reach::Live);
    filter.criteria.subtype = Some(Subtype::ALL[3]);
    filter.criteria.neighborhood = Some("Svinov".to_owned());
    let plain: Plain = (filter, None);
    let expected = rows.iter().filter(|row| matches(row, &plain));
    let expected: Vec<i64> = expected.map(|row| row.row).collect();
    assert_eq!(expected.len(), 80);
    let (found, _) = page(&view, &plain.0, None, None, usize::from(u16::MAX));
    let found: Vec<i64> = found.into_iter().map(|position| position.row).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_index_finds_the_same_offers_in_the_same_order_as_a_plain_scan() {
    for seed in 0..3 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut world = World::new();
        // Small steps stay in the overlay, large ones are merged into the columns.
        for step in [200, 1, 0, 6000, 30, 3000, 2, 2500, 7] {
            world.evolve(&mut rng, step);
            assert_eq!(
                (world.view.len(), world.view.change()),
                (world.rows.len(), world.change)
            );
            for _ in 0..25 {
                let filter = random_filter(&mut rng);
                let expected = world.expected(&filter);
                let (hits, more) = page(&world.view, &filter.0, None, None, expected.len());
                assert_eq!(
                    hits.iter().map(|position| position.row).collect::<Vec<_>>(),
                    expected,
                    "{filter:?}"
                );
                assert!(!more);
                let limit = rng.random_range(1..50);
                let (hits, more) = page(&world.view, &filter.0, None, None, limit);
                assert_eq!(
                    (hits.len(), more),
                    (expected.len().min(limit), expected.len() > limit)
                );
            }
        }
    }
}

#[test]
fn the_index_knows_the_latest_change_of_every_offer() {
    let mut rng = StdRng::seed_from_u64(7);
    let mut world = World::new();
    for step in [100, 5000, 300, 2000] {
        world.evolve(&mut rng, step);
        for row in 0..=world.next_row {
            assert_eq!(
                world.view.change_of(row),
                world.rows.get(&row).map(|row| row.change),
                "row {row}"
            );
        }
    }
}

#[test]
fn pages_show_no_offer_twice_and_miss_no_unchanged_one() {
    for seed in 0..60 {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut world = World::new();
        let size = if seed % 10 == 0 { 6000 } else { 150 };
        world.evolve(&mut rng, size);
        let filter = (
            Filter {
                criteria: Criteria::default(),
                circle: None,
                reach: Reach::ExpiredSince(Timestamp(20)),
            },
            None,
        );
        let (as_of, expected) = (world.change, world.expected(&filter));
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let limit = rng.random_range(1..40) * size / 150;
            let (hits, more) = page(&world.view, &filter.0, after, after.map(|_| as_of), limit);
            seen.extend(hits.iter().map(|position| position.row));
            after = hits.last().copied();
            if !more || after.is_none() {
                break;
            }
            let changes = rng.random_range(0..20) * size / 150;
            world.evolve(&mut rng, changes);
        }
        let mut distinct = seen.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(
            distinct.len(),
            seen.len(),
            "seed {seed}: an offer was shown twice"
        );
        for row in expected {
            let unchanged = world
                .rows
                .get(&row)
                .is_some_and(|record| record.change <= as_of);
            assert!(
                !unchanged || seen.contains(&row),
                "seed {seed}: row {row} was missed"
            );
        }
    }
}

#[test]
fn a_row_used_again_after_its_retirement_stays_in_the_index() {
    let mut rng = StdRng::seed_from_u64(1);
    let view = after(&View::default(), &[random_row(&mut rng, 5, 1)], &[], 1);
    let again = random_row(&mut rng, 5, 3);
    assert_eq!(after(&view, &[again], &[(2, 5)], 3).change_of(5), Some(3));
    assert_eq!(after(&view, &[], &[(2, 5)], 2).change_of(5), None);
}

#[test]
fn a_search_stops_at_its_deadline_and_when_it_is_cancelled() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut world = World::new();
    world.evolve(&mut rng, 500);
    let filter = random_filter(&mut rng).0;
    let request = PageRequest {
        after: None,
        as_of: None,
        limit: 25,
    };
    let past = Stop::new(Instant::now(), Arc::new(AtomicBool::new(false)));
    assert_eq!(world.view.search(&filter, request, &past), Err(Stopped));
    assert_eq!(
        View::default().search(&filter, request, &past),
        Err(Stopped)
    );
    let cancelled = Arc::new(AtomicBool::new(false));
    let stop = Stop::new(
        Instant::now() + Duration::from_hours(1),
        Arc::clone(&cancelled),
    );
    assert!(world.view.search(&filter, request, &stop).is_ok());
    cancelled.store(true, Ordering::Relaxed);
    assert_eq!(world.view.search(&filter, request, &stop), Err(Stopped));
}
