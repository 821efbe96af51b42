//! The versions of the inputs, besides listings, that the records were made with.

use super::error::Result;
use super::transaction::{Tx, on_tx};
use futures::future::BoxFuture;

/// An input of deduplication besides the listings. If its version changes, every record is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// The rules of matching and merging.
    Matching,
    /// The edition of the address registry.
    AddressRegistry,
    /// The portals: when each was first crawled, and whether it reports the end of listings.
    WatchedPortals,
}

impl Derivation {
    /// The name in the table.
    fn as_str(self) -> &'static str {
        match self {
            Self::Matching => "matching",
            Self::AddressRegistry => "address registry",
            Self::WatchedPortals => "watched portals",
        }
    }
}

/// The version that the records were made with; `None` if there are no records yet.
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

/// Notes the version that records are made with from now on.
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
