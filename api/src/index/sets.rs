//! Which offers have a value, so that a search looks only where something can match.
//!
//! For each value of an enumeration, district or neighbourhood there is the set of the offers that have it: a bit for
//! each offer if the value is frequent, a list of indexes if it is rare. For each number there are some bounds at
//! quantiles, with a bit for each offer that reaches the bound. A search intersects the sets of its filters block by
//! block. Numbers are then compared exactly, because the sets of bounds only narrow them down.

use std::collections::BTreeMap;

use schema::SpecEnum;

use crate::index::columns::{Code, NEVER, NO_FLOOR, Rows};
use crate::index::filter::{Range, ResolvedFilter};
use crate::index::names::NO_NAME;

/// The number of bits in a word of a set.
pub(crate) const WORD: usize = u64::BITS as usize;

/// The offers of [`Columns`](crate::index::columns::Columns) by value.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    live: Vec<u64>,
    offer_type: Values,
    property_type: Values,
    subtype: Values,
    arrangement: Values,
    equipment: Values,
    ownership: Values,
    property_state: Values,
    building_type: Values,
    district: Values,
    neighborhood: Values,
    price: Bounds,
    living_area: Bounds,
    land_area: Bounds,
    floor: Bounds,
    floor_count: Bounds,
    lat: Bounds,
    lng: Bounds,
}

