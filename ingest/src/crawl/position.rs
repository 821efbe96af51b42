//! How far a crawl has got, as it is stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How far a crawl has got.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Position {
    /// Whether the crawl was started with a limit on listings. Such a crawl is never resumed.
    pub(super) limited: bool,
    /// Whether every section was walked to its end.
    pub(super) walked: bool,
    /// The sections that were walked to their end, with how many adverts each showed.
    pub(super) sections: BTreeMap<String, u64>,
    /// The section that is being walked.
    pub(super) current: Option<SectionPosition>,
}

/// How far a section was walked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SectionPosition {
    /// The section's name.
    pub(super) section: String,
    /// The next page.
    pub(super) page: u32,
    /// How many adverts the section has shown so far.
    pub(super) adverts: u64,
}

impl Position {
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The position that was stored. If another version of the program wrote it in another format, the start.
    pub(super) fn from_text(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Where the walk of a section resumes: its next page, and how many adverts it has shown.
    pub(super) fn resume_at(&self, section: &str) -> (u32, u64) {
        self.current
            .as_ref()
            .filter(|current| current.section == section)
            .map_or((0, 0), |current| (current.page, current.adverts))
    }
}
