//! Whether a text supports the place that it leads to, so that a search may use it.
//!
//! Matching always takes the place that explains most of a text. That is right for the address of an advert, which is
//! somewhere in the country. A search may be for anything: a town abroad, two towns at once, a number. Here the place
//! must explain the text better than the assumption that the text names no Czech place at all.

use std::collections::BTreeSet;

use super::Gazetteer;
use super::anchors::Anchor;
use super::locate::Found;
use super::located::{How, Reason};
use super::mentions::Mention;
use super::place::{Place, PlaceId};
use super::query::Query;
use super::rank::Candidate;
use crate::level::Level;

/// If the best place elsewhere is nearer in score than this, nothing decides between the two. Of two municipalities of
/// one name, the larger one is clearly meant if it has about 3.5 times as many inhabitants.
const CLEARLY: f64 = 0.0075;
/// The importance of a municipality of 2,000 inhabitants. Smaller ones often have the name of an ordinary word.
const TOWN: f32 = 7.6;
/// A name that so many streets have is the name of a street.
const OFTEN_A_STREET: usize = 3;
/// The penalty from which a shorter name, in hundredths of one, is not enough beside other words: `Budějovice`.
const SHORTENED: f64 = 0.15;
/// The share of the text that a place must explain if its name may as well be an ordinary word.
const MOST_OF_IT: f64 = 0.55;
/// The importance that a place needs to be meant by a name with one edit in four letters, how much less each further
/// letter demands, and how much more each further edit and a street demand. A misspelt city is likelier than a misspelt
/// hamlet, and a long name is seldom near another by chance.
const MISSPELT: f64 = 12.2;
const EACH_LETTER: f64 = 0.9;
const EACH_EDIT: f64 = 4.0;
const OF_STREET: f64 = 3.0;
/// The quality of a name with one edit.
const ONE_EDIT: f64 = 0.86;

/// Why a text does not support a place, with the words that speak against it.
pub(super) struct Objection {
    pub reason: Reason,
    pub words: Vec<String>,
}

/// What speaks against the best place; `None` if the text supports it.
pub(super) fn objection(
    gazetteer: &Gazetteer,
    query: &Query,
    found: &Found,
    best: &Candidate,
    margin: f64,
) -> Option<Objection> {
    let judged = Judged {
        gazetteer,
        query,
        found,
        best,
    };
    let words = judged.contradicting();
    if !words.is_empty() {
        let reason = Reason::Contradictory;
        return Some(Objection { reason, words });
    }
    let reason = if judged.only_resembles() {
        Reason::Misspelt
    } else if judged.may_be_ordinary_words() {
        Reason::Unknown
    } else if margin < CLEARLY && !judged.has_house_in_named_place() {
        Reason::Ambiguous
    } else {
        return None;
    };
    Some(Objection {
        reason,
        words: judged.unclear(reason),
    })
}

/// The best place and the text it was found in.
struct Judged<'a> {
    gazetteer: &'a Gazetteer,
    query: &'a Query,
    found: &'a Found,
    best: &'a Candidate,
}

impl<'a> Judged<'a> {
    /// The names that were understood, with the places and the words.
    fn parts(&self) -> impl Iterator<Item = (Anchor, &'a Place, &'a Mention)> {
        let (gazetteer, found) = (self.gazetteer, self.found);
        self.best.parts.into_iter().flatten().filter_map(|anchor| {
            let place = gazetteer.places.get(anchor.place)?;
            Some((
                anchor,
                place,
                found.mentions.get(usize::from(anchor.mention))?,
            ))
        })
    }

    /// Words that are the name of another municipality and explain nothing: `Brno` in `Brno Praha`.
    fn contradicting(&self) -> Vec<String> {
        let mut words = Vec::new();
        for mention in &self.found.mentions {
            if self.names_another_town(mention) {
                let text = self.query.text_of(mention.mask);
                if !words.contains(&text) {
                    words.push(text);
                }
            }
        }
        words
    }

    fn names_another_town(&self, mention: &Mention) -> bool {
        let is_name = matches!(mention.how, How::Exact | How::Declined);
        let is_left = mention.mask & self.best.mask == 0;
        if !is_name || mention.only.is_some() || !is_left && self.is_read(mention) {
            return false;
        }
        let postings = self.gazetteer.phrases.postings(mention.phrase);
        let streets = postings
            .iter()
            .filter(|posting| posting.level == Level::Street);
        // `Lipová` is a village, and in any other place a street that is not known there.
        let is_street_name = streets.count() >= OFTEN_A_STREET;
        let mut towns = postings
            .iter()
            .filter(|posting| posting.level == Level::Municipality);
        towns.any(|posting| {
            let place = self.gazetteer.places.get(posting.place);
            let is_own_name = posting.penalty == 0 && mention.how == How::Exact && !is_street_name;
            let is_large = place.is_some_and(|place| place.importance >= TOWN);
            // A street with typing errors may be spelt like a village, but then it does not have the house.
            let speaks_against = if is_left && !self.has_house_in_named_place() {
                is_own_name || is_large
            } else {
                is_own_name && is_large
            };
            speaks_against && !self.is_around(posting.place)
        })
    }

