//! Authentication: where a request carries its token, what a token is, and which account it belongs to.
//!
//! # Layout
//!
//! `credential` finds the token of a request, `token` parses it, `directory` finds its account. `failure_limit` counts
//! requests without a valid token; for networks that send too many, `directory` uses `valid_tokens`. `redaction` removes
//! tokens from texts.

mod credential;
mod directory;
mod failure_limit;
mod issue;
mod redaction;
mod token;
mod valid_tokens;

pub(crate) use credential::{TokenError, sent_token};
pub(crate) use directory::{Caller, TokenDirectory};
pub(crate) use failure_limit::{FailedAuthLimiter, Network};
pub use issue::{IssuedToken, issue_token, token_key};
pub(crate) use redaction::redact_tokens;
pub(crate) use token::PREFIX as TOKEN_PREFIX;
pub use token::{MalformedToken, Token, TokenKey};
