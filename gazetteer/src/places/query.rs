//! A text split into words for matching.

use crate::address::{LineMarker, PostalCode, line_marker, measure, postal_code};
use crate::districts::District;
use crate::level::Level;
use czech::countries::is_czech_republic;
use czech::countries::is_foreign_country;
use czech::fold::push_word;
use czech::fold_name;
use czech::house_number::HouseNumber;
use czech::house_number::marked_house_number;
use czech::house_number::plain_house_number;
use czech::names::is_roman;
use czech::names::street_key;
use czech::tokens::address_line::LONGEST;
use czech::tokens::address_line::Token;
use czech::tokens::address_line::TokenKind;
use czech::tokens::address_line::tokens;

/// The most words that are matched; an address has fewer.
pub(super) const MOST_WORDS: usize = 24;
/// How often the same word counts.
const MOST_TIMES: usize = 2;
/// The weight of a word in the share of the text that is explained.
const WORD: f64 = 1.0;
const NUMBER: f64 = 0.4;
const PARTICLE: f64 = 0.15;
/// The longest name of a district, in words: `Rychnov nad Kněžnou`.
const DISTRICT_WORDS: usize = 3;
/// How many words of a name may precede a word that is a marker elsewhere: `U Lidového domu`.
const NAME_BEFORE: usize = 3;

/// A word of the text.
#[derive(Debug)]
pub(super) struct Word {
    /// As written.
    pub text: String,
    /// Folded and spelt like in phrases.
    pub key: String,
    /// The index of its comma-separated segment.
    pub segment: usize,
    pub weight: f64,
    /// The level that the word before it demands: `okres`, `ulice`.
    pub only: Option<Level>,
    /// The house number that it is if it does not belong to a name.
    pub number: Option<HouseNumber>,
}

/// A text split into words.
#[derive(Debug, Default)]
pub(super) struct Query {
    pub words: Vec<Word>,
    pub postal_code: Option<PostalCode>,
    /// Whether it says that a number is a postal code: `PSČ 586 01`.
    pub says_postal_code: bool,
    /// A house number with a marker: `č.p. 12`.
    pub number: HouseNumber,
    /// Whether it names another country.
    pub abroad: bool,
    /// Words beyond the limit.
    pub cut: Vec<String>,
}

impl Query {
    /// Splits a text. `is_name` tells names of several words: in `Stará parcela 12` and `V Ulici` no word is a marker.
    pub fn parse(text: &str, is_name: impl Fn(&str) -> bool) -> Self {
        let mut query = Self {
            abroad: names_other_country(text),
            ..Self::default()
        };
        let tokens = tokens(text);
        query.says_postal_code = tokens.iter().any(|token| token.folded == "psc");
        let mut rest = tokens.as_slice();
        let (mut segment, mut title, mut only, mut district) = (0, false, None, 0_usize);
        while let Some(token) = rest.first() {
            let mut used = 1;
            if token.kind == TokenKind::Comma {
                segment += 1;
                title = false;
                only = None;
            } else if token.kind == TokenKind::Dash {
                only = None;
            } else if let Some((code, length)) = postal_code(rest) {
                query.postal_code = query.postal_code.or(Some(code));
                used = length;
            } else if let Some((number, length)) = marked_house_number(rest) {
                query.number = number;
                used = length;
            } else if let Some(length) =
                measure(token, rest.get(1)).filter(|_| token.kind == TokenKind::Number)
            {
                used = length;
            } else if let Some((marker, length)) =
                line_marker(rest, title).filter(|_| !query.goes_on_with(token, segment, &is_name))
            {
                title |= marker == LineMarker::Offered;
                district = if marker == LineMarker::District {
                    district_words(rest.get(length..))
                } else {
                    0
                };
                only = match marker {
                    LineMarker::Street if is_word(rest.get(length)) => Some(Level::Street),
                    _ => None,
                };
                used = length;
            } else {
                let number = plain_house_number(token);
                // `60/114` is one number; `Brno-venkov` is two words.
                let most = if number.is_some() { 1 } else { usize::MAX };
                for word in token.folded.splitn(most, ' ') {
                    let only = if district > 0 {
                        Some(Level::District)
                    } else {
                        only
                    };
                    query.word(&token.raw, word, segment, only, number);
                }
                district = district.saturating_sub(1);
                only = None;
            }
            rest = rest.get(used..).unwrap_or_default();
        }
        query
    }