    /// Whether the words of a name belong to another name that is spelt like them or is longer: `Brno` is not the
    /// misspelt village Brdo.
    fn is_read(&self, mention: &Mention) -> bool {
        self.parts().any(|(anchor, ..)| {
            let rest = anchor.mask & !mention.mask;
            mention.mask & !anchor.mask == 0 && (anchor.exact || rest != 0)
        })
    }

    /// Whether a municipality is the best place or contains it.
    fn is_around(&self, town: PlaceId) -> bool {
        let best = self.gazetteer.places.get(self.best.place);
        self.best.place == town || best.is_some_and(|place| place.municipality == Some(town))
    }

    /// Whether a name is misspelt, no other name is complete and spelt right, and the place is not one that such a name
    /// means.
    fn only_resembles(&self) -> bool {
        let is_misspelt = |mention: &Mention| mention.how == How::Misspelt;
        let is_sure = |anchor: Anchor, mention: &Mention| {
            let mut words = self.query.masked(mention.mask);
            let says_something = words.any(|word| word.weight >= 1.0);
            says_something && !is_misspelt(mention) && !self.is_shortened(anchor, mention)
        };
        let has_error = self.parts().any(|(_, _, mention)| is_misspelt(mention));
        let is_confirmed = self
            .parts()
            .any(|(anchor, _, mention)| is_sure(anchor, mention));
        if !has_error || is_confirmed {
            return false;
        }
        let agrees = self.best.house.is_some() && self.names() > 1 || self.postal_code_agrees();
        !agrees
            && !self
                .parts()
                .any(|(_, place, mention)| self.is_credible(place, mention))
    }

    /// Whether a misspelt name is nearer to this place than to no place at all.
    fn is_credible(&self, place: &Place, mention: &Mention) -> bool {
        let letters = self.gazetteer.phrases.key(mention.phrase).len() as f64;
        let further_edits = if mention.quality >= ONE_EDIT {
            0.0
        } else {
            EACH_EDIT
        };
        let of_street = if place.level == Level::Street {
            OF_STREET
        } else {
            0.0
        };
        let needed = MISSPELT - EACH_LETTER * (letters - 4.0) + further_edits + of_street;
        f64::from(place.importance) >= needed
    }

    fn postal_code_agrees(&self) -> bool {
        let Some(code) = self.query.postal_code else {
            return false;
        };
        let place = self.gazetteer.places.get(self.best.place);
        place.is_some_and(|place| {
            let codes = self.gazetteer.places.postal_codes(place);
            codes.binary_search(&code.number()).is_ok()
        })
    }

    /// Whether the only name is one that may as well be an ordinary word, or a shortened name that other words may
    /// belong to: `Krásná zahrada`, `Karlovy Budějovice`.
    fn may_be_ordinary_words(&self) -> bool {
        let mut parts = self.parts();
        let Some((anchor, place, mention)) = parts.next() else {
            return true;
        };
        if parts.next().is_some() || self.best.house.is_some() || self.postal_code_agrees() {
            return false;
        }
        let is_shortened = self.is_shortened(anchor, mention);
        let is_known = place.level <= Level::Municipality && place.importance >= TOWN;
        let is_weak = is_shortened || !is_known;
        // `velká zahrada, terasa`: without a town, other words make a street an ordinary word.
        let is_little = self.best.coverage < MOST_OF_IT || place.level == Level::Street;
        is_weak && is_little && self.has_words_beside(mention)
    }

    /// Whether a name is only a part of the place's name.
    fn is_shortened(&self, anchor: Anchor, mention: &Mention) -> bool {
        let full = self.query.weight_of(mention.mask);
        anchor.weight <= full * (1.0 - SHORTENED) && mention.how == How::Exact
    }

    /// Whether other words that may be names stand in the segment of the name.
    fn has_words_beside(&self, mention: &Mention) -> bool {
        let segments: Vec<usize> = self
            .query
            .masked(mention.mask)
            .map(|word| word.segment)
            .collect();
        let left = self.query.masked(!self.best.mask);
        left.into_iter()
            .any(|word| word.weight >= 1.0 && segments.contains(&word.segment))
    }

    /// Whether the registry has the house, and the text says in which place its street or village is.
    fn has_house_in_named_place(&self) -> bool {
        self.best.house.is_some() && (self.names() > 1 || self.postal_code_agrees())
    }

    /// The number of different names that were understood.
    fn names(&self) -> usize {
        let phrases: BTreeSet<_> = self.parts().map(|(_, _, mention)| mention.phrase).collect();
        phrases.len()
    }

    /// The words that the reason is about.
    fn unclear(&self, reason: Reason) -> Vec<String> {
        let left = self.query.masked(!self.best.mask);
        let misspelt = self.parts().map(|(_, _, mention)| mention.mask);
        match reason {
            Reason::Misspelt => misspelt.map(|mask| self.query.text_of(mask)).collect(),
            _ => left
                .filter(|word| word.weight >= 1.0)
                .map(|word| word.text.clone())
                .collect(),
        }
    }
}
