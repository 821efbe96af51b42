//! The people who may use the console, and their sessions.

use futures::future::BoxFuture;
use sqlx::AssertSqlSafe;

use super::columns::{Cell, row};
use super::database::{Db, on_db};
use super::error::{Result, StoreError};
use super::transaction::{Tx, on_tx};
use crate::operator::{Operator, OperatorId, Role};
use crate::timestamp::Timestamp;

const COLUMNS: &str = "operators.id, name, role, password_hash, operators.created_at, removed_at";

/// Adds a person.
///
/// # Errors
/// [`StoreError::OperatorExists`] if the name was ever used, [`StoreError::Database`].
pub fn create<'a>(
    db: &'a Db,
    name: &'a str,
    role: Role,
    password_hash: &'a str,
    at: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        let inserted = on_db!(db, write, pool => sqlx::query(
        "INSERT INTO operators (name, role, password_hash, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (name) DO NOTHING",
    )
    .bind(name)
    .bind(role.as_str())
    .bind(password_hash)
    .bind(at.millis())
    .execute(pool)
    .await?
    .rows_affected());
        if inserted == 0 {
            return Err(StoreError::OperatorExists {
                name: name.to_owned(),
            });
        }
        Ok(())
    })
}

/// Every person, by name, also those who were removed.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn list(db: &Db) -> BoxFuture<'_, Result<Vec<Operator>>> {
    Box::pin(async move {
        let text = format!("SELECT {COLUMNS} FROM operators ORDER BY name");
        let rows: Vec<OperatorRow> = on_db!(db, current, pool => {
            sqlx::query_as(AssertSqlSafe(text)).fetch_all(pool).await?
        });
        rows.into_iter().map(OperatorRow::into_operator).collect()
    })
}

/// The person of this name, unless removed.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn by_name<'a>(db: &'a Db, name: &'a str) -> BoxFuture<'a, Result<Option<Operator>>> {
    Box::pin(async move {
        let text =
            format!("SELECT {COLUMNS} FROM operators WHERE name = $1 AND removed_at IS NULL");
        let row: Option<OperatorRow> = on_db!(db, current, pool => {
            sqlx::query_as(AssertSqlSafe(text)).bind(name).fetch_optional(pool).await?
        });
        row.map(OperatorRow::into_operator).transpose()
    })
}

/// Sets a person's password and ends the person's sessions. Returns whether there is such a person.
///
/// # Errors
/// [`StoreError::Database`].
pub fn set_password<'a>(
    tx: &'a mut Tx,
    name: &'a str,
    password_hash: &'a str,
) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let updated = on_tx!(&mut *tx, connection => sqlx::query(
        "UPDATE operators SET password_hash = $2 WHERE name = $1 AND removed_at IS NULL",
    )
    .bind(name)
    .bind(password_hash)
    .execute(connection)
    .await?
    .rows_affected());
        end_sessions(tx, name).await?;
        Ok(updated > 0)
    })
}

/// Removes a person, who cannot log in any more, and ends the person's sessions. Returns whether there was such a person.
///
/// # Errors
/// [`StoreError::Database`].
pub fn remove<'a>(tx: &'a mut Tx, name: &'a str, at: Timestamp) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let updated = on_tx!(&mut *tx, connection => sqlx::query(
        "UPDATE operators SET removed_at = $2 WHERE name = $1 AND removed_at IS NULL",
    )
    .bind(name)
    .bind(at.millis())
    .execute(connection)
    .await?
    .rows_affected());
        end_sessions(tx, name).await?;
        Ok(updated > 0)
    })
}

async fn end_sessions(tx: &mut Tx, name: &str) -> Result<()> {
    on_tx!(tx, connection => sqlx::query(
        "DELETE FROM operator_sessions WHERE operator_id IN (SELECT id FROM operators WHERE name = $1)",
    )
    .bind(name)
    .execute(connection)
    .await?
    .rows_affected());
    Ok(())
}

/// Begins a session. `token_hash` is the hash of the token in the cookie.
///
/// # Errors
/// [`StoreError::Database`].
pub fn begin_session<'a>(
    db: &'a Db,
    token_hash: &'a [u8],
    operator: OperatorId,
    at: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_db!(db, write, pool => sqlx::query(
        "INSERT INTO operator_sessions (token_hash, operator_id, created_at, seen_at) VALUES ($1, $2, $3, $3)",
    )
    .bind(token_hash)
    .bind(operator.0)
    .bind(at.millis())
    .execute(pool)
    .await?
    .rows_affected());
        Ok(())
    })
}

/// A session: the person, and when the session was last noted as used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The person.
    pub operator: Operator,
    /// When the session was last noted as used.
    pub seen_at: Timestamp,
}

/// The session of this token that was begun after `begun_after` and used after `seen_after`.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn session<'a>(
    db: &'a Db,
    token_hash: &'a [u8],
    begun_after: Timestamp,
    seen_after: Timestamp,
) -> BoxFuture<'a, Result<Option<Session>>> {
    Box::pin(async move {
        let text = format!(
            "SELECT {COLUMNS}, seen_at FROM operator_sessions \
             JOIN operators ON operators.id = operator_id \
             WHERE token_hash = $1 AND operator_sessions.created_at > $2 AND seen_at > $3 AND removed_at IS NULL"
        );
        let row: Option<SessionRow> = on_db!(db, current, pool => {
            sqlx::query_as(AssertSqlSafe(text))
                .bind(token_hash)
                .bind(begun_after.millis())
                .bind(seen_after.millis())
                .fetch_optional(pool)
                .await?
        });
        row.map(|row| {
            Ok(Session {
                seen_at: Timestamp(row.seen_at),
                operator: row.operator.into_operator()?,
            })
        })
        .transpose()
    })
}

/// Notes that a session was used.
///
/// # Errors
/// [`StoreError::Database`].
pub fn touch_session<'a>(
    db: &'a Db,
    token_hash: &'a [u8],
    at: Timestamp,
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_db!(db, write, pool => {
            sqlx::query("UPDATE operator_sessions SET seen_at = $2 WHERE token_hash = $1")
                .bind(token_hash)
                .bind(at.millis())
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(())
    })
}

/// Ends a session.
///
/// # Errors
/// [`StoreError::Database`].
pub fn end_session<'a>(db: &'a Db, token_hash: &'a [u8]) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_db!(db, write, pool => {
            sqlx::query("DELETE FROM operator_sessions WHERE token_hash = $1")
                .bind(token_hash)
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(())
    })
}

/// Deletes the sessions that were not used since `before`.
///
/// # Errors
/// [`StoreError::Database`].
pub fn prune_sessions(db: &Db, before: Timestamp) -> BoxFuture<'_, Result<()>> {
    Box::pin(async move {
        on_db!(db, write, pool => {
            sqlx::query("DELETE FROM operator_sessions WHERE seen_at <= $1")
                .bind(before.millis())
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(())
    })
}

row! {
    struct SessionRow {
        seen_at: i64,
        ; operator: OperatorRow
    }
}

row! {
    struct OperatorRow {
        id: i64,
        name: String,
        role: String,
        password_hash: String,
        created_at: i64,
        removed_at: Option<i64>,
    }
}

impl OperatorRow {
    fn into_operator(self) -> Result<Operator> {
        let cell = Cell {
            table: "operators",
            column: "role",
            id: &self.id,
        };
        Ok(Operator {
            id: OperatorId(self.id),
            role: self.role.parse().map_err(|error| cell.corrupt(error))?,
            name: self.name,
            password_hash: self.password_hash,
            created_at: Timestamp(self.created_at),
            removed_at: self.removed_at.map(Timestamp),
        })
    }
}
