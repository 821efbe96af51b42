//! A place together with everything around it that the text names.

use super::Gazetteer;
use super::anchors::Anchor;
use super::place::{Place, Registered};
use super::query::Query;
use super::rank::{Candidate, Ranking};
use crate::address::{Level, PostalCode};

/// A quarter counts a little less than a municipality of the same name, a street less still.
const QUARTER: f64 = 0.97;
const STREET: f64 = 0.95;
/// A quarter beside another of the same town (`Praha 5 - Smíchov`) explains it; beside a street that is not known to run
/// through it, half.
const SIBLING_QUARTER: f64 = 0.9;
const OTHER_QUARTER: f64 = 0.5;
/// A name said again.
const REPEATED: f64 = 0.9;
/// Evidence beside the names.
const POSTAL_CODE_AGREES: f64 = 0.25;
const POSTAL_CODE_IS_NEAR: f64 = 0.10;
const POSTAL_CODE_DIFFERS: f64 = -0.10;
const IMPORTANCE: f64 = 0.006;
/// What it costs a place elsewhere when the text spells out the name of a municipality.
const OTHER_TOWN: f64 = 0.35;
/// What it costs besides where no more than a district or region is left: towns change their district.
const COARSE: f64 = 0.25;
/// Own name, two quarters, municipality, district, region, names said again.
pub(super) const PARTS: usize = 8;
/// Municipality, a quarter beside, district, region, and the quarters that a street runs through.
const AROUND: usize = 16;

/// What the text may name of something that a place lies in.
#[derive(Clone, Copy, Default)]
struct Group<'a> {
    anchors: &'a [(u32, Anchor)],
    /// How much of the name the place explains.
    share: f64,
    /// Whether the place only lies beside it, not within.
    beside: bool,
}

const fn within(anchors: &[(u32, Anchor)]) -> Group<'_> {
    Group {
        anchors,
        share: 1.0,
        beside: false,
    }
}

impl Ranking<'_> {
    /// The place with everything around it that the text names in other words.
    pub fn combine(&self, place: &Place, leaf: Anchor) -> Candidate {
        let weight = leaf.weight * factor(place.level);
        let mut sum = Sum {
            mask: leaf.mask,
            weight,
            parts: [None; PARTS],
            count: 0,
        };
        sum.note(leaf);
        self.explain_around(place, leaf, &mut sum);
        // `Měnín 135, 664 57 Měnín`
        sum.take(self.anchors.of_place(leaf.place), REPEATED);
        for around in self
            .gazetteer
            .places
            .quarters(place)
            .chain(place.municipality)
        {
            sum.take(self.anchors.of_place(around), REPEATED);
        }
        let number = self.house_number(place.level, sum.mask | self.anchors.compounds);
        if let Some(index) = number {
            sum.mask |= 1 << index;
            sum.weight += self.query.weight_of(1 << index);
        }
        let coverage = sum.weight / self.whole;
        let elsewhere = self.anchors.towns.iter().any(|town| !sum.reads(*town));
        let score = coverage
            + IMPORTANCE * f64::from(place.importance)
            + postal_code_evidence(self.gazetteer, place, self.query)
            - match place.level {
                _ if !elsewhere => 0.0,
                Level::Region | Level::District => OTHER_TOWN + COARSE,
                _ => OTHER_TOWN,
            };
        let (mask, parts) = (sum.mask, sum.parts);
        Candidate {
            place: leaf.place,
            score,
            coverage,
            mask,
            parts,
            number,
            house: None,
        }
    }

    /// What the place lies in, each at most once, whatever explains most first: of `Praha 5` the city district before
    /// the city, of `Žďár nad Sázavou` the town before its part `Žďár`.
    fn explain_around(&self, place: &Place, leaf: Anchor, sum: &mut Sum) {
        let (anchors, places) = (&self.anchors, &self.gazetteer.places);
        let quarters = places
            .quarters(place)
            .map(|quarter| within(anchors.of_place(quarter)));
        let town = place
            .municipality
            .map(|town| within(anchors.of_place(town)));
        let beside = place.municipality.map(|town| {
            let share = if place.level == Level::Street {
                OTHER_QUARTER
            } else {
                SIBLING_QUARTER
            };
            Group {
                anchors: anchors.of_quarters_in(town),
                share,
                beside: true,
            }
        });
        let district = (place.level > Level::District).then(|| within(anchors.of_district(place)));
        let region = (place.level > Level::Region).then(|| within(anchors.of_region(place)));
        let groups = town
            .into_iter()
            .chain(beside)
            .chain(district)
            .chain(region)
            .chain(quarters);
        let mut around = [Group::default(); AROUND];
        let mut count = 0;
        for (group, slot) in groups
            .filter(|group| !group.anchors.is_empty())
            .zip(&mut around)
        {
            *slot = group;
            count += 1;
        }
        let mut left = around.get_mut(..count).unwrap_or_default();
        while !left.is_empty() {
            let bests = left.iter().enumerate().filter_map(|(index, group)| {
                let fits =
                    |anchor: &Anchor| !group.beside || self.may_lie_beside(place, leaf, *anchor);
                Some((index, sum.best(group.anchors, fits)?, group.share))
            });
            let heavier = |a: &(usize, Anchor, f64), b: &(usize, Anchor, f64)| {
                (a.1.weight * a.2)
                    .total_cmp(&(b.1.weight * b.2))
                    .then(b.0.cmp(&a.0))
            };
            let Some((index, anchor, share)) = bests.max_by(heavier) else {
                break;
            };
            sum.explain(anchor, share);
            let last = left.len() - 1;
            left.swap(index, last);
            left = left.split_last_mut().map_or(&mut [], |(_, rest)| rest);
        }
    }

    /// Whether another quarter of the town may be named beside the place: two official parts have no place in common.
    fn may_lie_beside(&self, place: &Place, leaf: Anchor, anchor: Anchor) -> bool {
        let official = |place: &Place| matches!(place.registered, Some(Registered::Quarter(_)));
        let other = self.gazetteer.places.get(anchor.place);
        anchor.place != leaf.place && !other.is_some_and(|other| official(place) && official(other))
    }

    /// The last word left that is a house number.
    fn house_number(&self, level: Level, mask: u32) -> Option<usize> {
        let words = self
            .query
            .words
            .iter()
            .enumerate()
            .filter(|_| level >= Level::Municipality);
        let mut numbers =
            words.filter(|(index, word)| word.number.is_some() && mask & (1 << index) == 0);
        numbers.next_back().map(|(index, _)| index)
    }
}

