//! Reading the details of adverts.
//!
//! `fetch` requests them, `failures` counts for how many the portal fails to answer, `interpret` works out what each
//! answer means, and `apply` turns that into what is stored.

mod apply;
mod failures;
mod fetch;
mod interpret;

use schema::Timestamp;
use schema::store::index_entries::{self, Due, StoredEntry};
use serde_json::Value;

use super::crawler::Crawler;
use super::interruption::Interruption;
use super::portal_client::HttpValidators;
use super::report::CrawlStep;

pub(super) use failures::{DetailFailures, Unanswered};
pub(super) use fetch::can_be_requested;

/// How many details are requested, checked for plausibility and stored together.
pub(super) const BATCH: usize = 60;

/// An advert whose detail is requested.
#[derive(Debug, Clone)]
pub(super) struct RequestedDetail {
    pub(super) entry: StoredEntry,
    /// Whether an index page has ever shown the advert.
    pub(super) is_listed: bool,
}

/// An advert with the portal's answer about it.
#[derive(Debug)]
pub(super) struct FetchedDetail {
    pub(super) requested: RequestedDetail,
    pub(super) at: Timestamp,
    pub(super) answer: DetailAnswer,
}

/// What the portal answered about one advert.
#[derive(Debug)]
pub(super) enum DetailAnswer {
    /// A payload.
    Payload {
        payload: Value,
        validators: HttpValidators,
    },
    /// The stored version is current (status 304).
    NotModified,
    /// The advert is gone; how the portal said so.
    Gone(String),
    /// Something that a detail never is.
    Unexpected(String),
    /// Nothing, however often the portal was asked.
    Unanswered(Unanswered),
}

impl DetailAnswer {
    /// How the portal failed to answer, if it did.
    fn unanswered(&self) -> Option<&Unanswered> {
        match self {
            Self::Unanswered(unanswered) => Some(unanswered),
            _ => None,
        }
    }

    /// A payload without validators.
    pub(super) fn payload(payload: Value) -> Self {
        Self::Payload {
            payload,
            validators: HttpValidators::default(),
        }
    }
}

impl Crawler<'_> {
    /// Reads the details of all adverts that the index pages showed and that are due: first those of new and changed
    /// adverts, then those that are only old.
    pub(super) async fn read_due_details(&mut self) -> Result<(), Interruption> {
        let due = Due {
            site_id: self.site_id,
            seen_since: self.run.started_at,
            by: (self.now)(),
            after: "",
            fresh: None,
        };
        let of = index_entries::due_count(self.db, due).await?;
        let mut done = 0;
        for fresh in [true, false] {
            let mut after = String::new();
            loop {
                self.report_progress(CrawlStep::Reading { done, of });
                let rest = Due {
                    after: &after,
                    fresh: Some(fresh),
                    ..due
                };
                let entries = index_entries::due(self.db, rest, BATCH as u32).await?;
                let Some(last) = entries.last() else { break };
                after.clone_from(&last.offer_id);
                done += entries.len() as u64;
                let requested = entries.into_iter().map(|entry| RequestedDetail {
                    entry,
                    is_listed: true,
                });
                self.read_details(requested.collect()).await?;
            }
        }
        Ok(())
    }

    /// Requests these details, checks them together and stores them. If the crawl is interrupted, the answers
    /// that have arrived are stored.
    pub(super) async fn read_details(
        &mut self,
        requested: Vec<RequestedDetail>,
    ) -> Result<(), Interruption> {
        let (fetched, interruption) =
            fetch::fetch_details(&self.client, self.definition, requested, &mut self.failures)
                .await;
        let writes = self.interpret_details(fetched).await?;
        self.save(writes).await?;
        interruption.map_or(Ok(()), Err)
    }
}
