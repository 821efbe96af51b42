//! The read API over merged offers: five endpoints, exactly those of the interface specification.
//!
//! # Layout
//!
//! A request passes through these modules, in this order:
//!
//! - `server` accepts the connection; `router` lists every route and the layers of `middleware`.
//! - `admission` decides whether the request is answered: [`auth`] finds the account behind its token, `quota` counts
//!   the request.
//! - `endpoints` has one file for each endpoint. They parse the query with `params`, search the [`index`], copy
//!   `documents` into the answer and write [`cursor`]s. `bodies` has the JSON they answer with, and [`openapi`] describes it.
//! - Every other answer is an `error::ApiError`.
//! - [`beside`] lets other servers of the program (the feed, the server for assistants) answer from the same index, with the
//!   same tokens, plans and quota.
//!
//! What all requests share is in `state`; `page_buffers` keeps the memory of pages for the next ones, `encoding`
//! compresses bodies, and `encoded_bodies` keeps them compressed. No two modules of this list depend on each other.
//!
//! ```no_run
//! # async fn run(db: schema::store::Db, clock: api::Clock, entropy: [u8; 32]) -> Result<(), Box<dyn std::error::Error>> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! let config = api::ApiConfig::new("http://127.0.0.1:8080", clock);
//! let api = api::ApiState::start(db, config, entropy).await?;
//! api::serve(listener, api, Box::pin(async { tokio::signal::ctrl_c().await.unwrap_or_default() })).await?;
//! # Ok(())
//! # }
//! ```

mod admission;
pub mod auth;
pub mod beside;
mod bodies;
mod concurrency;
mod config;
pub mod cursor;
mod database_health;
mod documents;
mod encoded_bodies;
mod encoding;
mod endpoints;
mod error;
mod error_code;
mod etag;
mod geocode;
mod history;
pub mod index;
mod inside;
mod middleware;
pub mod openapi;
mod page_buffers;
pub mod params;
mod private_paths;
mod quota;
mod request_id;
mod router;
mod server;
mod state;

pub use auth::{IssuedToken, issue_token};
pub use config::{ApiConfig, Clock, ConnectionLimits, OutsideGeocoder, WorkLimits};
pub use geocode::learned_gazetteer;
pub use inside::{InsideSearch, SearchRefused};
pub use server::serve;
pub use state::ApiState;
