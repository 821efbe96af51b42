//! The embedded migrations, and whether a database has them. Those of the queue of jobs run after ours.

use sqlx::migrate::Migrator;

use super::database::{Backend, Db, Migrated, on_db};
use super::error::{Result, StoreError};
use super::jobs;

static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

/// Applies what is missing.
pub(super) async fn migrate(db: &Db) -> Result<Migrated> {
    let before = applied(db).await?;
    refuse_newer(db.backend(), &before)?;
    if first_missing(db.backend(), &before).is_some() {
        match db {
            Db::Sqlite(pools) => {
                // One process at a time: the others wait for the write lock, then find nothing left to do.
                let mut transaction = pools.write().begin_with("BEGIN IMMEDIATE").await?;
                SQLITE.run_direct(None, &mut *transaction, false).await?;
                transaction.commit().await?;
            }
            Db::Postgres(pools) => POSTGRES.run(pools.write()).await?,
        }
    }
    jobs::migrate(db).await?;
    let after = applied(db).await?;
    Ok(Migrated {
        applied: after.len().saturating_sub(before.len()),
        version: newest(db.backend()),
    })
}

/// Refuses a database that is not at the current schema.
pub(super) async fn require_current(db: &Db) -> Result<()> {
    let versions = applied(db).await?;
    refuse_newer(db.backend(), &versions)?;
    let Some(missing) = first_missing(db.backend(), &versions) else {
        return Ok(());
    };
    let have = versions
        .into_iter()
        .filter(|version| *version < missing)
        .max()
        .unwrap_or(0);
    Err(StoreError::Behind {
        have,
        want: newest(db.backend()),
    })
}

/// The first migration that a database lacks. It need not be the newest: those of work that went on side by side are
/// not always finished in the order of their numbers.
fn first_missing(backend: Backend, applied: &[i64]) -> Option<i64> {
    versions(backend).find(|version| !applied.contains(version))
}

fn refuse_newer(backend: Backend, applied: &[i64]) -> Result<()> {
    let want = newest(backend);
    match applied.last() {
        Some(&have) if have > want => Err(StoreError::Ahead { have, want }),
        _ => Ok(()),
    }
}

fn newest(backend: Backend) -> i64 {
    versions(backend).max().unwrap_or(0)
}

/// The versions that this program knows, oldest first.
fn versions(backend: Backend) -> impl Iterator<Item = i64> {
    let migrator = match backend {
        Backend::Sqlite => &SQLITE,
        Backend::Postgres => &POSTGRES,
    };
    migrator.iter().map(|migration| migration.version)
}

/// The versions applied, oldest first; none where the table of migrations is missing.
async fn applied(db: &Db) -> Result<Vec<i64>> {
    let exists: bool = match db {
        Db::Sqlite(pools) => {
            let found =
                "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
            sqlx::query_scalar(found).fetch_one(pools.write()).await?
        }
        Db::Postgres(pools) => {
            let found = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
            sqlx::query_scalar(found).fetch_one(pools.write()).await?
        }
    };
    if !exists {
        return Ok(Vec::new());
    }
    let versions = "SELECT version FROM _sqlx_migrations WHERE success ORDER BY version";
    Ok(on_db!(db, write, pool => sqlx::query_scalar(versions).fetch_all(pool).await?))
}