/// A set that the matches of a search are in, or not in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Restriction<'a> {
    /// One bit for each offer: it is in the set.
    In(&'a [u64]),
    /// One bit for each offer: it is not in the set.
    NotIn(&'a [u64]),
    /// The indexes of the offers in the set, ascending.
    Listed(&'a [u32]),
}

impl Sets {
    /// The sets of some offers.
    pub(super) fn of_rows(rows: &Rows) -> Self {
        let count = rows.len();
        let bounds = |number: &dyn Fn(usize) -> f64, quantiles: &[usize]| {
            Bounds::of_numbers(count, number, quantiles)
        };
        Self {
            live: bits(count, |index| rows.expires_at[index] == NEVER),
            offer_type: Values::of_codes(&rows.offer_type),
            property_type: Values::of_codes(&rows.property_type),
            subtype: Values::of_codes(&rows.subtype),
            arrangement: Values::of_codes(&rows.arrangement),
            equipment: Values::of_codes(&rows.equipment),
            ownership: Values::of_codes(&rows.ownership),
            property_state: Values::of_codes(&rows.property_state),
            building_type: Values::of_codes(&rows.building_type),
            district: Values::of_names(&rows.district),
            neighborhood: Values::of_names(&rows.neighborhood),
            // A price and a rent differ a hundredfold, so a high rent is a low price.
            price: Bounds::of_kinds(&rows.price, &rows.offer_type, &QUANTILES),
            living_area: bounds(&|index| rows.living_area[index], &QUANTILES),
            land_area: bounds(&|index| rows.land_area[index], &QUANTILES),
            floor: bounds(&|index| number_of_floor(rows.floor[index]), &QUANTILES),
            floor_count: bounds(
                &|index| number_of_floor(rows.floor_count[index]),
                &QUANTILES,
            ),
            lat: bounds(&|index| rows.location[index].lat, &FINE_QUANTILES),
            lng: bounds(&|index| rows.location[index].lng, &FINE_QUANTILES),
        }
    }

    /// The sets that restrict a search. Together they allow every match; they may allow other offers too, if numbers,
    /// expired offers or a circle are looked for.
    pub(crate) fn restrictions<'a>(&'a self, filter: &ResolvedFilter<'_>) -> Vec<Restriction<'a>> {
        let criteria = filter.criteria;
        let mut all = Vec::with_capacity(8);
        if filter.expires_from == NEVER {
            all.push(Restriction::In(&self.live));
        }
        self.offer_type.add_value(criteria.offer_type, &mut all);
        self.property_type
            .add_value(criteria.property_type, &mut all);
        self.subtype.add_value(criteria.subtype, &mut all);
        self.arrangement.add_value(criteria.arrangement, &mut all);
        self.equipment.add_value(criteria.equipment, &mut all);
        self.ownership.add_value(criteria.ownership, &mut all);
        self.property_state
            .add_value(criteria.property_state, &mut all);
        self.building_type
            .add_value(criteria.building_type, &mut all);
        self.district.add(filter.district, &mut all);
        self.neighborhood.add(filter.neighborhood, &mut all);
        self.price.add(criteria.price, &mut all);
        self.living_area.add(criteria.living_area, &mut all);
        self.land_area.add(criteria.land_area, &mut all);
        self.floor.add(criteria.floor, &mut all);
        self.floor_count.add(criteria.floor_count, &mut all);
        if let Some(circle) = filter.circle {
            for (bounds, (min, max)) in [(&self.lat, circle.lat()), (&self.lng, circle.lng())] {
                let range = Range {
                    min: Some(min),
                    max: Some(max),
                };
                bounds.add(range, &mut all);
            }
        }
        all
    }
}

/// A floor as a number; NaN if it is unknown.
pub(super) fn number_of_floor(floor: i16) -> f64 {
    if floor == NO_FLOOR {
        f64::NAN
    } else {
        f64::from(floor)
    }
}

/// For each code, the offers with that value.
#[derive(Debug, Default)]
struct Values(Vec<Members>);

#[derive(Debug)]
enum Members {
    Bits(Vec<u64>),
    Listed(Vec<u32>),
}

/// A set of fewer than one in this number of offers is a list, which is then smaller than bits.
const RARE: usize = 32;

impl Values {
    fn of_codes<E>(codes: &[Code<E>]) -> Self
    where
        Code<E>: Copy,
    {
        Self::new(codes.len(), |index| codes[index].value())
    }

    fn of_names(names: &[u32]) -> Self {
        Self::new(names.len(), |index| {
            Some(names[index]).filter(|name| *name != NO_NAME)
        })
    }

    fn new(count: usize, value: impl Fn(usize) -> Option<u32>) -> Self {
        let mut frequencies: Vec<usize> = Vec::new();
        for code in (0..count).filter_map(&value) {
            let code = code as usize;
            if frequencies.len() <= code {
                frequencies.resize(code + 1, 0);
            }
            frequencies[code] += 1;
        }
        let empty = |frequency: &usize| {
            if frequency * RARE < count {
                Members::Listed(Vec::with_capacity(*frequency))
            } else {
                Members::Bits(vec![0; count.div_ceil(WORD)])
            }
        };
        let mut members: Vec<Members> = frequencies.iter().map(empty).collect();
        for index in 0..count {
            let Some(code) = value(index) else { continue };
            match &mut members[code as usize] {
                Members::Bits(bits) => bits[index / WORD] |= 1 << (index % WORD),
                Members::Listed(list) => list.push(index as u32),
            }
        }
        Self(members)
    }

    fn add_value<'a, E: SpecEnum>(&'a self, wanted: Option<E>, to: &mut Vec<Restriction<'a>>) {
        self.add(Code::from(wanted).value(), to);
    }

    fn add<'a>(&'a self, wanted: Option<u32>, to: &mut Vec<Restriction<'a>>) {
        let Some(wanted) = wanted else { return };
        to.push(match self.0.get(wanted as usize) {
            Some(Members::Bits(bits)) => Restriction::In(bits),
            Some(Members::Listed(list)) => Restriction::Listed(list),
            None => Restriction::Listed(&[]),
        });
    }
}

/// Some bounds of a number, ascending, each with the offers whose number is at least the bound. The first bound is below
/// all numbers: its set has every offer with a number.
#[derive(Debug)]
struct Bounds {
    sets: Vec<(f64, Vec<u64>)>,
    /// The greatest number.
    most: f64,
}

/// The parts of all numbers that are below a bound, in ten-thousandths. Closer at the ends, where searches that match
/// almost nothing look: each offer between two bounds is compared, which misses the cache.
const QUANTILES: [usize; 16] = [
    10, 100, 600, 1250, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 8750, 9400, 9900, 9990, 9999,
];
/// The same for positions: a circle is small.
const FINE_QUANTILES: [usize; 32] = [
    50, 300, 600, 900, 1200, 1500, 1800, 2100, 2400, 2700, 3000, 3300, 3600, 3900, 4200, 4500,
    4800, 5100, 5400, 5700, 6000, 6300, 6600, 6900, 7200, 7500, 7900, 8300, 8700, 9200, 9600, 9950,
];
/// The number of values from which quantiles are estimated.
const SAMPLE: usize = 32_768;

