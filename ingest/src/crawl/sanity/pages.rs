//! Whether the pages of a list are to be believed.

use std::collections::HashSet;

use crate::crawl::alarm::Alarm;
use crate::crawl::client::{IndexPage, Section};

/// Pages in a row without anything new: adverts that move to a later page while a list is walked explain one or two.
const FRUITLESS: u32 = 4;

/// Lists with fewer adverts than this may well become empty.
const WORTH_WATCHING: u64 = 20;

/// The longest number of an advert, in characters.
const LONGEST_NUMBER: usize = 200;

/// What the pages of one list have shown.
#[derive(Debug, Default)]
pub(in crate::crawl) struct Pages {
    before: Vec<String>,
    shown: HashSet<String>,
    fruitless: u32,
}

impl Pages {
    /// Takes in a page; says how many of its adverts the list had not shown.
    ///
    /// # Errors
    /// The alarm that it gives.
    pub(in crate::crawl) fn turn(
        &mut self,
        section: &Section,
        page: u32,
        found: &IndexPage,
    ) -> Result<u64, Alarm> {
        let section = section.name.clone();
        if let Some(nameless) = found
            .entries
            .iter()
            .find(|entry| !has_number(&entry.offer_id))
        {
            return Err(Alarm::Nameless {
                section,
                page,
                offer_id: nameless.offer_id.clone(),
            });
        }
        let adverts: Vec<String> = found
            .entries
            .iter()
            .map(|entry| entry.offer_id.clone())
            .collect();
        if !adverts.is_empty() && adverts == self.before && found.more {
            return Err(Alarm::SamePage {
                section,
                page,
                adverts: adverts.len(),
            });
        }
        let new = adverts
            .iter()
            .filter(|advert| self.shown.insert((*advert).clone()))
            .count() as u64;
        self.before = adverts;
        self.fruitless = if new > 0 { 0 } else { self.fruitless + 1 };
        if found.more && self.fruitless >= FRUITLESS {
            return Err(Alarm::Fruitless {
                section,
                page,
                pages: self.fruitless,
            });
        }
        Ok(new)
    }
}

/// Whether an advert's number is one that dumps and databases can carry.
fn has_number(offer_id: &str) -> bool {
    !offer_id.is_empty()
        && offer_id.chars().count() <= LONGEST_NUMBER
        && !offer_id.chars().any(char::is_control)
}

/// Whether a list that showed `before` adverts has become empty, or a tenth of itself.
pub(in crate::crawl) fn has_shrunk(before: u64, now: u64) -> bool {
    before >= WORTH_WATCHING && now * 10 <= before
}
