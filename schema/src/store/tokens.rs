//! The tokens. Only their keyed hashes are stored.

use futures::future::BoxFuture;

use super::accounts::AccountRow;
use super::columns::row;
use super::database::{Db, on_db};
use super::error::Result;
use crate::account::{Account, AccountId, TokenRecord};
use crate::timestamp::Timestamp;

/// Stores a new token by its hash.
///
/// # Errors
/// [`super::StoreError::Database`], also when the account does not exist or id or hash are taken.
pub fn create<'a>(
    db: &'a Db,
    token: &'a TokenRecord,
    hash: &'a [u8; 32],
) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move {
        on_db!(db, write, pool => sqlx::query(
        "INSERT INTO tokens (id, account_id, hash, prefix, created_at, revoked_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&token.id)
    .bind(token.account_id.0)
    .bind(hash.as_slice())
    .bind(&token.prefix)
    .bind(token.created_at.millis())
    .bind(token.revoked_at.map(Timestamp::millis))
    .execute(pool)
    .await?.rows_affected());
        Ok(())
    })
}

/// The tokens of an account, or of all, oldest first.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn list(db: &Db, account: Option<AccountId>) -> BoxFuture<'_, Result<Vec<TokenRecord>>> {
    Box::pin(async move {
        let rows: Vec<TokenRow> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT id, account_id, prefix, created_at, revoked_at FROM tokens \
         WHERE $1 IS NULL OR account_id = $1 ORDER BY created_at, id",
    )
    .bind(account.map(|id| id.0))
    .fetch_all(pool)
    .await?);
        Ok(rows.into_iter().map(TokenRow::into_record).collect())
    })
}

/// The hashes of all valid tokens, in no particular order.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn valid_hashes(db: &Db) -> BoxFuture<'_, Result<Vec<[u8; 32]>>> {
    Box::pin(async move {
        let hashes: Vec<Vec<u8>> = on_db!(db, current, pool => {
            sqlx::query_scalar("SELECT hash FROM tokens WHERE revoked_at IS NULL").fetch_all(pool).await?
        });
        // A value of another length cannot be the hash of a token.
        Ok(hashes
            .into_iter()
            .filter_map(|hash| hash.try_into().ok())
            .collect())
    })
}

/// Revokes a token. Returns whether the id exists. A token that is revoked already keeps its time.
///
/// # Errors
/// [`super::StoreError::Database`].
pub fn revoke<'a>(db: &'a Db, id: &'a str, at: Timestamp) -> BoxFuture<'a, Result<bool>> {
    Box::pin(async move {
        let found = on_db!(db, write, pool => {
            sqlx::query("UPDATE tokens SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1")
                .bind(id)
                .bind(at.millis())
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(found > 0)
    })
}

/// The token with this hash, revoked or not, and its account.
///
/// # Errors
/// [`super::StoreError::Database`], [`super::StoreError::Corrupt`].
pub fn by_hash<'a>(
    db: &'a Db,
    hash: &'a [u8; 32],
) -> BoxFuture<'a, Result<Option<(TokenRecord, Account)>>> {
    Box::pin(async move {
        let row: Option<TokenAndAccount> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT tokens.id, tokens.account_id, tokens.prefix, tokens.created_at, tokens.revoked_at, \
             accounts.name, accounts.plan, accounts.requests_override, \
             accounts.created_at AS account_created_at \
         FROM tokens JOIN accounts ON accounts.id = tokens.account_id WHERE tokens.hash = $1",
    )
    .bind(hash.as_slice())
    .fetch_optional(pool)
    .await?);
        let Some(row) = row else { return Ok(None) };
        let account = AccountRow {
            id: row.token.account_id,
            name: row.name,
            plan: row.plan,
            requests_override: row.requests_override,
            created_at: row.account_created_at,
        };
        Ok(Some((row.token.into_record(), account.into_account()?)))
    })
}

row! {
    struct TokenRow {
        id: String,
        account_id: i64,
        prefix: String,
        created_at: i64,
        revoked_at: Option<i64>,
    }
}

impl TokenRow {
    fn into_record(self) -> TokenRecord {
        TokenRecord {
            id: self.id,
            account_id: AccountId(self.account_id),
            prefix: self.prefix,
            created_at: Timestamp(self.created_at),
            revoked_at: self.revoked_at.map(Timestamp),
        }
    }
}

row! {
    struct TokenAndAccount {
        name: String,
        plan: String,
        requests_override: Option<i64>,
        account_created_at: i64,
        ; token: TokenRow
    }
}
