//! Who asks, and the quota that the question is counted against.

use std::time::Instant;

use futures::future::BoxFuture;
use schema::store::with_timeout;
use schema::{Month, Plan, Timestamp};

use crate::admission::{Admitted, rate_limit, reserve};
use crate::auth::{Caller, Token, TokenError};
use crate::beside::refusal::Refusal;
use crate::endpoints::{Asker, described};
use crate::error::ApiError;
use crate::quota::{Outcome, RateLimit};
use crate::state::ApiState;

/// The account behind a valid token, at the time at which it asks.
#[derive(Debug, Clone)]
pub struct TokenHolder {
    pub(super) caller: Caller,
    pub(super) at: Timestamp,
}

impl TokenHolder {
    /// The plan of the account.
    pub fn plan(&self) -> Plan {
        self.caller.account.plan
    }

    /// When it asks.
    pub fn at(&self) -> Timestamp {
        self.at
    }
}

/// A question that was counted.
#[derive(Debug, Clone)]
pub struct Counted {
    pub(super) holder: TokenHolder,
    pub(super) newest_change: i64,
}

impl Counted {
    /// Who asks.
    pub fn holder(&self) -> &TokenHolder {
        &self.holder
    }

    /// The newest change of a record when it was counted.
    pub fn newest_change(&self) -> i64 {
        self.newest_change
    }

    pub(super) fn asker(&self) -> Asker {
        Asker::from_admitted(&self.admitted())
    }

    pub(super) fn admitted(&self) -> Admitted {
        Admitted {
            caller: self.holder.caller.clone(),
            at: self.holder.at,
            newest_change: self.newest_change,
        }
    }
}

impl ApiState {
    /// The account of a token, now. The token is looked up as often as the API looks one up.
    ///
    /// # Errors
    /// [`Refusal`] if the token is unknown or revoked, or the database fails.
    pub fn token_holder<'a>(
        &'a self,
        token: &'a str,
    ) -> BoxFuture<'a, Result<TokenHolder, Refusal>> {
        Box::pin(async move {
            let at = self.config().now();
            let invalid = || ApiError::Unauthorized(TokenError::Invalid);
            let token = Token::parse(token).ok().ok_or_else(invalid)?;
            let found = self.directory().find_caller(&token, at);
            let found = with_timeout(self.config().store_timeout, found).await;
            let caller = found.map_err(ApiError::from)?.ok_or_else(invalid)?;
            Ok(TokenHolder { caller, at })
        })
    }

    /// Counts one question of a token holder.
    ///
    /// # Errors
    /// [`Refusal`] if the quota is used up, or the database fails.
    pub fn count<'a>(&'a self, holder: &'a TokenHolder) -> BoxFuture<'a, Result<Counted, Refusal>> {
        Box::pin(async move {
            match reserve(self, &holder.caller, holder.at, Instant::now()).await? {
                Outcome::Counted { newest_change, .. } => Ok(Counted {
                    holder: holder.clone(),
                    newest_change,
                }),
                Outcome::Exhausted(used) => {
                    let limit = holder.caller.account.requests_per_month();
                    let limit = RateLimit::new(limit, used, holder.at);
                    Err(ApiError::QuotaExceeded(limit).into())
                }
            }
        })
    }

    /// Gives back the count of a question that the service failed to answer.
    pub fn give_back<'a>(&'a self, counted: &'a Counted) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let TokenHolder { caller, at } = &counted.holder;
            let month = Month::containing(*at);
            self.reservations()
                .give_back(caller.account.id, month)
                .await;
        })
    }

    /// The token, the plan and this month's quota of a token holder, as `GET /v1/me` answers it.
    ///
    /// # Errors
    /// [`Refusal`] if the database fails.
    pub fn usage_of<'a>(
        &'a self,
        holder: &'a TokenHolder,
    ) -> BoxFuture<'a, Result<serde_json::Value, Refusal>> {
        Box::pin(async move {
            let limit = rate_limit(self, &holder.caller, holder.at).await?;
            let me = described(&holder.caller, limit, holder.at);
            Ok(serde_json::to_value(&me).map_err(ApiError::internal)?)
        })
    }
}
