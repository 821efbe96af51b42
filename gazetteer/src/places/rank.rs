//! The places that explain most of a text.

use super::Gazetteer;
use super::anchors::{Anchor, Anchors};
use super::combine::PARTS;
use super::house::{self, House};
use super::mentions::Mention;
use super::place::{PlaceId, Registered};
use super::query::Query;
use super::work::Work;
use crate::level::Level;

/// How many of the best places are kept.
const KEPT: usize = 12;
/// The bonus for a house number that the registry has there, and the share of its weight that remains if it does not.
const NUMBER_FOUND: f64 = 0.08;
const NUMBER_UNKNOWN: f64 = 0.3;
/// The penalty of a name with many edits if its house number does not exist.
const INCREDIBLE: f64 = 1.0;

/// A place and what it explains of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub place: PlaceId,
    pub score: f64,
    /// The share of the text that is explained, 0 to 1.
    pub coverage: f64,
    /// The words that are explained.
    pub mask: u32,
    /// The anchors of the place and of the places around it, its own first.
    pub parts: [Option<Anchor>; PARTS],
    /// The word that is the house number.
    pub number: Option<usize>,
    /// The house, if the registry has it.
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

/// Keeps a candidate if it is among the best. Of two candidates with the same place it keeps the better.
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

/// A text and the places it names.
pub(super) struct Ranking<'a> {
    pub gazetteer: &'a Gazetteer,
    pub query: &'a Query,
    pub anchors: Anchors,
    /// The weight of the whole text.
    pub whole: f64,
}

impl Ranking<'_> {
    /// Looks up the house of a candidate in the registry.
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
        // A number beside an unknown name belongs to that name: `Neznámá 5, Jihlava` is not Jihlava 5.
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
