//! How PostgreSQL checks the references of many rows that a statement inserts.
//!
//! For each row and each reference it runs a query of its own, which looks the referenced row up by its key. The setting
//! that lets every statement be planned anew (`postgres::NEW_PLANS`) applies to these queries too, and planning one takes
//! twice as long as running it: it was a sixth of PostgreSQL's time in a first replay. So they get a cached plan while a
//! statement of many rows runs. Without sequential scans, that plan uses the key however small the table is when it is
//! made.

use sqlx::PgConnection;

use super::error::Result;

/// Two more statements take as long as planning the checks of some ten rows.
const MANY: usize = 50;

const CACHED_PLANS: &str = "SELECT set_config('plan_cache_mode', 'force_generic_plan', TRUE), set_config('enable_seqscan', 'off', TRUE)";
const NEW_PLANS: &str = "SELECT set_config('plan_cache_mode', 'force_custom_plan', TRUE), set_config('enable_seqscan', 'on', TRUE)";

/// Prepares a transaction for a statement that inserts this many rows from arrays, whatever the plan.
pub(super) async fn before_inserting(connection: &mut PgConnection, rows: usize) -> Result<()> {
    if rows >= MANY {
        sqlx::query(CACHED_PLANS).execute(connection).await?;
    }
    Ok(())
}

/// Lets the next statements be planned anew again.
pub(super) async fn after_inserting(connection: &mut PgConnection, rows: usize) -> Result<()> {
    if rows >= MANY {
        sqlx::query(NEW_PLANS).execute(connection).await?;
    }
    Ok(())
}
