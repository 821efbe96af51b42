//! Who asks: where a token may stand in a request, what a token is, and whose it is.
//!
//! # Layout
//!
//! `credential` finds the token that a request sends, `token` reads it, `directory` knows whose it is.

mod credential;
mod directory;
mod issue;
mod token;

pub use credential::{TokenFault, credential};
pub use directory::{Caller, TokenDirectory};
pub use issue::{IssuedToken, issue_token, token_key};
pub use token::{MalformedToken, Token, TokenKey};
