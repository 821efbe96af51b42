//! What ends a crawl before its end.

use schema::store::StoreError;

use super::alarm::Alarm;
use super::error::CrawlError;
use super::guest::GuestError;

/// What ends a crawl before its end.
#[derive(Debug)]
pub(super) enum Halt {
    /// It was asked to stop.
    Stopped,
    /// It has seen as many listings as it was to.
    Enough,
    /// What the portal answers is not to be believed.
    Alarm(Box<Alarm>),
    /// The portal does not answer, or may not be asked.
    Failed(String),
    /// The crawl cannot even be noted.
    Fatal(Box<CrawlError>),
}

impl From<GuestError> for Halt {
    fn from(error: GuestError) -> Self {
        match error {
            GuestError::Stopped => Self::Stopped,
            error => Self::Failed(error.to_string()),
        }
    }
}

impl From<Alarm> for Halt {
    fn from(alarm: Alarm) -> Self {
        Self::Alarm(Box::new(alarm))
    }
}

impl From<CrawlError> for Halt {
    fn from(error: CrawlError) -> Self {
        Self::Fatal(Box::new(error))
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::from(CrawlError::from(error))
    }
}
