//! The read API over merged offers: five endpoints, exactly those of the interface specification.
//!
//! # Layout
//!
//! A request meets, in this order: `server` (connections) and `router` (every route, and the layers of
//! `middleware`); `access` (who asks, [`auth`]; how often, [`quota`]); an endpoint (`offers`, `me`, `health`,
//! [`openapi`]), which reads its query with [`params`], finds offers in the [`index`] and hands out [`cursor`]s. Every
//! answer that is no success is an [`error::ApiError`].
//!
//! ```no_run
//! # async fn run(db: schema::store::Db, clock: api::Clock, entropy: [u8; 32]) -> Result<(), Box<dyn std::error::Error>> {
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! let config = api::ApiConfig::new("http://127.0.0.1:8080", clock);
//! let api = api::ApiState::start(db, config, entropy).await?;
//! api::serve(listener, api, async { tokio::signal::ctrl_c().await.unwrap_or_default() }).await?;
//! # Ok(())
//! # }
//! ```

mod access;
pub mod auth;
mod conditional;
mod config;
pub mod cursor;
pub mod error;
mod geocode;
mod health;
pub mod index;
mod me;
mod middleware;
mod offers;
pub mod openapi;
pub mod params;
mod patience;
pub mod quota;
mod router;
mod server;
mod state;

pub use auth::{IssuedToken, issue_token};
pub use config::{ApiConfig, Clock, ConnectionLimits, OutsideGeocoder, WorkLimits};
pub use geocode::learned_gazetteer;
pub use router::router;
pub use server::serve;
pub use state::ApiState;
