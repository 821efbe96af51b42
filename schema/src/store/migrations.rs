//! The embedded migrations, and whether a database has them.

use std::sync::LazyLock;

use sqlx::SqlSafeStr as _;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::database::{Backend, Db, Migrated, Pools, on_db};
use super::error::{Result, StoreError};

/// The migrations in `migrations/`: name (version, underscore, description) and SQL. Both databases have the same
/// names. sqlx's own macro is not used, because it makes a build compile both drivers a second time.
macro_rules! embedded {
    ($folder:literal) => {
        embedded!(
            $folder,
            "0001_portal_listings",
            "0002_matching",
            "0003_offers",
            "0004_access",
            "0005_rejects",
            "0006_reviews",
            "0007_gazetteer",
            "0008_watched",
            "0009_reasons_of_ends",
            "0010_crawl_runs",
            "0011_index_entries",
            "0012_schedules",
            "0013_no_statistics",
            "0017_commit_marks",
            "0020_matches_without_evidence",
            "0021_queued_jobs",
            "0022_first_sightings",
            "0023_purges",
            "0024_match_weights",
            "0025_compact_contents",
            "0026_stops_and_notices",
            "0027_compact_documents",
            "0028_crawls_of_lists",
            "0030_console",
            "0031_crawl_lines",
            "0033_compact_keys",
            "0034_record_events",
            "0035_webhooks",
            "0038_index_rows",
            "0039_webhooks_behind",
            "0043_based_documents",
            "0044_limits_of_counts",
            "0045_answers_of_marks",
            "0046_numbered_marks",
        )
    };
    ($folder:literal, $($name:literal),+ $(,)?) => {
        [$((
            $name,
            include_str!(concat!("../../../migrations/", $folder, "/", $name, ".sql")),
        )),+]
    };
}

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(&embedded!("sqlite")));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(&embedded!("postgres")));

fn migrator(files: &[(&'static str, &'static str)]) -> Migrator {
    let migrations = files.iter().map(|(name, sql)| {
        let (version, description) = name.split_once('_').unwrap_or((name, ""));
        Migration::new(
            // A name without a number has version 0; a test keeps such names out.
            version.parse().unwrap_or(0),
            description.replace('_', " ").into(),
            MigrationType::Simple,
            sql.into_sql_str(),
            false,
        )
    });
    Migrator::with_migrations(migrations.collect())
}

/// Applies the missing migrations.
pub(super) async fn migrate(db: &Db) -> Result<Migrated> {
    let before = applied(db).await?;
    refuse_newer(db.backend(), &before)?;
    if first_missing(db.backend(), &before).is_some() {
        match db.pools() {
            Pools::Sqlite(pools) => {
                // Other processes wait for the write lock and then find no migration missing.
                let mut transaction = pools.write().begin_with("BEGIN IMMEDIATE").await?;
                SQLITE.run_direct(None, &mut *transaction, false).await?;
                transaction.commit().await?;
            }
            Pools::Postgres(pools) => POSTGRES.run(pools.write()).await?,
        }
    }
    let after = applied(db).await?;
    Ok(Migrated {
        applied: after.len().saturating_sub(before.len()),
        version: newest(db.backend()),
    })
}

/// Refuses a database that lacks a migration or is newer than the program.
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

/// The first migration that a database lacks. Later ones may be applied: migrations that were developed side by side
/// were not always released in the order of their numbers.
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

/// The applied versions, oldest first; empty if the table of migrations does not exist.
async fn applied(db: &Db) -> Result<Vec<i64>> {
    let exists: bool = match db.pools() {
        Pools::Sqlite(pools) => {
            let found =
                "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
            sqlx::query_scalar(found).fetch_one(pools.write()).await?
        }
        Pools::Postgres(pools) => {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_migration_in_the_folders_is_embedded() {
        for (folder, embedded) in [
            ("sqlite", embedded!("sqlite")),
            ("postgres", embedded!("postgres")),
        ] {
            let folder = Path::new("../migrations").join(folder);
            let files: BTreeMap<String, String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| {
                    let path = entry.unwrap().path();
                    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
                    (name, std::fs::read_to_string(path).unwrap())
                })
                .collect();
            let embedded = embedded.map(|(name, sql)| (name.to_owned(), sql.to_owned()));
            assert_eq!(files, BTreeMap::from(embedded));
        }
    }

    #[test]
    fn versions_are_numbered_and_differ() {
        for backend in [Backend::Sqlite, Backend::Postgres] {
            let mut last = 0;
            for version in versions(backend) {
                assert!(version > last, "{version} follows {last}");
                last = version;
            }
        }
    }
}
