//! How far a crawl is, as it is stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How far a crawl is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Position {
    /// Whether it was begun with a bound on listings: nobody goes on with such a crawl.
    pub(super) limited: bool,
    /// Whether every list was walked to its end.
    pub(super) walked: bool,
    /// The lists that were walked to their end, with how many adverts each showed.
    pub(super) sections: BTreeMap<String, u64>,
    /// The list that is being walked.
    pub(super) current: Option<InSection>,
}

/// How far a list was walked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InSection {
    /// Its name.
    pub(super) section: String,
    /// The next page.
    pub(super) page: u32,
    /// How many adverts it showed so far.
    pub(super) adverts: u64,
}

impl Position {
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The position that was stored; one that another version of the program wrote is the beginning.
    pub(super) fn from_text(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Where the walk of a list goes on: its next page, and how many adverts it showed.
    pub(super) fn within(&self, section: &str) -> (u32, u64) {
        let current = self
            .current
            .as_ref()
            .filter(|current| current.section == section);
        current.map_or((0, 0), |current| (current.page, current.adverts))
    }
}