impl Default for Bounds {
    fn default() -> Self {
        Self {
            sets: Vec::new(),
            most: f64::NEG_INFINITY,
        }
    }
}

impl Bounds {
    fn of_numbers(count: usize, number: &dyn Fn(usize) -> f64, quantiles: &[usize]) -> Self {
        let step = (count / SAMPLE).max(1);
        let sample = (0..count).step_by(step).map(number).collect();
        Self::new(count, number, bounds(sample, quantiles))
    }

    /// With the quantiles of each kind of offer.
    fn of_kinds<E>(numbers: &[f64], kinds: &[Code<E>], quantiles: &[usize]) -> Self
    where
        Code<E>: Copy,
    {
        let step = (numbers.len() / SAMPLE).max(1);
        let mut samples: BTreeMap<Option<u32>, Vec<f64>> = BTreeMap::new();
        for (number, kind) in numbers.iter().zip(kinds).step_by(step) {
            samples.entry(kind.value()).or_default().push(*number);
        }
        let samples = samples.into_values();
        Self::new(
            numbers.len(),
            &|index| numbers[index],
            samples.flat_map(|it| bounds(it, quantiles)).collect(),
        )
    }

    fn new(count: usize, number: &dyn Fn(usize) -> f64, mut bounds: Vec<f64>) -> Self {
        bounds.push(f64::NEG_INFINITY);
        bounds.sort_unstable_by(f64::total_cmp);
        bounds.dedup();
        let words = count.div_ceil(WORD);
        let mut most = f64::NEG_INFINITY;
        let mut sets: Vec<(f64, Vec<u64>)> = bounds
            .into_iter()
            .map(|bound| (bound, Vec::with_capacity(words)))
            .collect();
        // Word by word, so that the numbers of a word stay in the cache. No number reaches a bound as NaN.
        for first in (0..count).step_by(WORD) {
            let mut word = [f64::NAN; WORD];
            for (index, slot) in (first..count).zip(&mut word) {
                *slot = number(index);
                most = most.max(*slot);
            }
            for (bound, bits) in &mut sets {
                let reached = word.iter().enumerate().fold(0, |bits, (bit, number)| {
                    bits | u64::from(*number >= *bound) << bit
                });
                bits.push(reached);
            }
        }
        Self { sets, most }
    }

    fn add<'a>(&'a self, range: Range, to: &mut Vec<Restriction<'a>>) {
        if range.is_open() {
            return;
        }
        let min = range.min.unwrap_or(f64::NEG_INFINITY);
        if min > self.most {
            to.push(Restriction::Listed(&[]));
            return;
        }
        let after = |number| self.sets.partition_point(|(bound, _)| *bound <= number);
        let below = after(min).checked_sub(1);
        if let Some((_, bits)) = below.and_then(|place| self.sets.get(place)) {
            to.push(Restriction::In(bits));
        }
        let above = range.max.map(after);
        if let Some((_, bits)) = above.and_then(|place| self.sets.get(place)) {
            to.push(Restriction::NotIn(bits));
        }
    }
}

/// The numbers at some quantiles of a sample.
fn bounds(mut sample: Vec<f64>, quantiles: &[usize]) -> Vec<f64> {
    sample.retain(|number| !number.is_nan());
    sample.sort_unstable_by(f64::total_cmp);
    let at = |quantile: &usize| sample.get(sample.len() * quantile / 10_000).copied();
    quantiles.iter().filter_map(at).collect()
}

/// One bit for each index: whether it passes the test.
fn bits(count: usize, test: impl Fn(usize) -> bool) -> Vec<u64> {
    let word = |first: usize| {
        let last = (first + WORD).min(count);
        (first..last).fold(0, |bits, index| {
            bits | u64::from(test(index)) << (index - first)
        })
    };
    (0..count).step_by(WORD).map(word).collect()
}
