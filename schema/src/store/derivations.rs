//! With which version of the code derived data were made.

use super::error::Result;
use super::transaction::{Tx, on_tx};

/// The version that made the derived data of this name; `None` where none was made yet.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn version(tx: &mut Tx, name: &str) -> Result<Option<i64>> {
    Ok(on_tx!(tx, connection => {
        sqlx::query_scalar("SELECT version FROM derivations WHERE name = $1")
            .bind(name)
            .fetch_optional(connection)
            .await?
    }))
}

/// Notes which version makes the derived data of this name from now on.
///
/// # Errors
/// [`super::StoreError::Database`].
pub async fn set_version(tx: &mut Tx, name: &str, version: i64) -> Result<()> {
    on_tx!(tx, connection => {
        sqlx::query(
            "INSERT INTO derivations (name, version) VALUES ($1, $2) \
             ON CONFLICT (name) DO UPDATE SET version = excluded.version",
        )
        .bind(name)
        .bind(version)
        .execute(connection)
        .await?;
    });
    Ok(())
}
