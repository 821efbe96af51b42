//! Figures of each day that nothing else keeps, for charts over time.

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::Result;
use super::transaction::{Tx, on_tx};

/// A figure of one day.
#[derive(Debug, Clone, PartialEq)]
pub struct DailyFigure {
    /// The portal; empty for the whole database.
    pub site_id: String,
    /// The day, counted from the epoch in UTC.
    pub day: i64,
    /// What it is: `live`, `bytes`, or `filled.` and the name of a field.
    pub name: String,
    /// The figure.
    pub value: f64,
}

/// Stores figures. A figure of the same portal, day and name is replaced.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn save<'a>(tx: &'a mut Tx, figures: &'a [DailyFigure]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        for figure in figures {
            on_tx!(&mut *tx, connection => sqlx::query(
            "INSERT INTO daily_figures (site_id, day, name, value) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (site_id, day, name) DO UPDATE SET value = excluded.value",
        )
        .bind(&figure.site_id)
        .bind(figure.day)
        .bind(&figure.name)
        .bind(figure.value)
        .execute(connection)
        .await?
        .rows_affected());
        }
        Ok(())
    })
}

/// The figures since a day, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn since(db: &Db, day: i64) -> BoxFuture<'_, Result<Vec<DailyFigure>>> {
    Box::pin(async move {
        let rows: Vec<(String, i64, String, f64)> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT site_id, day, name, value FROM daily_figures WHERE day >= $1 ORDER BY day, site_id, name",
    )
    .bind(day)
    .fetch_all(pool)
    .await?);
        let figure = |(site_id, day, name, value)| DailyFigure {
            site_id,
            day,
            name,
            value,
        };
        Ok(rows.into_iter().map(figure).collect())
    })
}
