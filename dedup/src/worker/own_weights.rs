//! An operator's own weights.

use futures::future::BoxFuture;
use schema::store::match_weights::{self, OwnWeight};
use schema::store::{StoreError, Tx};

use crate::weight_table::WeightTable;

/// The weights in force: those of the program, changed by the operator's own. A level that the program
/// no longer has is ignored.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn weight_table(tx: &mut Tx) -> BoxFuture<'_, Result<WeightTable, StoreError>> {
    Box::pin(async move {
        let mut table = WeightTable::default();
        for own in match_weights::all(tx).await? {
            let _removed_from_the_program =
                table.set(&own.comparison, &own.level, own.weight as f32);
        }
        Ok(table)
    })
}

/// Puts weights in force. The next run matches every listing again if they are new.
///
/// # Errors
/// [`StoreError`] when the database fails.
pub fn apply_weights<'a>(
    tx: &'a mut Tx,
    table: &'a WeightTable,
) -> BoxFuture<'a, Result<(), StoreError>> {
    Box::pin(async move {
        let own: Vec<OwnWeight> = table
            .changed()
            .map(|(comparison, level, weight)| OwnWeight {
                comparison: comparison.to_owned(),
                level: level.to_owned(),
                weight: f64::from(weight),
            })
            .collect();
        match_weights::replace(tx, &own).await
    })
}
