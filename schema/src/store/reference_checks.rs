//! How PostgreSQL checks the references of many rows that a statement inserts.
//!
//! For each row and each reference it runs a query that looks for the referenced row. `postgres::NEW_PLANS` makes it plan
//! each statement every time it runs, and that applies to these queries too. Planning one takes several times as long as
//! running it: it was a sixth of PostgreSQL's time in a first replay. So they share a cached plan while a statement of many
//! rows runs. A plan that is made while the table is small could read all of it; sequential scans are off, so that the plan
//! uses the key.

use sqlx::PgConnection;

use super::error::Result;

/// Two more statements take as long as planning the checks of some ten rows.
const MANY: usize = 50;

const CACHED_PLANS: &str = "SELECT set_config('plan_cache_mode', 'force_generic_plan', TRUE), set_config('enable_seqscan', 'off', TRUE)";
const NEW_PLANS: &str = "SELECT set_config('plan_cache_mode', 'force_custom_plan', TRUE), set_config('enable_seqscan', 'on', TRUE)";

/// Call this before a statement that inserts this many rows from arrays, and [`after_inserting`] after it. The statement
/// itself has only one possible plan.
pub(super) async fn before_inserting(connection: &mut PgConnection, rows: usize) -> Result<()> {
    if rows >= MANY {
        sqlx::query(CACHED_PLANS).execute(connection).await?;
    }
    Ok(())
}

/// The next statements are planned every time they run, as before.
pub(super) async fn after_inserting(connection: &mut PgConnection, rows: usize) -> Result<()> {
    if rows >= MANY {
        sqlx::query(NEW_PLANS).execute(connection).await?;
    }
    Ok(())
}
