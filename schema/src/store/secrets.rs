//! Keys shared by every process of a database. They sign cursors and hash tokens.

use futures::future::BoxFuture;

use super::database::{Db, on_db};
use super::error::{Result, corrupt};

/// The secret of this name. If there is none yet, `fresh` is stored; of several processes at once exactly one stores its
/// value, and all return that one.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn get_or_create<'a>(
    db: &'a Db,
    name: &'a str,
    fresh: [u8; 32],
) -> BoxFuture<'a, Result<[u8; 32]>> {
    Box::pin(async move {
        if let Some(known) = get(db, name).await? {
            return Ok(known);
        }
        on_db!(db, write, pool => sqlx::query(
        "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    )
    .bind(name)
    .bind(fresh.as_slice())
    .execute(pool)
    .await?.rows_affected());
        Ok(get(db, name).await?.unwrap_or(fresh))
    })
}

async fn get(db: &Db, name: &str) -> Result<Option<[u8; 32]>> {
    let value: Option<Vec<u8>> = on_db!(db, current, pool => {
        sqlx::query_scalar("SELECT value FROM secrets WHERE name = $1").bind(name).fetch_optional(pool).await?
    });
    let secret = value
        .map(|value| <[u8; 32]>::try_from(value.as_slice()))
        .transpose();
    secret.map_err(|error| corrupt("secrets", "value", name, error))
}
