//! Adverts for which the portal fails to answer. A single one is passed over; many mean that the portal is down.

use crate::crawl::interruption::Interruption;
use crate::crawl::portal_client::RequestError;

/// After this many failures in a row the crawl stops.
const MOST_IN_A_ROW: usize = 5;

/// From this many failures on, their share counts too.
const LEAST_FAILED: usize = 10;

/// Counts for how many adverts the portal answers in a crawl, and for how many it fails to.
#[derive(Debug, Default)]
pub(in crate::crawl) struct DetailFailures {
    asked: usize,
    failed: usize,
    in_a_row: usize,
    last: Option<Unanswered>,
}

/// How the portal failed to answer for an advert: the status or error of the last attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawl) struct Unanswered(pub(in crate::crawl) String);

impl Unanswered {
    /// The failure, if this error is one that may concern a single advert.
    pub(super) fn from_error(error: &RequestError) -> Option<Self> {
        match error {
            RequestError::Unanswered { .. } => Some(Self(error.to_string())),
            _ => None,
        }
    }
}

impl DetailFailures {
    /// Counts an advert: how the portal failed to answer for it, or `None` if it answered.
    pub(super) fn count(&mut self, unanswered: Option<&Unanswered>) {
        self.asked += 1;
        match unanswered {
            Some(unanswered) => {
                self.failed += 1;
                self.in_a_row += 1;
                self.last = Some(unanswered.clone());
            }
            None => self.in_a_row = 0,
        }
    }

    /// What stops the crawl: five adverts in a row without an answer, or more than a quarter of all.
    pub(super) fn interruption(&mut self) -> Option<Interruption> {
        let too_many = self.failed >= LEAST_FAILED && self.failed * 4 > self.asked;
        if self.in_a_row < MOST_IN_A_ROW && !too_many {
            return None;
        }
        let Self {
            asked,
            failed,
            in_a_row,
            last,
        } = std::mem::take(self);
        let Unanswered(why) = last?;
        Some(Interruption::Failed(format!(
            "the portal failed to answer for {failed} of {asked} adverts, {in_a_row} in a row; the last: {why}"
        )))
    }
}
