//! The queue's tables: made by apalis's own migrations, filled and cleaned by statements of ours.

use apalis_postgres::PostgresStorage;
use apalis_sqlite::SqliteStorage;

use super::super::database::{Backend, Db};
use super::super::error::{Result, StoreError};
use super::super::transaction::{Tx, on_tx};
use super::Job;
use crate::timestamp::Timestamp;

/// Where the SQLite file remembers which of the queue's migrations it has; ours are in sqlx's own table.
const SQLITE_MIGRATIONS: &str = "_apalis_migrations";

/// Makes the queue's tables, or brings them up to date. Several processes may do so at once.
///
/// On SQLite apalis's own way is not taken: it would weaken the file's durability, and stumble over our migrations.
pub(in crate::store) async fn migrate(db: &Db) -> Result<()> {
    match db {
        Db::Sqlite(pools) => {
            let mut migrator = SqliteStorage::migrations();
            migrator.dangerous_set_table_name(SQLITE_MIGRATIONS);
            let newest = migrator.iter().map(|migration| migration.version).max();
            let exists: bool = sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_apalis_migrations')",
            )
            .fetch_one(pools.write())
            .await?;
            if exists {
                let have: Option<i64> =
                    sqlx::query_scalar("SELECT MAX(version) FROM _apalis_migrations")
                        .fetch_one(pools.write())
                        .await?;
                if have >= newest {
                    return Ok(());
                }
            }
            let mut transaction = pools.write().begin_with("BEGIN IMMEDIATE").await?;
            migrator.run_direct(None, &mut *transaction, false).await?;
            transaction.commit().await?;
            Ok(())
        }
        Db::Postgres(pools) => PostgresStorage::setup(pools.write())
            .await
            .map_err(|error| StoreError::Queue {
                reason: format!("its tables cannot be made: {error}"),
            }),
    }
}

const SQLITE_INSERT: &str = "INSERT INTO Jobs (job, id, job_type, run_at, idempotency_key, max_attempts, metadata) \
    VALUES ($1, $2, $3, $4, $5, $6, '{}') ON CONFLICT DO NOTHING";
const POSTGRES_INSERT: &str = "INSERT INTO apalis.jobs (job, id, job_type, run_at, idempotency_key, max_attempts) \
    VALUES ($1, $2, $3, to_timestamp($4::bigint), $5, $6) ON CONFLICT DO NOTHING";

/// The queue counts a job that a worker left behind as an attempt; it shall not give one up for that.
const ATTEMPTS: i32 = 1_000_000;

pub(super) async fn insert(tx: &mut Tx, job: &Job, run_at: Timestamp) -> Result<bool> {
    let statement = match tx.backend() {
        Backend::Sqlite => SQLITE_INSERT,
        Backend::Postgres => POSTGRES_INSERT,
    };
    let key = format!("{}#{}", job.key, job.turn);
    let body = serde_json::to_vec(job).map_err(|error| StoreError::Unstorable {
        what: "a job",
        reason: error.to_string(),
    })?;
    let inserted = on_tx!(tx, connection => {
        sqlx::query(statement)
            .bind(body)
            .bind(id(job.task.lane().name(), &key))
            .bind(job.task.lane().name())
            .bind(run_at.millis().div_euclid(1000))
            .bind(&key)
            .bind(ATTEMPTS)
            .execute(connection)
            .await?
            .rows_affected()
    });
    Ok(inserted > 0)
}

/// The queue wants ULIDs: 128 bits as 26 digits of Crockford's base 32. These are of the key, so that chance has no
/// part in them.
fn id(lane: &str, key: &str) -> String {
    const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let hash = blake3::hash(format!("{lane}/{key}").as_bytes());
    let (bits, _) = hash
        .as_bytes()
        .split_first_chunk::<16>()
        .map_or(([0; 16], &[][..]), |(bits, rest)| (*bits, rest));
    let bits = u128::from_be_bytes(bits);
    (0..26)
        .rev()
        .map(|place| char::from(DIGITS[(bits >> (place * 5) & 31) as usize]))
        .collect()
}

pub(super) fn unfinished(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => {
            "SELECT id, job, run_at, lock_by FROM Jobs WHERE status NOT IN ('Done', 'Killed') ORDER BY run_at, id"
        }
        Backend::Postgres => {
            "SELECT id, job, EXTRACT(EPOCH FROM run_at)::bigint, lock_by FROM apalis.jobs \
             WHERE status NOT IN ('Done', 'Killed') ORDER BY run_at, id"
        }
    }
}

