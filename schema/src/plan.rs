//! Plans: how many requests a month, and how far into the past (spec, Limits).

use std::fmt;
use std::str::FromStr;

use crate::enumerations::UnknownValue;

/// A plan of the spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Plan {
    /// 10 requests a month, live listings only.
    Free,
    /// 100 requests a month, live listings only.
    Basic,
    /// 500 requests a month, 3 months of history.
    Pro,
    /// 1000 requests a month, 6 months of history.
    Investor,
    /// 1000 requests a month unless agreed otherwise, 6 months of history.
    Custom,
}

impl Plan {
    /// Every plan, in the spec's order.
    pub const ALL: [Self; 5] = [
        Self::Free,
        Self::Basic,
        Self::Pro,
        Self::Investor,
        Self::Custom,
    ];

    const IDS: &'static [&'static str] = &["free", "basicV2", "proV2", "investor", "customV2"];

    /// The spec's plan id.
    pub fn id(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Basic => "basicV2",
            Self::Pro => "proV2",
            Self::Investor => "investor",
            Self::Custom => "customV2",
        }
    }

    /// The display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "Free",
            Self::Basic => "Basic",
            Self::Pro => "Pro",
            Self::Investor => "Investor",
            Self::Custom => "Custom",
        }
    }

    /// Requests a month, before any override agreed for an account.
    pub fn requests_per_month(self) -> u32 {
        match self {
            Self::Free => 10,
            Self::Basic => 100,
            Self::Pro => 500,
            Self::Investor | Self::Custom => 1000,
        }
    }

    /// Calendar months of history; 0 means live listings only.
    pub fn history_months(self) -> u32 {
        match self {
            Self::Free | Self::Basic => 0,
            Self::Pro => 3,
            Self::Investor | Self::Custom => 6,
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Plan {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        Self::ALL
            .into_iter()
            .find(|plan| plan.id() == text)
            .ok_or_else(|| UnknownValue {
                field: "plan",
                value: text.to_owned(),
                accepted: Self::IDS,
            })
    }
}
