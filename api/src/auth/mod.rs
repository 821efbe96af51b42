//! Who asks: where a token may stand in a request, what a token is, and whose it is.
//!
//! # Layout
//!
//! `credential` finds the token that a request sends, `token` reads it, `directory` knows whose it is. `attempts` counts
//! the requests without a valid one; `roll` is what the directory goes by for those who sent too many. `redaction` takes
//! tokens out of texts that they do not belong in.

mod attempts;
mod credential;
mod directory;
mod issue;
mod redaction;
mod roll;
mod token;

pub use attempts::{Attempts, Network};
pub use credential::{TokenFault, credential};
pub use directory::{Caller, TokenDirectory};
pub use issue::{IssuedToken, issue_token, token_key};
pub use redaction::without_tokens;
pub use token::{MalformedToken, PREFIX as TOKEN_PREFIX, Token, TokenKey};
