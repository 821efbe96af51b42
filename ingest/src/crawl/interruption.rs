//! What ends a crawl early.

use schema::store::StoreError;

use super::alarm::Alarm;
use super::error::CrawlError;
use super::portal_client::RequestError;

/// What ends a crawl early.
#[derive(Debug)]
pub(super) enum Interruption {
    /// The crawl was asked to stop.
    Stopped,
    /// The crawl has seen as many listings as it was asked to see.
    LimitReached,
    /// What the portal answers is implausible.
    Alarm(Box<Alarm>),
    /// The portal does not answer, or must not be asked.
    Failed(String),
    /// Not even the outcome of the crawl can be stored.
    Fatal(Box<CrawlError>),
}

impl From<RequestError> for Interruption {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Stopped => Self::Stopped,
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<Alarm> for Interruption {
    fn from(alarm: Alarm) -> Self {
        Self::Alarm(Box::new(alarm))
    }
}

impl From<CrawlError> for Interruption {
    fn from(error: CrawlError) -> Self {
        Self::Fatal(Box::new(error))
    }
}

impl From<StoreError> for Interruption {
    fn from(error: StoreError) -> Self {
        Self::from(CrawlError::from(error))
    }
}
