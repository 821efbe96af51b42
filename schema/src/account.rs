//! Accounts and what the store knows about their tokens.

use crate::plan::Plan;
use crate::timestamp::Timestamp;

/// The row number of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountId(pub i64);

/// A customer of the API: a name, a plan, and one quota for all of its tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its row.
    pub id: AccountId,
    /// Its unique name.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// Requests a month agreed for this account alone; only a `customV2` account has such a number.
    pub requests_override: Option<u32>,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Account {
    /// Requests a month: the override, else the plan's.
    pub fn requests_per_month(&self) -> u32 {
        self.requests_override
            .unwrap_or_else(|| self.plan.requests_per_month())
    }
}

/// A token as the store knows it: never the token itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRecord {
    /// The public id, `[A-Za-z0-9_-]{1,64}`.
    pub id: String,
    /// The account it belongs to.
    pub account_id: AccountId,
    /// The first characters of the token, which may be shown.
    pub prefix: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was revoked; `None` while it is valid.
    pub revoked_at: Option<Timestamp>,
}

/// A calendar month in UTC, the period of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    /// Calendar year.
    pub year: i32,
    /// 1 to 12.
    pub month: u32,
}

impl Month {
    /// The month in which `instant` lies.
    pub fn containing(instant: Timestamp) -> Self {
        use chrono::Datelike;
        let date = instant.to_utc();
        Self {
            year: date.year(),
            month: date.month(),
        }
    }

    /// The month after this one.
    #[must_use]
    pub fn next(self) -> Self {
        if self.month == 12 {
            Self {
                year: self.year + 1,
                month: 1,
            }
        } else {
            Self {
                year: self.year,
                month: self.month + 1,
            }
        }
    }

    /// Its first instant: midnight UTC of the first day.
    pub fn start(self) -> Timestamp {
        let date = chrono::NaiveDate::from_ymd_opt(self.year, self.month, 1).unwrap_or_default();
        Timestamp(
            date.and_time(chrono::NaiveTime::MIN)
                .and_utc()
                .timestamp_millis(),
        )
    }

    /// Months since year 0: the store's column.
    pub fn ordinal(self) -> i32 {
        self.year * 12 + self.month.cast_signed() - 1
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}
