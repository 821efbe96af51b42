//! The edition of the address registry in use. The registry itself is a file; the database only names the edition.

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::Result;
use super::transaction::{Tx, on_tx};
use crate::timestamp::Timestamp;

/// An imported edition of the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedEdition {
    /// Checksum of its content, in hexadecimal digits.
    pub id: String,
    /// Day of its newest address table, `YYYYMMDD`; 0 if unknown.
    pub date: i64,
    /// How many municipalities it has.
    pub municipalities: i64,
    /// How many address places it has.
    pub places: i64,
    /// When it was imported.
    pub imported_at: Timestamp,
}

/// Records that an edition is in use from now on. Returns whether it differs from the one before.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn record<'a>(tx: &'a mut Tx, edition: &'a ImportedEdition) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let current: Option<String> = on_tx!(&mut *tx, connection => {
            sqlx::query_scalar("SELECT edition_id FROM gazetteer_editions ORDER BY id DESC LIMIT 1")
                .fetch_optional(connection)
                .await?
        });
        if current.as_ref() == Some(&edition.id) {
            return Ok(false);
        }
        on_tx!(tx, connection => {
            sqlx::query(
                "INSERT INTO gazetteer_editions (edition_id, edition_date, municipalities, places, imported_at) \
                 VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(&edition.id)
            .bind(edition.date)
            .bind(edition.municipalities)
            .bind(edition.places)
            .bind(edition.imported_at.millis())
            .execute(connection)
            .await?;
        });
        Ok(true)
    })
}

/// The edition in use; `None` if none was ever imported.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn current(db: &Db) -> BoxFuture<'_, Result<Option<ImportedEdition>>> {
    Box::pin(async move {
        let row: Option<(String, i64, i64, i64, i64)> = on_db!(db, current, pool => {
            sqlx::query_as(
                "SELECT edition_id, edition_date, municipalities, places, imported_at \
                 FROM gazetteer_editions ORDER BY id DESC LIMIT 1",
            )
            .fetch_optional(pool)
            .await?
        });
        Ok(row.map(
            |(id, date, municipalities, places, imported_at)| ImportedEdition {
                id,
                date,
                municipalities,
                places,
                imported_at: Timestamp(imported_at),
            },
        ))
    })
}
