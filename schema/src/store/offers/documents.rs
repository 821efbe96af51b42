//! The stored JSON of records, summary and detail together.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::super::columns::row;
use crate::store::database::{Db, on_db};
use crate::store::error::Result;
use crate::store::lists;

row! {
    /// The stored JSON of a record.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StoredDocument {
        /// The row of the record.
        pub row: i64,
        /// The number of its latest change.
        pub change: i64,
        /// The summary: an object.
        pub summary: Vec<u8>,
        /// What a detail adds to the summary: an object with the portal links and the price history.
        pub detail_only: Vec<u8>,
    }
}

/// The documents of these rows, in any order, from one consistent state. A row that no longer exists is left out.
///
/// # Errors
/// [`crate::store::StoreError::Database`].
pub fn documents<'a>(db: &'a Db, rows: &'a [i64]) -> BoxFuture<'a, Result<Vec<StoredDocument>>> {
    Box::pin(async move {
        // One statement reads one consistent state.
        let text = format!(
            "SELECT offers.row, offers.change, offer_summaries.body AS summary, offer_details.body AS detail_only \
             FROM offers JOIN offer_summaries ON offer_summaries.row = offers.row \
             JOIN offer_details ON offer_details.row = offers.row \
             WHERE offers.row IN ({})",
            lists::integers(db.backend())
        );
        let list = lists::json(&rows)?;
        Ok(on_db!(db, replica, pool => {
            sqlx::query_as(AssertSqlSafe(text)).bind(list).fetch_all(pool).await?
        }))
    })
}
