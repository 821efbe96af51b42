//! Which place explains most of a text.

use super::Gazetteer;
use super::anchors::{Anchor, Anchors};
use super::combine::PARTS;
use super::house::{self, House};
use super::mentions::Mention;
use super::place::{PlaceId, Registered};
use super::query::Query;
use super::work::Work;
use crate::address::Level;

/// Best places that are kept.
const KEPT: usize = 12;
/// A house number that the registry knows there; what is left of its weight where it knows none such.
const NUMBER_FOUND: f64 = 0.08;
const NUMBER_UNKNOWN: f64 = 0.3;
/// What it costs a name far from what was written when its house number is not there.
const INCREDIBLE: f64 = 1.0;

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
    /// The house, where the registry knows it.
    pub house: Option<House>,
}

/// The places that explain most of the text, best first.
pub(super) fn rank(
    gazetteer: &Gazetteer,
    query: &Query,
    mentions: &[Mention],
    work: &mut Work,
) -> Vec<Candidate> {
    let anchors = Anchors::gather(gazetteer, query, mentions, work);
    let ranking = Ranking {
        gazetteer,
        query,
        anchors,
        whole: query.weight().max(f64::EPSILON),
    };
    let mut best: Vec<Candidate> = Vec::with_capacity(KEPT + 1);
    for leaf in ranking.anchors.places().chain(&ranking.anchors.streets) {
        let Some(place) = gazetteer.places.get(leaf.place) else {
            continue;
        };
        keep(&mut best, ranking.combine(place, *leaf));
    }
    for candidate in &mut best {
        ranking.look_for_house(candidate);
        let leaf = candidate
            .parts
            .first()
            .and_then(|part| mentions.get(usize::from((*part)?.mention)));
        if leaf.is_some_and(Mention::is_loose) && candidate.house.is_none() {
            candidate.score -= INCREDIBLE;
        }
    }
    best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
    best
}

/// Keeps a candidate if it is among the best; of two readings of one place the better.
fn keep(best: &mut Vec<Candidate>, candidate: Candidate) {
    let better = |other: &Candidate| {
        candidate
            .score
            .total_cmp(&other.score)
            .then(other.place.cmp(&candidate.place))
            .is_gt()
    };
    if best.len() == KEPT && !best.last().is_some_and(better) {
        return;
    }
    if let Some(same) = best.iter().position(|other| other.place == candidate.place) {
        if !best.get(same).is_some_and(better) {
            return;
        }
        best.remove(same);
    }
    let index = best.partition_point(|other| !better(other));
    best.insert(index, candidate);
    best.truncate(KEPT);
}

/// A text that is being explained.
pub(super) struct Ranking<'a> {
    pub gazetteer: &'a Gazetteer,
    pub query: &'a Query,
    pub anchors: Anchors,
    /// The weight of the whole text.
    pub whole: f64,
}

impl Ranking<'_> {
    /// Asks the registry for the house of a candidate.
    fn look_for_house(&self, candidate: &mut Candidate) {
        let Some(registry) = self.gazetteer.registry() else {
            return;
        };
        let Some(place) = self.gazetteer.places.get(candidate.place) else {
            return;
        };
        let word = candidate
            .number
            .and_then(|index| self.query.words.get(index)?.number);
        let marked = Some(self.query.number).filter(|number| !number.is_empty());
        let (Some(number), Some(registered)) = (marked.or(word), place.registered) else {
            return;
        };
        let wanted = house::Wanted {
            number,
            quarters: self.quarters(candidate),
            postal_code: self.query.postal_code,
        };
        // Beside a name that says nothing the number is that name's: `Neznámá 5, Jihlava` is not Jihlava 5.
        let own = place.level == Level::Street || self.query.names_all(candidate.mask);
        candidate.house = house::find(registry, registered, &wanted).filter(|_| own);
        let weight = candidate
            .number
            .map_or(0.0, |index| self.query.weight_of(1 << index))
            / self.whole;
        if let Some(house) = candidate.house {
            candidate.score += NUMBER_FOUND * house.agreement;
        } else {
            candidate.score -= weight * (1.0 - NUMBER_UNKNOWN);
            candidate.coverage -= weight * (1.0 - NUMBER_UNKNOWN);
        }
    }

    /// The quarters that the text names beside the candidate.
    fn quarters(&self, candidate: &Candidate) -> [Option<Registered>; 2] {
        let parts = candidate.parts.iter().flatten().skip(1);
        let mut quarters = parts.filter_map(|part| {
            let place = self.gazetteer.places.get(part.place)?;
            place.registered.filter(|_| place.level == Level::Quarter)
        });
        [quarters.next(), quarters.next()]
    }
}