    /// Whether the token completes a name that begins with the words before it.
    fn goes_on_with(&self, token: &Token, segment: usize, is_name: impl Fn(&str) -> bool) -> bool {
        let before = self
            .words
            .iter()
            .rev()
            .take_while(|word| word.segment == segment);
        let mut name = token.folded.clone();
        before.take(NAME_BEFORE).any(|word| {
            name = format!("{} {name}", word.key);
            is_name(&name)
        })
    }

    fn word(
        &mut self,
        raw: &str,
        word: &str,
        segment: usize,
        only: Option<Level>,
        number: Option<HouseNumber>,
    ) {
        let key = street_key(word);
        if key.is_empty() || is_czech_republic(&key) || key.starts_with("neclenen") {
            return;
        }
        // A word repeated again adds nothing.
        if self.words.iter().filter(|other| other.key == key).count() >= MOST_TIMES {
            return;
        }
        if self.words.len() == MOST_WORDS {
            self.cut.push(raw.to_owned());
            return;
        }
        let weight = if key.starts_with(|c: char| c.is_ascii_digit()) {
            NUMBER
        } else if key.len() <= 2 || is_roman(&key) || matches!(key.as_str(), "nad" | "pod" | "kraj")
        {
            PARTICLE
        } else {
            WORD
        };
        self.words.push(Word {
            text: raw.to_owned(),
            key,
            segment,
            weight,
            only,
            number,
        });
    }

    /// The weight of the whole text.
    pub fn weight(&self) -> f64 {
        self.words.iter().map(|word| word.weight).sum::<f64>() + self.cut.len() as f64 * WORD
    }

    /// The weight of the words in a mask.
    pub fn weight_of(&self, mask: u32) -> f64 {
        self.masked(mask).map(|word| word.weight).sum()
    }

    /// Whether the text consists of numbers.
    pub fn says_only_numbers(&self) -> bool {
        let numbers = self.words.iter().filter(|word| word.number.is_some());
        numbers.count() == self.words.len() && (self.has_number() || self.postal_code.is_some())
    }

    /// Whether the text contains what may be a house number.
    pub fn has_number(&self) -> bool {
        !self.number.is_empty() || self.words.iter().any(|word| word.number.is_some())
    }

    /// Whether a mask contains every word that may be a name.
    pub fn names_all(&self, mask: u32) -> bool {
        let left = self
            .words
            .iter()
            .enumerate()
            .filter(|(index, _)| mask & (1 << index) == 0);
        left.into_iter().all(|(_, word)| word.weight < WORD)
    }

    /// The words in a mask.
    pub fn masked(&self, mask: u32) -> impl Iterator<Item = &Word> {
        self.words
            .iter()
            .enumerate()
            .filter(move |(index, _)| mask & (1 << index) != 0)
            .map(|(_, word)| word)
    }

    /// The words in a mask, as written.
    pub fn text_of(&self, mask: u32) -> String {
        let mut text = String::new();
        let mut last = "";
        for word in self.masked(mask) {
            // The parts of a hyphenated word repeat the whole word.
            if word.text != last || !word.text.contains('-') {
                push_word(&mut text, &word.text);
            }
            last = &word.text;
        }
        text
    }
}

/// How many of the tokens after `okres` are the name of the district: the longest name that fits, or one token if none
/// does.
fn district_words(rest: Option<&[Token]>) -> usize {
    let words: Vec<&str> = rest
        .unwrap_or_default()
        .iter()
        .take(DISTRICT_WORDS)
        .take_while(|token| token.kind == TokenKind::Word)
        .map(|token| token.folded.as_str())
        .collect();
    let named = |count: &usize| {
        words
            .get(..*count)
            .is_some_and(|words| District::parse_folded(&words.join(" ")).is_some())
    };
    (1..=words.len()).rev().find(named).unwrap_or(1)
}

/// Whether a token is a word.
fn is_word(token: Option<&Token>) -> bool {
    token.is_some_and(|token| token.kind == TokenKind::Word)
}

/// Whether a segment of the text is the name of another country.
fn names_other_country(text: &str) -> bool {
    let start: String = text.chars().take(LONGEST).collect();
    start
        .split([',', '(', ')', ';'])
        .any(|part| is_foreign_country(&fold_name(part)))
}
