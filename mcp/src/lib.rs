//! The merged records for assistants: a server of the Model Context Protocol over the official Rust SDK.
//!
//! # Layout
//!
//! - [`serve_http`] and [`serve_stdio`] (`transports`) carry messages; `server` answers the methods of the protocol.
//! - `tools` has one file for each tool, and their list in its order. A tool reads its `arguments`, has the call counted
//!   (`call`), asks the API's index, `feed`, `operations` and `statistics`, and writes offers with `offer_card`. What a tool accepts
//!   and answers is described with `json_schema`.
//! - `vocabulary` and `prompts` are what else an assistant can ask for.
//!
//! Every call belongs to an account and is counted as the API counts a request. Tokens, plans, history windows and quota
//! are those of `api::beside`. Texts of adverts are left out unless they are asked for, are cut, and are marked as data.

mod arguments;
mod call;
mod json_schema;
mod offer_card;
mod prompts;
mod records;
mod server;
mod tools;
mod transports;
mod vocabulary;

pub use records::{AddressSource, Records};
pub use transports::{HttpSettings, PATH, http_config, serve_http, serve_stdio};
