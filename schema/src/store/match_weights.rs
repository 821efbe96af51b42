//! An operator's own match weights.

use futures::future::BoxFuture;

use super::columns::row;
use super::error::Result;
use super::transaction::{Tx, on_tx};

row! {
    /// The weight of a level that differs from the program's.
    #[derive(Debug, Clone, PartialEq)]
    pub struct OwnWeight {
        /// The comparison.
        pub comparison: String,
        /// The level, in the words that explanations print.
        pub level: String,
        /// Match weight, log₂.
        pub weight: f64,
    }
}

/// All own weights, by comparison and level.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn all(tx: &mut Tx) -> BoxFuture<'_, Result<Vec<OwnWeight>>> {
    Box::pin(async move {
        Ok(on_tx!(tx, connection => {
            sqlx::query_as(
                "SELECT comparison, level, weight FROM match_weights ORDER BY comparison, level",
            )
            .fetch_all(connection)
            .await?
        }))
    })
}

/// Replaces all own weights. With none, the weights of the program are in force again.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn replace<'a>(tx: &'a mut Tx, weights: &'a [OwnWeight]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_tx!(&mut *tx, connection => {
            sqlx::query("DELETE FROM match_weights").execute(connection).await?;
        });
        for own in weights {
            on_tx!(&mut *tx, connection => {
                sqlx::query(
                    "INSERT INTO match_weights (comparison, level, weight) VALUES ($1, $2, $3)",
                )
                .bind(&own.comparison)
                .bind(&own.level)
                .bind(own.weight)
                .execute(connection)
                .await?;
            });
        }
        Ok(())
    })
}
