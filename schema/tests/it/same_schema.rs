//! Both databases have one schema: the same tables, columns, rough types, keys, indexes and references.

use std::collections::BTreeSet;

use schema::store::Backend;
use sqlx::{PgPool, SqlitePool};

/// An entry of an index has at most 2,700 bytes in PostgreSQL, which finds the entries in its table as fast.
const OF_SQLITE_ALONE: &str = "offers INDEX (change, entry)";

const SQLITE_COLUMNS: &str = "
    SELECT tables.name || '.' || columns.name || ' ' || columns.type ||
        CASE WHEN columns.\"notnull\" OR columns.pk > 0 THEN ' NOT NULL' ELSE '' END ||
        CASE WHEN columns.pk > 0 THEN ' KEY ' || columns.pk ELSE '' END
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
        AND tables.name <> '_sqlx_migrations'";

const POSTGRES_COLUMNS: &str = "
    SELECT columns.table_name || '.' || columns.column_name || ' ' ||
        CASE columns.data_type WHEN 'bigint' THEN 'INTEGER' WHEN 'smallint' THEN 'INTEGER'
            WHEN 'boolean' THEN 'INTEGER' WHEN 'double precision' THEN 'REAL' WHEN 'text' THEN 'TEXT'
            WHEN 'bytea' THEN 'BLOB' ELSE columns.data_type END ||
        CASE columns.is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END ||
        COALESCE((SELECT ' KEY ' || keys.ordinal_position
            FROM information_schema.table_constraints AS constraints
            JOIN information_schema.key_column_usage AS keys
                ON keys.constraint_name = constraints.constraint_name
            WHERE constraints.constraint_type = 'PRIMARY KEY' AND keys.table_name = columns.table_name
                AND keys.column_name = columns.column_name), '')
    FROM information_schema.columns
    WHERE columns.table_schema = 'public' AND columns.table_name <> '_sqlx_migrations'";

const SQLITE_INDEXES: &str = "
    SELECT tables.name || ' ' || CASE WHEN indexes.\"unique\" THEN 'UNIQUE' ELSE 'INDEX' END || ' (' ||
        (SELECT group_concat(COALESCE(parts.name, 'expression'), ', ')
            FROM (SELECT name FROM pragma_index_xinfo(indexes.name) WHERE key ORDER BY seqno) AS parts) || ')' ||
        CASE WHEN indexes.partial THEN ' PARTIAL' ELSE '' END
    FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes
    WHERE tables.type = 'table' AND indexes.origin <> 'pk'
        AND tables.name <> '_sqlx_migrations'";

const POSTGRES_INDEXES: &str = "
    SELECT tables.relname || ' ' || CASE WHEN indexes.indisunique THEN 'UNIQUE' ELSE 'INDEX' END || ' (' ||
        (SELECT string_agg(COALESCE(columns.attname, 'expression'), ', ' ORDER BY parts.place)
            FROM unnest(indexes.indkey) WITH ORDINALITY AS parts (number, place)
            LEFT JOIN pg_attribute AS columns
                ON columns.attrelid = indexes.indrelid AND columns.attnum = parts.number) || ')' ||
        CASE WHEN indexes.indpred IS NOT NULL THEN ' PARTIAL' ELSE '' END
    FROM pg_index AS indexes JOIN pg_class AS tables ON tables.oid = indexes.indrelid
    WHERE tables.relnamespace = 'public'::regnamespace AND NOT indexes.indisprimary
        AND tables.relname <> '_sqlx_migrations'";

const SQLITE_REFERENCES: &str = "
    SELECT tables.name || '.' || refs.\"from\" || ' -> ' || refs.\"table\" || '.' || refs.\"to\"
    FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS refs
    WHERE tables.type = 'table'";

const POSTGRES_REFERENCES: &str = "
    SELECT from_table.relname || '.' || from_column.attname || ' -> ' || to_table.relname || '.' || to_column.attname
    FROM pg_constraint AS refs
    JOIN pg_class AS from_table ON from_table.oid = refs.conrelid
    JOIN pg_class AS to_table ON to_table.oid = refs.confrelid
    JOIN pg_attribute AS from_column
        ON from_column.attrelid = refs.conrelid AND from_column.attnum = ANY (refs.conkey)
    JOIN pg_attribute AS to_column
        ON to_column.attrelid = refs.confrelid AND to_column.attnum = ANY (refs.confkey)
    WHERE refs.contype = 'f' AND refs.connamespace = 'public'::regnamespace";

#[tokio::test]
async fn both_databases_have_the_same_schema() {
    let databases = support::databases().await;
    let url = |backend| {
        databases
            .iter()
            .find(|one| one.db.backend() == backend)
            .map(|one| one.url.as_str())
    };
    let Some((sqlite, postgres)) = url(Backend::Sqlite).zip(url(Backend::Postgres)) else {
        return;
    };
    let sqlite = SqlitePool::connect(sqlite).await.unwrap();
    let postgres = PgPool::connect(postgres).await.unwrap();
    for (what, one, other) in [
        ("columns", SQLITE_COLUMNS, POSTGRES_COLUMNS),
        ("indexes", SQLITE_INDEXES, POSTGRES_INDEXES),
        ("references", SQLITE_REFERENCES, POSTGRES_REFERENCES),
    ] {
        let one: Vec<String> = sqlx::query_scalar(one).fetch_all(&sqlite).await.unwrap();
        let other: Vec<String> = sqlx::query_scalar(other)
            .fetch_all(&postgres)
            .await
            .unwrap();
        assert!(!one.is_empty());
        let count = one.len();
        let one: Vec<String> = one.into_iter().filter(|it| it != OF_SQLITE_ALONE).collect();
        let alone = usize::from(what == "indexes");
        assert_eq!(
            (count, one.len()),
            (other.len() + alone, other.len()),
            "{what}"
        );
        let (one, other): (BTreeSet<_>, BTreeSet<_>) =
            (one.into_iter().collect(), other.into_iter().collect());
        let differing: Vec<_> = one.symmetric_difference(&other).collect();
        assert!(
            differing.is_empty(),
            "{what} of one database only: {differing:#?}"
        );
    }
    sqlite.close().await;
    postgres.close().await;
}

#[tokio::test]
async fn the_file_holds_strict_tables_only() {
    let databases = support::databases().await;
    let sqlite = SqlitePool::connect(&databases[0].url).await.unwrap();
    let loose: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM pragma_table_list \
         WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%' \
         AND name <> '_sqlx_migrations'",
    )
    .fetch_all(&sqlite)
    .await
    .unwrap();
    assert_eq!(loose, Vec::<String>::new());
    sqlite.close().await;
}
