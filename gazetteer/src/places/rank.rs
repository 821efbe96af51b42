//! Which place explains most of a text.

use std::collections::{BTreeMap, HashMap};

use super::Gazetteer;
use super::located::How;
use super::mentions::Mention;
use super::phrases::Posting;
use super::place::{Level, Place, PlaceId};
use super::query::Query;
use crate::districts::District;
use crate::regions::Region;

/// Streets of one name that are looked at without any hint where they might be.
const WITHOUT_CONTEXT: usize = 64;
/// Best places that are kept.
const KEPT: usize = 12;
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
/// What it costs when the text calls a name a street that is none.
const NOT_AS_SAID: f64 = 0.4;
/// What it costs a place elsewhere when the text spells out the name of a municipality.
const OTHER_TOWN: f64 = 0.35;

/// A mention as the name of one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Anchor {
    pub place: PlaceId,
    pub mention: usize,
    mask: u32,
    weight: f64,
    /// Whether the name is not the place's own.
    pub alias: bool,
    /// Whether the words are a name as they stand.
    exact: bool,
}

/// A place with what of the text it explains.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub place: PlaceId,
    pub score: f64,
    /// Share of the text that is explained, 0 to 1.
    pub coverage: f64,
    /// The words explained.
    pub mask: u32,
    /// The place's own mention and those of what it lies in, finest first.
    pub parts: [Option<Anchor>; PARTS],
    /// The word that is the house number.
    pub number: Option<usize>,
}

/// Own name, two quarters, municipality, district, region, names said again.
const PARTS: usize = 8;

/// What the text names, sorted by what it can be.
#[derive(Default)]
struct Anchors {
    by_place: BTreeMap<PlaceId, Vec<Anchor>>,
    by_district: HashMap<District, Vec<Anchor>>,
    by_region: HashMap<Region, Vec<Anchor>>,
    /// Quarters by their municipality.
    quarters: HashMap<PlaceId, Vec<Anchor>>,
    streets: Vec<Anchor>,
    /// Words that spell out a municipality's name.
    towns: Vec<u32>,
    /// Words that belong to a name of several: a number among them (`Praha 5`, `1. máje`) is no house number.
    compounds: u32,
}

/// The places that explain most of the text, best first.
pub(super) fn rank(gazetteer: &Gazetteer, query: &Query, mentions: &[Mention]) -> Vec<Candidate> {
    let anchors = Anchors::gather(gazetteer, query, mentions);
    let mut best: Vec<Candidate> = Vec::new();
    let leaves = anchors.by_place.values().flatten().chain(&anchors.streets);
    for leaf in leaves {
        let Some(place) = gazetteer.places.get(leaf.place) else { continue };
        let candidate = anchors.combine(query, place, *leaf);
        let better = |other: &Candidate| {
            candidate.score.total_cmp(&other.score).then(other.place.cmp(&candidate.place)).is_gt()
        };
        if let Some(same) = best.iter_mut().find(|other| other.place == candidate.place) {
            if better(same) {
                *same = candidate;
            }
        } else if best.len() < KEPT {
            best.push(candidate);
        } else if let Some(worst) = best.iter_mut().min_by(|a, b| a.score.total_cmp(&b.score))
            && better(worst)
        {
            *worst = candidate;
        }
    }
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
    best
}

impl Anchors {
    fn gather(gazetteer: &Gazetteer, query: &Query, mentions: &[Mention]) -> Self {
        let mut anchors = Self::default();
        for (index, mention) in mentions.iter().enumerate() {
            if mention.how == How::Exact && mention.mask.count_ones() > 1 {
                anchors.compounds |= mention.mask;
            }
            for posting in gazetteer.phrases.postings(mention.phrase) {
                let Some(place) = gazetteer.places.get(posting.place) else { continue };
                if place.level != Level::Street {
                    anchors.add(place, anchor(query, mention, index, posting, place));
                }
            }
        }
        for (index, mention) in mentions.iter().enumerate() {
            for (rank, posting) in gazetteer.phrases.postings(mention.phrase).iter().enumerate() {
                let Some(place) = gazetteer.places.get(posting.place) else { continue };
                if place.level == Level::Street
                    && (rank < WITHOUT_CONTEXT || anchors.hint_at(place) || postal_code_agrees(place, query))
                    && let Some(anchor) = anchor(query, mention, index, posting, place)
                {
                    anchors.streets.push(anchor);
                }
            }
        }
        anchors
    }

    fn add(&mut self, place: &Place, anchor: Option<Anchor>) {
        let Some(anchor) = anchor else { return };
        self.by_place.entry(anchor.place).or_default().push(anchor);
        match (place.level, place.district, place.region, place.municipality) {
            (Level::District, Some(district), ..) => {
                self.by_district.entry(district).or_default().push(anchor);
            }
            (Level::Region, _, Some(region), _) => self.by_region.entry(region).or_default().push(anchor),
            (Level::Municipality, ..) if anchor.exact && !anchor.alias => self.towns.push(anchor.mask),
            (Level::Quarter, .., Some(town)) => self.quarters.entry(town).or_default().push(anchor),
            _ => {}
        }
    }

    /// Whether the text names something that the place lies in.
    fn hint_at(&self, place: &Place) -> bool {
        place
            .municipality
            .is_some_and(|town| self.by_place.contains_key(&town) || self.quarters.contains_key(&town))
            || place.district.is_some_and(|district| self.by_district.contains_key(&district))
            || place.region.is_some_and(|region| self.by_region.contains_key(&region))
    }

