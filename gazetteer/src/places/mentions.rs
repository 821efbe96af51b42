//! The names of places that occur in a text.

use crate::level::Level;
use czech::fold::push_word;
use czech::inflection::nominatives;

use super::located::How;
use super::phrases::{PhraseId, Phrases, Walk, may_be_misspelt};
use super::place::PlaceId;
use super::query::{Query, Word};
use super::typos::Pattern;
use super::variants::unabbreviated;
use super::work::Work;

/// The most words of a name that is looked up exactly, in other forms, and with typing errors.
const EXACT_WORDS: usize = 6;
const VARIANT_WORDS: usize = 4;
const TYPO_WORDS: usize = 3;
/// The quality of a match, 1 for an exact one.
const DECLINED: f64 = 0.95;
const ABBREVIATED: f64 = 0.93;
const ONE_EDIT: f64 = 0.86;
const TWO_EDITS: f64 = 0.70;
const LOOSE: f64 = 0.55;

/// A phrase at some words of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention {
    pub phrase: PhraseId,
    /// The words, one bit each.
    pub mask: u32,
    /// How well the words fit, 0 to 1.
    pub quality: f64,
    pub how: How,
    /// The level that the text demands.
    pub only: Option<Level>,
}

/// The names in a text, found step by step: exactly, then in other forms, then with typing errors.
pub(super) struct Mentions<'a> {
    phrases: &'a Phrases,
    query: &'a Query,
    pub list: Vec<Mention>,
    /// The words that belong to a name found so far.
    named: u32,
    /// The other forms of each word, computed when first needed.
    forms: Vec<Option<Vec<(String, How)>>>,
}

const fn mask(start: usize, length: usize) -> u32 {
    ((1 << length) - 1) << start
}

impl<'a> Mentions<'a> {
    /// Finds the names that are in the text exactly.
    pub fn exact(phrases: &'a Phrases, query: &'a Query) -> Self {
        let forms = vec![None; query.words.len()];
        let mut mentions = Self {
            phrases,
            query,
            list: Vec::with_capacity(16),
            named: 0,
            forms,
        };
        for start in 0..query.words.len() {
            let mut walk = Walk::START;
            for length in 1..=EXACT_WORDS {
                let Some(window) = window(query, start, length) else {
                    break;
                };
                walk = window.last().map_or(walk, |word| walk.step(&word.key));
                let (phrase, goes_on) =
                    phrases.at(walk, window.iter().map(|word| word.key.as_str()));
                if let Some(phrase) = phrase {
                    mentions.add(phrase, start, window, (1.0, How::Exact));
                }
                if !goes_on {
                    break;
                }
            }
        }
        mentions
    }

    /// Adds declined, abbreviated and misspelt names that include a word which belongs to no exact name.
    pub fn quick(&mut self, work: &mut Work) {
        self.other_forms(self.named, work);
        self.typing_errors(self.named, work);
    }

    /// Adds declined, abbreviated and misspelt names that include a word outside `explained`, because an exact name may be
    /// the wrong one.
    pub fn thorough(&mut self, explained: u32, work: &mut Work) {
        let known = self.list.len();
        self.other_forms(explained, work);
        self.typing_errors(explained, work);
        let (old, new) = self.list.split_at(known.min(self.list.len()));
        let mut kept = old.to_vec();
        for mention in new {
            if !old
                .iter()
                .any(|other| (other.phrase, other.mask) == (mention.phrase, mention.mask))
            {
                kept.push(*mention);
            }
        }
        self.list = kept;
    }

    /// Adds names of streets and quarters in some municipalities with more edits than are forgiven elsewhere, for windows
    /// of words outside `explained`.
    pub fn loosely(&mut self, explained: u32, towns: &[PlaceId], work: &mut Work) {
        let mut key = String::new();
        for start in 0..self.query.words.len() {
            for length in 1..=TYPO_WORDS {
                let Some(window) = window(self.query, start, length) else {
                    break;
                };
                let numbers = window.iter().all(|word| word.number.is_some());
                if mask(start, length) & explained != 0 || numbers || work.is_spent() {
                    continue;
                }
                key.clear();
                for word in window {
                    push_word(&mut key, &word.key);
                }
                let Some(pattern) = Pattern::compile(&key) else {
                    continue;
                };
                for phrase in towns
                    .iter()
                    .flat_map(|town| self.phrases.of_town(*town))
                    .copied()
                {
                    let name = self.phrases.key(phrase);
                    let allowed = loosely_forgiven(name.len().min(key.len()));
                    work.measured(1);
                    if name.len().abs_diff(key.len()) <= allowed
                        && may_be_misspelt(&key, name)
                        && (1..=allowed).contains(&pattern.edits(name))
                    {
                        self.add(phrase, start, window, (LOOSE, How::Misspelt));
                    }
                }
            }
        }
    }

    fn add(&mut self, phrase: PhraseId, start: usize, window: &[Word], (quality, how): (f64, How)) {
        let mask = mask(start, window.len());
        let only = window.first().and_then(|word| word.only);
        self.named |= mask;
        self.list.push(Mention {
            phrase,
            mask,
            quality,
            how,
            only,
        });
    }

