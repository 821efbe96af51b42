//! Texts cut into tokens, in three ways.
//!
//! | tokens of | unit | sign inside a word | example `Brno-střed 3+1, 1 250 m²` |
//! |---|---|---|---|
//! | [`Tokens`]: running text and fields | words, numbers, marks | a separate token | `brno` `-` `stred` `3` `+` `1` `,` `1250` `m` `2` |
//! | [`address_line`]: an address | words, numbers, ends of segments | part of the word | `Brno-střed` `3+1` `,` `1` `250` `m²` |
//! | [`pieces`](mod@pieces): text for comparison | words, numbers, codes, ends of sentences | part of the word or code | `brno-stred` `3+1` `1250` `m2` |
//!
//! They are separate on purpose. The readers of running text match patterns of single marks (`3 . / 6 .`). In an address
//! line a hyphen with spaces separates a town from its part, a full stop marks an abbreviation, and thousands are never
//! grouped, because numbers there are house numbers and postal codes. Comparison needs a code such as `113-07-026` as
//! one token, and stored sketches and blocking keys depend on its words staying as they are.

pub mod address_line;
pub mod pieces;
mod running_text;

pub use pieces::{Piece, pieces};
pub use running_text::{Tokens, number, sentences, whole};
