//! An address line as words, numbers and separators.

use std::borrow::Cow;
use std::iter::Peekable;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::fold::{fold_letters, push_word};

/// The longest text that is read, in characters. Address lines are far shorter; the rest of a longer text is ignored.
pub const LONGEST: usize = 400;

/// The smallest length, in letters, of two words that are recognised although no space separates them.
const SHORTEST_GLUED: usize = 3;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word; it may hold hyphens (`Brno-venkov`).
    Word,
    /// A word that begins with a digit.
    Number,
    /// The end of a segment: a comma, bracket, semicolon or the like.
    Comma,
    /// A hyphen with a space beside it: it separates a municipality from its part.
    Dash,
}

/// A token of an address line.
#[derive(Debug, Clone)]
pub struct Token {
    /// As written, without a full stop at the end.
    pub raw: Cow<'static, str>,
    /// Folded; inner hyphens are spaces.
    pub folded: String,
    /// Its kind.
    pub kind: TokenKind,
    /// Whether it was written with a full stop, as abbreviations and ordinals are.
    pub dotted: bool,
}

impl Token {
    fn separator(raw: &'static str, kind: TokenKind) -> Self {
        Self {
            raw: raw.into(),
            folded: String::new(),
            kind,
            dotted: false,
        }
    }
}

/// The tokens of a line; a text longer than [`LONGEST`] is cut off there.
pub fn tokens(text: &str) -> Vec<Token> {
    let spaced = space_out(text);
    let mut tokens = Vec::with_capacity(16);
    for piece in spaced.split_whitespace() {
        match piece {
            "," => tokens.push(Token::separator(",", TokenKind::Comma)),
            "-" => tokens.push(Token::separator("-", TokenKind::Dash)),
            _ => tokens.extend(word_or_number(piece)),
        }
    }
    tokens
}

fn word_or_number(piece: &str) -> Option<Token> {
    let raw = piece.trim_end_matches('.');
    let mut folded = String::new();
    for word in fold_letters(raw).split_ascii_whitespace() {
        push_word(&mut folded, word);
    }
    if folded.is_empty() {
        return None;
    }
    let kind = if folded.starts_with(|c: char| c.is_ascii_digit()) {
        TokenKind::Number
    } else {
        TokenKind::Word
    };
    Some(Token {
        raw: raw.to_owned().into(),
        folded,
        kind,
        dotted: raw.len() < piece.len(),
    })
}

/// The text with one space between any two tokens: separators are separate, `ul.Výstavní` and `MasarykovaNabízíme` are
/// split, `60 / 114` is joined, and every dash is a hyphen.
fn space_out(text: &str) -> String {
    if text.is_ascii() || is_nfc_quick(text.chars().take(LONGEST)) == IsNormalized::Yes {
        space_out_composed(text.chars().take(LONGEST))
    } else {
        space_out_composed(text.chars().take(LONGEST).nfc())
    }
}

fn space_out_composed(text: impl Iterator<Item = char> + Clone) -> String {
    let mut spaced = String::with_capacity(64);
    let mut previous = ' ';
    let mut rest = text.peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match c {
            ',' | ';' | '|' | '(' | ')' | '[' | ']' | '·' | '•' | '\n' | '\r' | '\t' | ':' => {
                spaced.push_str(" , ");
            }
            '/' => {
                join_number(&mut spaced);
                spaced.push('/');
                while rest.next_if(|c| c.is_whitespace()).is_some() {}
            }
            '-' | '‐' | '‑' | '‒' | '–' | '—' | '−' => {
                let inside = !previous.is_whitespace() && !next.is_whitespace();
                spaced.push_str(if inside { "-" } else { " - " });
            }
            '.' if next.is_alphanumeric() && !previous.is_whitespace() => spaced.push_str(". "),
            '"' | '\'' | '„' | '“' | '”' => spaced.push(' '),
            c if c.is_uppercase() && previous.is_lowercase() && is_glued(&spaced, &rest) => {
                spaced.extend([' ', c]);
            }
            c if c.is_whitespace() => spaced.push(' '),
            c => spaced.push(c),
        }
        previous = c;
    }
    spaced
}

/// Whether a capital inside a word begins another word, which it does if both halves are long enough to be words
/// (`MasarykovaNabízíme`). A single letter before the capital is a typing error (`kSalce`).
fn is_glued(before: &str, after: &Peekable<impl Iterator<Item = char> + Clone>) -> bool {
    let is_long = |letters: &mut dyn Iterator<Item = char>, least: usize| {
        letters
            .take_while(|c| c.is_alphabetic())
            .take(least)
            .count()
            == least
    };
    is_long(&mut before.chars().rev(), SHORTEST_GLUED)
        // The capital itself is the first letter of the second word.
        && is_long(&mut after.clone(), SHORTEST_GLUED - 1)
}

/// Drops the spaces at the end if a letter or digit precedes them, so that a slash joins its two sides.
fn join_number(spaced: &mut String) {
    let kept = spaced.trim_end().len();
    if spaced
        .trim_end()
        .ends_with(|c: char| c.is_ascii_alphanumeric())
    {
        spaced.truncate(kept);
    }
}
