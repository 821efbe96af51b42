//! The versions of what listings and records were made with.

use futures::future::BoxFuture;

use super::error::Result;
use super::transaction::{Tx, on_tx};

/// What listings or records were made with. If its version changes, they are made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// The readings of stored contents, from which the listings are computed.
    Readings,
    /// The rules of matching and merging.
    Matching,
    /// The edition of the address registry.
    AddressRegistry,
    /// The operator's own match weights.
    MatchWeights,
    /// The portals: when each was first crawled, and whether it reports the end of listings.
    WatchedPortals,
}

impl Derivation {
    /// The name in the table.
    fn as_str(self) -> &'static str {
        match self {
            Self::Readings => "readings",
            Self::Matching => "matching",
            Self::AddressRegistry => "address registry",
            Self::MatchWeights => "match weights",
            Self::WatchedPortals => "watched portals",
        }
    }
}

/// The version that the listings or records were made with; `None` if none was noted yet.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn version(tx: &mut Tx, of: Derivation) -> BoxFuture<'_, Result<Option<i64>>> {
    Box::pin(async move {
        Ok(on_tx!(tx, connection => {
            sqlx::query_scalar("SELECT version FROM derivations WHERE name = $1")
                .bind(of.as_str())
                .fetch_optional(connection)
                .await?
        }))
    })
}

/// Notes the version that listings or records are made with from now on.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn set_version(tx: &mut Tx, of: Derivation, version: i64) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO derivations (name, version) VALUES ($1, $2) \
                 ON CONFLICT (name) DO UPDATE SET version = excluded.version",
            )
            .bind(of.as_str())
            .bind(version)
            .execute(connection)
            .await?;
        });
        Ok(())
    })
}
