//! Whether the index pages of a section are plausible.

use std::collections::HashSet;

use crate::crawl::alarm::Alarm;
use crate::crawl_definition::{IndexPage, Section};

/// How many pages in a row may show nothing new. Adverts that move to a later page during the walk explain one or two.
const MAX_PAGES_WITHOUT_NEW: u32 = 4;

/// A section with fewer adverts than this may become empty or end early.
const LEAST_ADVERTS: u64 = 20;

/// The longest number of an advert, in characters.
const MAX_NUMBER_CHARS: usize = 200;

/// Checks the pages of one section, one after the other.
#[derive(Debug, Default)]
pub(in crate::crawl) struct PageChecks {
    /// The adverts on the previous page.
    previous: Vec<String>,
    /// The adverts on all pages so far.
    shown: HashSet<String>,
    pages_without_new: u32,
}

impl PageChecks {
    /// Checks the next page and returns how many of its adverts are new in this section.
    ///
    /// # Errors
    /// The alarm that the page raises.
    pub(in crate::crawl) fn check(
        &mut self,
        section: &Section,
        page: u32,
        found: &IndexPage,
    ) -> Result<u64, Alarm> {
        let section = section.name.clone();
        let mut numbers = found.entries.iter().map(|entry| &entry.offer_id);
        if let Some(invalid) = numbers.find(|number| !is_valid_number(number)) {
            return Err(Alarm::InvalidNumber {
                section,
                page,
                offer_id: invalid.clone(),
            });
        }
        let adverts: Vec<String> = found
            .entries
            .iter()
            .map(|entry| entry.offer_id.clone())
            .collect();
        if !adverts.is_empty() && adverts == self.previous && found.more {
            return Err(Alarm::RepeatedPage {
                section,
                page,
                adverts: adverts.len(),
            });
        }
        let new = adverts
            .iter()
            .filter(|advert| self.shown.insert((*advert).clone()))
            .count() as u64;
        self.previous = adverts;
        self.pages_without_new = if new > 0 {
            0
        } else {
            self.pages_without_new + 1
        };
        if found.more && self.pages_without_new >= MAX_PAGES_WITHOUT_NEW {
            return Err(Alarm::NothingNew {
                section,
                page,
                pages: self.pages_without_new,
            });
        }
        Ok(new)
    }
}

/// Whether dumps and databases can hold an advert's number.
fn is_valid_number(offer_id: &str) -> bool {
    !offer_id.is_empty()
        && offer_id.chars().count() <= MAX_NUMBER_CHARS
        && !offer_id.chars().any(char::is_control)
}

/// Whether a section that showed `before` adverts is empty now, or has shrunk to a tenth.
pub(in crate::crawl) fn has_shrunk(before: u64, now: u64) -> bool {
    before >= LEAST_ADVERTS && now * 10 <= before
}

/// Whether a section ends with less than half of the adverts that it claims. Some go while it is walked.
pub(in crate::crawl) fn ends_early(total: u64, shown: u64) -> bool {
    total >= LEAST_ADVERTS && shown * 2 < total
}
