//! Why a portal was not crawled at all.

use std::time::Duration;

use schema::Timestamp;
use schema::store::StoreError;

/// Why a crawl did not start, or why its outcome could not be stored. What happens during a crawl is in its report.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The portal does not allow programs, and the operator states no permission.
    #[error(
        "{site_id} does not allow programs: {by}. If you have permission, state it in the settings file: \
         [portals.{site_id}] permission = \"who gave it, and when\""
    )]
    Forbidden {
        /// The portal.
        site_id: String,
        /// What forbids it.
        by: &'static str,
    },
    /// No contact is set.
    #[error(
        "no contact is set: portals are told who crawls them. Set --contact, JEDEN_CONTACT or `contact` in the settings \
         file to where you can be reached, such as https://example.org/about or crawler@example.org"
    )]
    NoContact,
    /// The contact does not fit in an HTTP header.
    #[error(
        "the contact {contact:?} does not fit in an HTTP header: use printable ASCII characters only"
    )]
    Contact {
        /// What was set.
        contact: String,
    },
    /// The base URL cannot be used.
    #[error("the base URL {url:?} cannot be used: {reason}")]
    BaseUrl {
        /// What was set.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The pace is faster than the portal's policy.
    #[error(
        "a pace of {pace:?} is faster than the {declared:?} allowed for {site_id}; a faster one needs the portal's \
         permission ([portals.{site_id}] permission = \"…\") or another host (base_url)"
    )]
    TooFast {
        /// The portal.
        site_id: String,
        /// What was set.
        pace: Duration,
        /// The pace of the portal's policy.
        declared: Duration,
    },
    /// The concurrency is zero or higher than the portal's policy.
    #[error(
        "a concurrency of {concurrency} is not between 1 and the {declared} allowed for {site_id}; a higher one needs \
         the portal's permission ([portals.{site_id}] permission = \"…\") or another host (base_url)"
    )]
    TooMany {
        /// The portal.
        site_id: String,
        /// What was set.
        concurrency: usize,
        /// The concurrency of the portal's policy.
        declared: usize,
    },
    /// Another crawl of the portal is running.
    #[error("{site_id} is already being crawled, by this or another process")]
    Busy {
        /// The portal.
        site_id: String,
    },
    /// The portal was purged.
    #[error(
        "{site_id} was purged and is not crawled; `jeden purge allow {site_id}` allows it again"
    )]
    Purged {
        /// The portal.
        site_id: String,
    },
    /// The portal asked not to be asked yet.
    #[error("{site_id} asked us not to come back before {until}; crawl it then")]
    Postponed {
        /// The portal.
        site_id: String,
        /// When it may be asked again.
        until: Timestamp,
    },
    /// The HTTP client could not be built.
    #[error("cannot build an HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    /// The dump could not be written.
    #[error("cannot write the dump: {0}")]
    Dump(#[from] std::io::Error),
    /// The database failed. What was stored stays, and the next crawl resumes from there.
    #[error(transparent)]
    Store(#[from] StoreError),
}