    /// The place with everything around it that the text names in other words.
    fn combine(&self, query: &Query, place: &Place, leaf: Anchor) -> Candidate {
        let mut sum = Sum {
            mask: leaf.mask,
            weight: leaf.weight * factor(place.level),
            parts: [None; PARTS],
            count: 0,
        };
        sum.note(leaf);
        let empty: &[Anchor] = &[];
        let of = |id: &PlaceId| self.by_place.get(id).map_or(empty, Vec::as_slice);
        for quarter in &place.quarters {
            sum.take(of(quarter), 1.0);
        }
        if let Some(town) = place.municipality {
            let siblings = self.quarters.get(&town).map_or(empty, Vec::as_slice);
            let beside =
                if place.level == Level::Street && sum.count == 1 { OTHER_QUARTER } else { SIBLING_QUARTER };
            sum.take_other(siblings, leaf.place, beside);
            sum.take(of(&town), 1.0);
        }
        let lies_in_district = place.level > Level::District;
        if let Some(district) = place.district.filter(|_| lies_in_district) {
            sum.take(self.by_district.get(&district).map_or(empty, Vec::as_slice), 1.0);
        }
        if let Some(region) = place.region.filter(|_| place.level > Level::Region) {
            sum.take(self.by_region.get(&region).map_or(empty, Vec::as_slice), 1.0);
        }
        // `Měnín 135, 664 57 Měnín`
        sum.take(of(&leaf.place), REPEATED);
        for around in place.quarters.iter().chain(&place.municipality) {
            sum.take(of(around), REPEATED);
        }
        let number = house_number(query, place.level, sum.mask | self.compounds);
        if let Some(index) = number {
            sum.mask |= 1 << index;
            sum.weight += query.weight_of(1 << index);
        }
        let coverage = sum.weight / query.weight().max(f64::EPSILON);
        let elsewhere = self.towns.iter().any(|town| !sum.reads(*town));
        let score = coverage + IMPORTANCE * place.importance + postal_code_evidence(place, query)
            - if elsewhere { OTHER_TOWN } else { 0.0 };
        Candidate { place: leaf.place, score, coverage, mask: sum.mask, parts: sum.parts, number }
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
    fn take(&mut self, anchors: &[Anchor], factor: f64) {
        let free = anchors.iter().filter(|anchor| anchor.mask & self.mask == 0);
        if let Some(anchor) = free.max_by(|a, b| a.weight.total_cmp(&b.weight)).copied() {
            self.mask |= anchor.mask;
            self.weight += anchor.weight * factor;
            self.note(anchor);
        }
    }

    /// Whether it makes something of the words of a town's name that is as good as the town: a name of its own, or a
    /// longer one around them.
    fn reads(&self, town: u32) -> bool {
        let as_good = |part: &Anchor| part.mask & town != 0 && (part.exact || part.mask & !town != 0);
        self.parts.iter().flatten().any(as_good)
    }

    fn take_other(&mut self, anchors: &[Anchor], than: PlaceId, factor: f64) {
        let free = anchors.iter().filter(|anchor| anchor.place != than && anchor.mask & self.mask == 0);
        if let Some(anchor) = free.max_by(|a, b| a.weight.total_cmp(&b.weight)).copied() {
            self.take(&[anchor], factor);
        }
    }
}

/// The mention as the name of the posting's place; `None` where the text says it is something else.
fn anchor(
    query: &Query,
    mention: &Mention,
    index: usize,
    posting: &Posting,
    place: &Place,
) -> Option<Anchor> {
    let as_said = mention.only.map(|only| only == place.level);
    if as_said == Some(false) && mention.only == Some(Level::District) {
        return None;
    }
    let penalty = match as_said {
        Some(true) if place.level == Level::District => 0.0,
        Some(false) => posting.penalty + NOT_AS_SAID,
        _ => posting.penalty,
    };
    let weight = query.weight_of(mention.mask) * (mention.quality - penalty).max(0.0);
    let (alias, exact) = (penalty > 0.0, mention.how == How::Exact);
    Some(Anchor { place: posting.place, mention: index, mask: mention.mask, weight, alias, exact })
}

const fn factor(level: Level) -> f64 {
    match level {
        Level::Street | Level::Address => STREET,
        Level::Quarter => QUARTER,
        Level::Municipality | Level::District | Level::Region => 1.0,
    }
}

/// The last word left that is a house number.
fn house_number(query: &Query, level: Level, mask: u32) -> Option<usize> {
    if level < Level::Municipality {
        return None;
    }
    query
        .words
        .iter()
        .enumerate()
        .rfind(|(index, word)| word.number.is_some() && mask & (1 << index) == 0)
        .map(|(index, _)| index)
}

fn postal_code_agrees(place: &Place, query: &Query) -> bool {
    query.postal_code.is_some_and(|code| place.postal_codes.binary_search(&code.number()).is_ok())
}

/// Postal codes change, and a municipality may have several: they tip the scales, no more.
fn postal_code_evidence(place: &Place, query: &Query) -> f64 {
    let Some(code) = query.postal_code.filter(|_| !place.postal_codes.is_empty()) else { return 0.0 };
    if place.postal_codes.binary_search(&code.number()).is_ok() {
        POSTAL_CODE_AGREES
    } else if place.postal_codes.iter().any(|other| other / 100 == code.number() / 100) {
        POSTAL_CODE_IS_NEAR
    } else {
        POSTAL_CODE_DIFFERS
    }
}