pub(super) fn workers(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => {
            "SELECT id, worker_type, last_seen FROM Workers WHERE last_seen >= $1 ORDER BY id"
        }
        Backend::Postgres => {
            "SELECT id, worker_type, EXTRACT(EPOCH FROM last_seen)::bigint FROM apalis.workers \
             WHERE last_seen >= to_timestamp($1::bigint) ORDER BY id"
        }
    }
}

const SQLITE_SIGN_OFF: [&str; 3] = [
    "UPDATE Jobs SET status = 'Pending', lock_at = NULL WHERE lock_by = $1 AND status IN ('Queued', 'Running')",
    "UPDATE Jobs SET lock_by = NULL WHERE lock_by = $1",
    "DELETE FROM Workers WHERE id = $1",
];
const POSTGRES_SIGN_OFF: [&str; 3] = [
    "UPDATE apalis.jobs SET status = 'Pending', lock_at = NULL \
     WHERE lock_by = $1 AND status IN ('Queued', 'Running')",
    "UPDATE apalis.jobs SET lock_by = NULL WHERE lock_by = $1",
    "DELETE FROM apalis.workers WHERE id = $1",
];

/// How often it is tried again to sign a worker off that claims a job meanwhile; it can only have one claim on its way.
const SIGN_OFF_AGAIN: usize = 3;

/// Forgets a worker that has ended; what it claimed and did not do is free.
///
/// A claim that it sent and did not wait for may arrive later still. Jobs refer to their worker: without it, the claim
/// fails, and one that came in between makes this fail, which is tried again.
pub(super) async fn sign_off(db: &Db, worker: &str) -> Result<()> {
    for _ in 0..SIGN_OFF_AGAIN {
        match try_sign_off(db, worker).await {
            Err(StoreError::Database(sqlx::Error::Database(error)))
                if error.is_foreign_key_violation() => {}
            ended => return ended,
        }
    }
    try_sign_off(db, worker).await
}

async fn try_sign_off(db: &Db, worker: &str) -> Result<()> {
    let statements = match db.backend() {
        Backend::Sqlite => SQLITE_SIGN_OFF,
        Backend::Postgres => POSTGRES_SIGN_OFF,
    };
    let mut tx = db.begin().await?;
    for statement in statements {
        on_tx!(&mut tx, connection => {
            sqlx::query(statement).bind(worker).execute(connection).await?;
        });
    }
    tx.commit().await
}

const SQLITE_PRUNE: [&str; 2] = [
    "DELETE FROM Jobs WHERE status IN ('Done', 'Killed') AND done_at < $1",
    "DELETE FROM Workers WHERE last_seen < $1 AND id NOT IN (SELECT lock_by FROM Jobs WHERE lock_by IS NOT NULL)",
];
const POSTGRES_PRUNE: [&str; 2] = [
    "DELETE FROM apalis.jobs WHERE status IN ('Done', 'Killed') AND done_at < to_timestamp($1::bigint)",
    "DELETE FROM apalis.workers WHERE last_seen < to_timestamp($1::bigint) \
     AND id NOT IN (SELECT lock_by FROM apalis.jobs WHERE lock_by IS NOT NULL)",
];

pub(super) async fn prune(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    let [jobs, workers] = match tx.backend() {
        Backend::Sqlite => SQLITE_PRUNE,
        Backend::Postgres => POSTGRES_PRUNE,
    };
    let before = before.millis().div_euclid(1000);
    let pruned = on_tx!(&mut *tx, connection => {
        sqlx::query(jobs).bind(before).execute(connection).await?.rows_affected()
    });
    on_tx!(tx, connection => {
        sqlx::query(workers).bind(before).execute(connection).await?;
    });
    Ok(pruned)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_id_of_a_job_is_a_ulid_of_its_key() {
        let id = super::id("upkeep", "dedup#0");
        assert_eq!(id.len(), 26);
        assert!(
            id.starts_with(|first: char| first <= '7'),
            "{id} holds more than 128 bits"
        );
        assert_eq!(id, super::id("upkeep", "dedup#0"));
        assert_ne!(id, super::id("upkeep", "dedup#1"));
    }
}
