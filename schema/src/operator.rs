//! People who use the operator's console.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::enumerations::UnknownValue;
use crate::timestamp::Timestamp;

/// What a person may do in the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// See everything except the audit log, and decide about pairs of listings.
    Reviewer,
    /// Also change schedules, request crawls and read the audit log.
    Operator,
}

impl Role {
    const TEXTS: &'static [&'static str] = &["reviewer", "operator"];

    /// The text of the role.
    pub fn as_str(self) -> &'static str {
        Self::TEXTS[self as usize]
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        match text {
            "reviewer" => Ok(Self::Reviewer),
            "operator" => Ok(Self::Operator),
            _ => Err(UnknownValue {
                field: "role",
                value: text.to_owned(),
                accepted: Self::TEXTS,
            }),
        }
    }
}

/// The row number of an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorId(pub i64);

/// A person who may use the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// Its row.
    pub id: OperatorId,
    /// The person's name, unique for good.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// The hash of the password, in the PHC string format.
    pub password_hash: String,
    /// When the person was added.
    pub created_at: Timestamp,
    /// When the person was removed; `None` if not.
    pub removed_at: Option<Timestamp>,
}
