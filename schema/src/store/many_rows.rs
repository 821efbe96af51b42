//! Inserting many rows with one statement.
//!
//! SQLite gets them as a list of values. PostgreSQL would parse and plan that list again for every number of rows, so it gets
//! an array for each column.

/// The type of a column, as PostgreSQL calls it.
pub(super) trait Column {
    /// Its name.
    const NAME: &'static str;
}

impl Column for i64 {
    const NAME: &'static str = "BIGINT";
}

impl Column for i16 {
    const NAME: &'static str = "SMALLINT";
}

impl Column for f64 {
    const NAME: &'static str = "DOUBLE PRECISION";
}

impl Column for bool {
    const NAME: &'static str = "BOOLEAN";
}

impl Column for &str {
    const NAME: &'static str = "TEXT";
}

impl Column for &[u8] {
    const NAME: &'static str = "BYTEA";
}

impl<T: Column> Column for Option<T> {
    const NAME: &'static str = T::NAME;
}

/// How a statement begins that inserts rows with these columns.
pub(super) fn head(table: &str, columns: &[(&str, &str)]) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    format!("INSERT INTO {table} ({}) ", names.join(", "))
}

/// A statement that inserts the rows of arrays. Of each column the name and the type are given.
pub(super) fn from_arrays(table: &str, columns: &[(&str, &str)], tail: &str) -> String {
    let arrays: Vec<String> = (1..)
        .zip(columns)
        .map(|(number, (_, name))| format!("CAST(${number} AS {name}[])"))
        .collect();
    let head = head(table, columns);
    format!("{head}SELECT * FROM UNNEST({}){tail}", arrays.join(", "))
}

/// Builds a statement of many rows: `many_rows!("INSERT INTO t (a) ", items, |row, item| { … }, " ON CONFLICT …")`.
macro_rules! many_rows {
    ($head:expr, $items:expr, |$row:ident, $item:pat_param| $binds:block, $tail:expr) => {{
        let mut statement = sqlx::QueryBuilder::new($head);
        statement.push_values($items, |mut $row, $item| $binds);
        statement.push($tail);
        statement
    }};
}
pub(super) use many_rows;

/// The statement for SQLite: part of the macros below.
macro_rules! listed_rows {
    ($table:expr, $rows:expr, |$item:pat_param| ($($name:ident: $type:ty = $value:expr),+), $tail:expr) => {{
        let columns = [$((stringify!($name), <$type as $crate::store::many_rows::Column>::NAME)),+];
        let head = $crate::store::many_rows::head($table, &columns);
        $crate::store::many_rows::many_rows!(head, $rows, |row, $item| { $(row.push_bind::<$type>($value);)+ }, $tail)
    }};
}
pub(super) use listed_rows;

/// The statement for PostgreSQL: part of the macros below.
macro_rules! array_rows {
    ($query:path, $table:expr, $rows:expr, |$item:pat_param| ($($name:ident: $type:ty = $value:expr),+), $tail:expr) => {{
        let columns = [$((stringify!($name), <$type as $crate::store::many_rows::Column>::NAME)),+];
        let text = $crate::store::many_rows::from_arrays($table, &columns, $tail);
        $(let mut $name: Vec<$type> = Vec::with_capacity($rows.len());)+
        for $item in $rows.iter() {
            $($name.push($value);)+
        }
        $query(sqlx::AssertSqlSafe(text))$(.bind($name))+
    }};
}
pub(super) use array_rows;

/// Inserts rows, with a value for each column:
/// `insert_rows!(tx, "t", rows, |row| (a: i64 = row.first, b: &str = &row.second), " ON CONFLICT …")`.
macro_rules! insert_rows {
    ($tx:expr, $table:expr, $rows:expr, |$item:pat_param| ($($name:ident: $type:ty = $value:expr),+ $(,)?), $tail:expr) => {
        match $tx.connection() {
            $crate::store::transaction::TxConnection::Sqlite(connection) => {
                let mut statement = $crate::store::many_rows::listed_rows!($table, $rows, |$item| ($($name: $type = $value),+), $tail);
                let statement = statement.build().persistent($crate::store::lists::is_worth_caching($rows.len()));
                statement.execute(connection).await?;
            }
            $crate::store::transaction::TxConnection::Postgres(connection) => {
                let statement = $crate::store::many_rows::array_rows!(sqlx::query, $table, $rows, |$item| ($($name: $type = $value),+), $tail);
                $crate::store::reference_checks::before_inserting(&mut *connection, $rows.len()).await?;
                statement.execute(&mut *connection).await?;
                $crate::store::reference_checks::after_inserting(connection, $rows.len()).await?;
            }
        }
    };
}
pub(super) use insert_rows;

/// As [`insert_rows`], with the rows that the statement returns.
macro_rules! insert_returning {
    ($tx:expr, $table:expr, $rows:expr, |$item:pat_param| ($($name:ident: $type:ty = $value:expr),+ $(,)?), $tail:expr) => {
        match $tx.connection() {
            $crate::store::transaction::TxConnection::Sqlite(connection) => {
                let mut statement = $crate::store::many_rows::listed_rows!($table, $rows, |$item| ($($name: $type = $value),+), $tail);
                let statement = statement.build_query_as().persistent($crate::store::lists::is_worth_caching($rows.len()));
                statement.fetch_all(connection).await?
            }
            $crate::store::transaction::TxConnection::Postgres(connection) => {
                let statement = $crate::store::many_rows::array_rows!(sqlx::query_as, $table, $rows, |$item| ($($name: $type = $value),+), $tail);
                $crate::store::reference_checks::before_inserting(&mut *connection, $rows.len()).await?;
                let returned = statement.fetch_all(&mut *connection).await?;
                $crate::store::reference_checks::after_inserting(connection, $rows.len()).await?;
                returned
            }
        }
    };
}
pub(super) use insert_returning;
