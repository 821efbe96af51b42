//! By what the records were made that deduplication derived.

use super::error::Result;
use super::transaction::{Tx, on_tx};

/// What records hang on besides the listings: where one of these is another than it was, every record is made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation {
    /// The rules of matching and merging, by their number.
    Matching,
    /// The edition of the address registry.
    AddressRegistry,
    /// Which portals are watched, so that their listings are known to end.
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

/// The version of it that the records were made with; `None` where none was made yet.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn version(tx: &mut Tx, of: Derivation) -> Result<Option<i64>> {
    Ok(on_tx!(tx, connection => {
        sqlx::query_scalar("SELECT version FROM derivations WHERE name = $1")
            .bind(of.as_str())
            .fetch_optional(connection)
            .await?
    }))
}

/// Notes with which version of it records are made from now on.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn set_version(tx: &mut Tx, of: Derivation, version: i64) -> Result<()> {
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
}
