//! How far a crawl has got, as it is stored.

use std::collections::BTreeMap;

use schema::store::crawl_runs::CrawlRun;
use schema::{CrawlScope, Timestamp};
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
    /// The sections that the portal says do not exist.
    pub(super) missing: BTreeMap<String, MissingSection>,
    /// The adverts that were passed over, because the portal failed to answer for them.
    pub(super) passed_over: PassedOver,
    /// Before this time the portal does not want to be asked.
    pub(super) not_before: Option<Timestamp>,
}

/// A section that the portal says does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MissingSection {
    /// The kinds of advert that it should show.
    pub(super) scope: CrawlScope,
    /// What the portal answered instead.
    pub(super) answer: String,
}

/// Adverts that were passed over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PassedOver {
    /// How many.
    pub(super) adverts: u64,
    /// How the portal failed for the last of them.
    pub(super) example: Option<String>,
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

/// What a crawl is doing, or was doing when it last stored something.
pub fn step_of(run: &CrawlRun) -> String {
    Position::from_text(&run.position).step()
}

impl Position {
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The position that was stored. If another version of the program wrote it in another format, the start.
    pub(super) fn from_text(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// What the crawl is doing.
    fn step(&self) -> String {
        match &self.current {
            Some(SectionPosition { section, page, .. }) => {
                format!("walking section {section}, page {}", page + 1)
            }
            None if self.walked => "reading details and asking for missing listings".to_owned(),
            None => format!("walking sections, {} done", self.sections.len()),
        }
    }

    /// Whether a section needs no further walk: it was walked to its end, or does not exist.
    pub(super) fn is_done_with(&self, section: &str) -> bool {
        self.sections.contains_key(section) || self.missing.contains_key(section)
    }

    /// What the operator should know about a crawl that got here: missing sections and adverts that were passed over.
    pub(super) fn notes(&self) -> Vec<String> {
        let missing = self.missing.iter().map(|(name, section)| {
            format!(
                "section {name} does not exist, so no listing of its kinds was ended for being absent: {}",
                section.answer
            )
        });
        let passed_over = (self.passed_over.adverts > 0).then(|| {
            format!(
                "the portal failed to answer for {} adverts, which were passed over, for example: {}",
                self.passed_over.adverts,
                self.passed_over.example.as_deref().unwrap_or_default()
            )
        });
        missing.chain(passed_over).collect()
    }

    /// Where the walk of a section resumes: its next page, and how many adverts it has shown.
    pub(super) fn resume_at(&self, section: &str) -> (u32, u64) {
        self.current
            .as_ref()
            .filter(|current| current.section == section)
            .map_or((0, 0), |current| (current.page, current.adverts))
    }
}
