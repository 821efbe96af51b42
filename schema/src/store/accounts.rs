//! The accounts.

use futures::future::BoxFuture;

use super::columns::{Cell, row};
use super::database::{Db, on_db};
use super::error::{Result, StoreError};
use crate::account::{Account, AccountId};
use crate::plan::Plan;
use crate::timestamp::Timestamp;

/// Creates an account. Only an account on the plan `customV2` may have its own number of requests a month.
///
/// # Errors
/// [`StoreError::AccountExists`], [`StoreError::OverrideOutsideCustom`], [`StoreError::Database`].
pub fn create<'a>(
    db: &'a Db,
    name: &'a str,
    plan: Plan,
    requests_override: Option<u32>,
    at: Timestamp,
) -> BoxFuture<'a, Result<Account>> {
    Box::pin(async move {
        if requests_override.is_some() && plan != Plan::Custom {
            return Err(StoreError::OverrideOutsideCustom {
                name: name.to_owned(),
                plan: plan.id(),
            });
        }
        let row: Option<AccountRow> = on_db!(db, write, pool => sqlx::query_as(
        "INSERT INTO accounts (name, plan, requests_override, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (name) DO NOTHING RETURNING id, name, plan, requests_override, created_at",
    )
    .bind(name)
    .bind(plan.id())
    .bind(requests_override.map(i64::from))
    .bind(at.millis())
    .fetch_optional(pool)
    .await?);
        match row {
            Some(row) => row.into_account(),
            None => Err(StoreError::AccountExists {
                name: name.to_owned(),
            }),
        }
    })
}

/// Every account, by name.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn list(db: &Db) -> BoxFuture<'_, Result<Vec<Account>>> {
    Box::pin(async move {
        let rows: Vec<AccountRow> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT id, name, plan, requests_override, created_at FROM accounts ORDER BY name",
    )
    .fetch_all(pool)
    .await?);
        rows.into_iter().map(AccountRow::into_account).collect()
    })
}

/// The account of this name.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn by_name<'a>(db: &'a Db, name: &'a str) -> BoxFuture<'a, Result<Option<Account>>> {
    Box::pin(async move {
        let row: Option<AccountRow> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT id, name, plan, requests_override, created_at FROM accounts WHERE name = $1",
    )
    .bind(name)
    .fetch_optional(pool)
    .await?);
        row.map(AccountRow::into_account).transpose()
    })
}

/// The account in this row.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn get(db: &Db, id: AccountId) -> BoxFuture<'_, Result<Option<Account>>> {
    Box::pin(async move {
        let row: Option<AccountRow> = on_db!(db, current, pool => sqlx::query_as(
        "SELECT id, name, plan, requests_override, created_at FROM accounts WHERE id = $1",
    )
    .bind(id.0)
    .fetch_optional(pool)
    .await?);
        row.map(AccountRow::into_account).transpose()
    })
}

/// Moves an account to a plan. Its own number of requests is dropped unless the plan is `customV2`.
///
/// # Errors
/// [`StoreError::NoAccount`], [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn set_plan<'a>(db: &'a Db, name: &'a str, plan: Plan) -> BoxFuture<'a, Result<Account>> {
    Box::pin(async move {
        let row: Option<AccountRow> = on_db!(db, write, pool => sqlx::query_as(
        "UPDATE accounts SET plan = $2, \
             requests_override = CASE WHEN $2 = 'customV2' THEN requests_override ELSE NULL END \
         WHERE name = $1 RETURNING id, name, plan, requests_override, created_at",
    )
    .bind(name)
    .bind(plan.id())
    .fetch_optional(pool)
    .await?);
        match row {
            Some(row) => row.into_account(),
            None => Err(StoreError::NoAccount {
                name: name.to_owned(),
            }),
        }
    })
}

/// Moves an account to the plan `customV2` with a number of requests a month of its own.
///
/// # Errors
/// [`StoreError::NoAccount`], [`StoreError::Database`], [`StoreError::Corrupt`].
pub fn set_custom<'a>(
    db: &'a Db,
    name: &'a str,
    requests_per_month: u32,
) -> BoxFuture<'a, Result<Account>> {
    Box::pin(async move {
        let row: Option<AccountRow> = on_db!(db, write, pool => sqlx::query_as(
        "UPDATE accounts SET plan = $2, requests_override = $3 WHERE name = $1 \
         RETURNING id, name, plan, requests_override, created_at",
    )
    .bind(name)
    .bind(Plan::Custom.id())
    .bind(i64::from(requests_per_month))
    .fetch_optional(pool)
    .await?);
        match row {
            Some(row) => row.into_account(),
            None => Err(StoreError::NoAccount {
                name: name.to_owned(),
            }),
        }
    })
}

row! {
    /// A row of `accounts`.
    pub(super) struct AccountRow {
        pub(super) id: i64,
        pub(super) name: String,
        pub(super) plan: String,
        pub(super) requests_override: Option<i64>,
        pub(super) created_at: i64,
    }
}

impl AccountRow {
    pub(super) fn into_account(self) -> Result<Account> {
        let cell = |column| Cell {
            table: "accounts",
            column,
            id: &self.id,
        };
        let plan = self
            .plan
            .parse()
            .map_err(|error| cell("plan").corrupt(error))?;
        let requests_override = self
            .requests_override
            .map(|count| cell("requests_override").count(count))
            .transpose()?;
        Ok(Account {
            id: AccountId(self.id),
            name: self.name,
            plan,
            requests_override,
            created_at: Timestamp(self.created_at),
        })
    }
}