    /// Adds declined and abbreviated names, in windows with a word outside `known`.
    fn other_forms(&mut self, known: u32, work: &mut Work) {
        for start in 0..self.query.words.len() {
            for length in 1..=VARIANT_WORDS {
                let Some(window) = window(self.query, start, length) else {
                    break;
                };
                if mask(start, length) & !known != 0 {
                    self.read_otherwise(start, window, work);
                }
            }
        }
    }

    /// Adds every phrase that the window can be if words are put into the nominative or written in full.
    fn read_otherwise(&mut self, start: usize, window: &[Word], work: &mut Work) {
        for (index, word) in window.iter().enumerate() {
            if let Some(forms) = self.forms.get_mut(start + index) {
                forms.get_or_insert_with(|| other_forms(word));
            }
        }
        // An abbreviation needs a longer word beside it: `n. M.` alone may be anything.
        let says_something = window.iter().any(|word| word.key.len() > 2);
        let mut found = Vec::new();
        let forms = self
            .forms
            .get(start..start + window.len())
            .unwrap_or_default();
        let mut path: Vec<&str> = Vec::with_capacity(window.len());
        let mut reading = Reading {
            phrases: self.phrases,
            window,
            forms,
            found: &mut found,
        };
        reading.follow(Walk::START, &mut path, How::Exact, work);
        for (phrase, how) in found {
            if how == How::Declined || says_something {
                let quality = if how == How::Declined {
                    DECLINED
                } else {
                    ABBREVIATED
                };
                self.add(phrase, start, window, (quality, how));
            }
        }
    }

    /// Adds misspelt names, in windows with a word outside `known`.
    fn typing_errors(&mut self, known: u32, work: &mut Work) {
        let (mut key, mut proposed, mut near) = (String::new(), Vec::new(), Vec::new());
        for start in 0..self.query.words.len() {
            for length in 1..=TYPO_WORDS {
                let Some(window) = window(self.query, start, length) else {
                    break;
                };
                let numbers = window.iter().all(|word| word.number.is_some());
                if mask(start, length) & !known == 0 || numbers || work.is_spent() {
                    continue;
                }
                key.clear();
                for word in window {
                    push_word(&mut key, &word.key);
                }
                self.phrases.near(&key, &mut proposed, &mut near);
                work.measured(proposed.len());
                for (phrase, edits) in near.iter().copied() {
                    let quality = if edits <= 1 { ONE_EDIT } else { TWO_EDITS };
                    self.add(phrase, start, window, (quality, How::Misspelt));
                }
            }
        }
    }
}

impl Mention {
    /// Whether the words are so far from the name that only an existing house number makes the match credible.
    pub const fn is_loose(&self) -> bool {
        self.quality <= LOOSE
    }
}

/// The number of edits forgiven in a name of this many bytes if the municipality is known.
const fn loosely_forgiven(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=9 => 2,
        _ => 3,
    }
}

/// The words from `start`, if there are enough in one segment.
fn window(query: &Query, start: usize, length: usize) -> Option<&[Word]> {
    let window = query.words.get(start..start + length)?;
    let (first, last) = (window.first()?, window.last()?);
    (first.segment == last.segment).then_some(window)
}

/// The other forms of a word: its nominatives, the words that it abbreviates, the initial of a first name.
fn other_forms(word: &Word) -> Vec<(String, How)> {
    let declined = nominatives(&word.key)
        .into_iter()
        .skip(1)
        .map(|form| (form, How::Declined));
    let full = unabbreviated(&word.key)
        .iter()
        .map(|full| ((*full).to_owned(), How::Abbreviated));
    let initial = word
        .key
        .chars()
        .next()
        .filter(|c| word.key.len() > 3 && c.is_ascii_lowercase());
    let initial = initial.map(|initial| (initial.to_string(), How::Abbreviated));
    declined.chain(full).chain(initial).collect()
}

/// The search through all forms of the words in a window, as long as a phrase begins with them.
struct Reading<'a> {
    phrases: &'a Phrases,
    window: &'a [Word],
    forms: &'a [Option<Vec<(String, How)>>],
    found: &'a mut Vec<(PhraseId, How)>,
}

impl<'a> Reading<'a> {
    fn follow(&mut self, walk: Walk, path: &mut Vec<&'a str>, how: How, work: &mut Work) {
        let index = path.len();
        let Some(own) = self
            .window
            .get(index)
            .map(|word| (word.key.as_str(), How::Exact))
        else {
            return;
        };
        let forms = self
            .forms
            .get(index)
            .and_then(Option::as_deref)
            .unwrap_or_default();
        let others = forms.iter().map(|(form, how)| (form.as_str(), *how));
        for (form, changed) in std::iter::once(own).chain(others) {
            work.measured(1);
            let last = index + 1 == self.window.len();
            let walk = walk.step(form);
            path.push(form);
            let (phrase, goes_on) = self.phrases.at(walk, path.iter().copied());
            let how = if changed == How::Exact { how } else { changed };
            let is_word = path.iter().any(|form| form.len() > 1);
            if let Some(phrase) = phrase.filter(|_| last && how != How::Exact && is_word) {
                self.found.push((phrase, how));
            }
            if goes_on && !last && !work.is_spent() {
                self.follow(walk, path, how, work);
            }
            path.pop();
        }
    }
}
