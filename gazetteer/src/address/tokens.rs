//! An address line as words, numbers and separators.

use std::borrow::Cow;
use std::iter::Peekable;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::fold::fold_letters;

/// Longest text that is read, in characters; portals' lines are far shorter, and what lies beyond is no address.
pub(crate) const LONGEST: usize = 400;

/// The shortest word that is told from another it is glued to, in letters.
const SHORTEST_GLUED: usize = 3;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A word; it may hold hyphens (`Brno-venkov`).
    Word,
    /// It begins with a digit.
    Number,
    /// A comma, bracket, semicolon or other end of a segment.
    Comma,
    /// A hyphen with a space beside it: it separates a municipality from its part.
    Dash,
}

/// A token of a line.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    /// As written, without a closing full stop.
    pub raw: Cow<'static, str>,
    /// Folded; inner hyphens are spaces.
    pub folded: String,
    pub kind: TokenKind,
    /// Whether a full stop closed it: an abbreviation or an ordinal.
    pub dotted: bool,
}

/// Splits a line. Never fails; an absurdly long text is cut.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let spaced = space_out(text);
    let mut tokens = Vec::with_capacity(16);
    for piece in spaced.split_whitespace() {
        match piece {
            "," => tokens.push(Token {
                raw: ",".into(),
                folded: String::new(),
                kind: TokenKind::Comma,
                dotted: false,
            }),
            "-" => tokens.push(Token {
                raw: "-".into(),
                folded: String::new(),
                kind: TokenKind::Dash,
                dotted: false,
            }),
            _ => tokens.extend(word_or_number(piece)),
        }
    }
    tokens
}

fn word_or_number(piece: &str) -> Option<Token> {
    let raw = piece.trim_end_matches('.');
    let mut folded = String::new();
    for word in fold_letters(raw).split_ascii_whitespace() {
        crate::fold::push_word(&mut folded, word);
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

/// One space between any two tokens: separators stand alone, `ul.Výstavní` and `MasarykovaNabízíme` are parted,
/// `60 / 114` is joined, every dash is a hyphen.
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

/// Whether a capital inside a word begins another: both halves are long enough to be words (`MasarykovaNabízíme`);
/// a single letter before it is a slip (`kSalce`).
fn is_glued(before: &str, after: &Peekable<impl Iterator<Item = char> + Clone>) -> bool {
    let word = |letters: usize| letters >= SHORTEST_GLUED;
    word(
        before
            .chars()
            .rev()
            .take_while(|c| c.is_alphabetic())
            .take(SHORTEST_GLUED)
            .count(),
    ) && word(
        1 + after
            .clone()
            .take_while(|c| c.is_alphabetic())
            .take(SHORTEST_GLUED)
            .count(),
    )
}

/// Drops the spaces after a digit, so that a slash joins what stands on its two sides.
fn join_number(spaced: &mut String) {
    let kept = spaced.trim_end().len();
    if spaced
        .trim_end()
        .ends_with(|c: char| c.is_ascii_alphanumeric())
    {
        spaced.truncate(kept);
    }
}
