//! Where in a text the names of places occur.

use super::located::How;
use super::phrases::{PhraseId, Phrases};
use super::place::Level;
use super::query::{Query, Word};
use super::variants::{joined, unabbreviated};
use crate::inflection::nominatives;

/// Longest name that is looked up exactly, in other forms and with typing errors, in words.
const EXACT_WORDS: usize = 6;
const VARIANT_WORDS: usize = 4;
const TYPO_WORDS: usize = 3;
/// Bounds on the work for a text made to be slow.
const MOST_READINGS: usize = 64;
const MOST_TYPO_WINDOWS: usize = 30;
/// How good a match is.
const DECLINED: f64 = 0.95;
const ABBREVIATED: f64 = 0.93;
const ONE_EDIT: f64 = 0.86;
const TWO_EDITS: f64 = 0.70;

/// A phrase at a place of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention {
    pub phrase: PhraseId,
    /// Which words.
    pub mask: u32,
    /// How well the words fit, 0 to 1.
    pub quality: f64,
    pub how: How,
    /// What the text says it must be.
    pub only: Option<Level>,
}

/// How hard to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Other forms and typing errors only of words that are no name as they stand.
    Quick,
    /// Of every word: an exact name may be the wrong word.
    Thorough,
}

/// All names in the text.
pub(super) fn find(phrases: &Phrases, query: &Query, effort: Effort) -> Vec<Mention> {
    let mut finder = Finder { phrases, query, mentions: Vec::new(), named: 0 };
    finder.exact();
    let known = match effort {
        Effort::Quick => finder.named,
        Effort::Thorough => 0,
    };
    finder.other_forms(known);
    let known = if effort == Effort::Quick { finder.named } else { 0 };
    finder.typing_errors(known);
    finder.mentions
}

struct Finder<'a> {
    phrases: &'a Phrases,
    query: &'a Query,
    mentions: Vec<Mention>,
    /// Words that belong to some name found so far.
    named: u32,
}

/// The windows of up to `longest` words that do not reach over a comma: first word and words.
fn windows(words: &[Word], longest: usize) -> impl Iterator<Item = (usize, &[Word])> {
    (0..words.len()).flat_map(move |start| {
        let rest = words.get(start..).unwrap_or_default();
        (1..=longest.min(rest.len()))
            .filter_map(move |length| rest.get(..length))
            .take_while(|window| {
                window.first().map(|word| word.segment) == window.last().map(|word| word.segment)
            })
            .map(move |window| (start, window))
    })
}

const fn mask(start: usize, length: usize) -> u32 {
    ((1 << length) - 1) << start
}

impl Finder<'_> {
    fn add(&mut self, phrase: PhraseId, start: usize, window: &[Word], (quality, how): (f64, How)) {
        let mask = mask(start, window.len());
        let only = window.first().and_then(|word| word.only);
        self.named |= mask;
        self.mentions.push(Mention { phrase, mask, quality, how, only });
    }

    fn exact(&mut self) {
        for (start, window) in windows(&self.query.words, EXACT_WORDS) {
            if let Some(phrase) = self.phrases.exact(&joined(window.iter().map(|word| word.key.as_str()))) {
                self.add(phrase, start, window, (1.0, How::Exact));
            }
        }
    }

    /// Declined and abbreviated names, in windows with a word outside `known`.
    fn other_forms(&mut self, known: u32) {
        for (start, window) in windows(&self.query.words, VARIANT_WORDS) {
            if mask(start, window.len()) & !known == 0 {
                continue;
            }
            for (reading, how) in readings(window) {
                if let Some(phrase) = self.phrases.exact(&reading) {
                    self.add(
                        phrase,
                        start,
                        window,
                        (if how == How::Declined { DECLINED } else { ABBREVIATED }, how),
                    );
                }
            }
        }
    }

    /// Misspelt names, in windows with a word outside `known`.
    fn typing_errors(&mut self, known: u32) {
        let mut tried = 0;
        for (start, window) in windows(&self.query.words, TYPO_WORDS) {
            let numbers = window.iter().all(|word| word.number.is_some());
            if mask(start, window.len()) & !known == 0 || numbers || tried == MOST_TYPO_WINDOWS {
                continue;
            }
            tried += 1;
            let key = joined(window.iter().map(|word| word.key.as_str()));
            for (phrase, edits) in self.phrases.nearest(&key) {
                let quality = if edits <= 1 { ONE_EDIT } else { TWO_EDITS };
                self.add(phrase, start, window, (quality, How::Misspelt));
            }
        }
    }
}

/// Ways to read the words in the nominative and in full; not as they stand.
fn readings(window: &[Word]) -> Vec<(String, How)> {
    let mut readings = vec![(String::new(), How::Exact)];
    for word in window {
        let declined = nominatives(&word.key);
        let mut longer = Vec::new();
        for (reading, how) in &readings {
            for (index, form) in declined.iter().map(String::as_str).enumerate() {
                let how = if index == 0 { *how } else { How::Declined };
                longer.push((
                    joined([reading.as_str(), form].into_iter().filter(|part| !part.is_empty())),
                    how,
                ));
            }
            for full in unabbreviated(&word.key) {
                let parts = [reading.as_str(), full].into_iter().filter(|part| !part.is_empty());
                longer.push((joined(parts), How::Abbreviated));
            }
        }
        longer.truncate(MOST_READINGS);
        readings = longer;
    }
    // An abbreviation needs a word beside it that says something: `n. M.` alone may be anything.
    let says_something = window.iter().any(|word| word.key.len() > 2);
    readings.retain(|(_, how)| *how == How::Declined || (*how == How::Abbreviated && says_something));
    readings
}