/// What has been explained so far.
struct Sum {
    mask: u32,
    weight: f64,
    parts: [Option<Anchor>; PARTS],
    count: usize,
}

impl Sum {
    fn note(&mut self, anchor: Anchor) {
        if let Some(part) = self.parts.get_mut(self.count) {
            *part = Some(anchor);
            self.count += 1;
        }
    }

    /// Adds the best of the anchors whose words are still free.
    fn take(&mut self, anchors: &[(u32, Anchor)], factor: f64) {
        if let Some(anchor) = self.best(anchors, |_| true) {
            self.explain(anchor, factor);
        }
    }

    fn best(&self, anchors: &[(u32, Anchor)], fits: impl Fn(&Anchor) -> bool) -> Option<Anchor> {
        let free = anchors
            .iter()
            .map(|(_, anchor)| *anchor)
            .filter(|anchor| anchor.mask & self.mask == 0);
        free.filter(|anchor| fits(anchor))
            .max_by(|a, b| a.weight.total_cmp(&b.weight))
    }

    fn explain(&mut self, anchor: Anchor, factor: f64) {
        self.mask |= anchor.mask;
        self.weight += anchor.weight * factor;
        self.note(anchor);
    }

    /// Whether it makes something of the words of a town's name that is as good as the town: a name of its own, or a
    /// longer one around them.
    fn reads(&self, town: u32) -> bool {
        let as_good =
            |part: &Anchor| part.mask & town != 0 && (part.exact || part.mask & !town != 0);
        self.parts.iter().flatten().any(as_good)
    }
}

const fn factor(level: Level) -> f64 {
    match level {
        Level::Street | Level::Address => STREET,
        Level::Quarter => QUARTER,
        Level::Municipality | Level::District | Level::Region => 1.0,
    }
}

/// Postal codes change, and a municipality may have several: they tip the scales, no more.
fn postal_code_evidence(gazetteer: &Gazetteer, place: &Place, query: &Query) -> f64 {
    let Some(code) = query.postal_code.map(PostalCode::number) else {
        return 0.0;
    };
    let codes = gazetteer.places.postal_codes(place);
    if codes.is_empty() {
        0.0
    } else if codes.binary_search(&code).is_ok() {
        POSTAL_CODE_AGREES
    } else if codes.iter().any(|other| other / 100 == code / 100) {
        POSTAL_CODE_IS_NEAR
    } else {
        POSTAL_CODE_DIFFERS
    }
}
