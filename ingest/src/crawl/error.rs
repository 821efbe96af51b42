//! Why a portal is not crawled at all.

use std::time::Duration;

use schema::store::StoreError;

/// Why a crawl did not begin, or could not note how it went. What happens during a crawl stands in its report.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The portal does not allow programs, and nobody says that they have permission.
    #[error(
        "{site_id} does not allow programs: {by}. Who has permission says so in the settings: \
         [portals.{site_id}] permission = \"who gave it, and when\""
    )]
    Forbidden {
        /// The portal.
        site_id: String,
        /// What forbids it.
        by: &'static str,
    },
    /// Portals are told whom to write to.
    #[error(
        "a portal is told who reads it: set --contact, JEDEN_CONTACT or `contact` in the settings file to an address \
         where you can be reached, such as https://example.org/about or crawler@example.org"
    )]
    NoContact,
    /// A contact that no header can carry.
    #[error("the contact {contact:?} cannot be sent: accepted are printable ASCII characters")]
    Contact {
        /// What was set.
        contact: String,
    },
    /// A base URL that is none.
    #[error("the base URL {url:?} cannot be used: {reason}")]
    BaseUrl {
        /// What was set.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A pace that the portal did not agree to.
    #[error(
        "a pace of {pace:?} is faster than the {declared:?} that {site_id} is treated with; that takes its \
         permission ([portals.{site_id}] permission = \"…\") or another host (base_url)"
    )]
    TooFast {
        /// The portal.
        site_id: String,
        /// What was set.
        pace: Duration,
        /// What is declared.
        declared: Duration,
    },
    /// More requests at once than the portal agreed to, or none at all.
    #[error(
        "a concurrency of {concurrency} is not between 1 and the {declared} that {site_id} is treated with; more \
         takes its permission ([portals.{site_id}] permission = \"…\") or another host (base_url)"
    )]
    TooMany {
        /// The portal.
        site_id: String,
        /// What was set.
        concurrency: usize,
        /// What is declared.
        declared: usize,
    },
    /// Another crawl of the portal is under way.
    #[error("{site_id} is being crawled already, by this or another process")]
    Busy {
        /// The portal.
        site_id: String,
    },
    /// No client for HTTP can be made.
    #[error("no HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    /// The dump could not be written.
    #[error("the dump cannot be written: {0}")]
    Dump(#[from] std::io::Error),
    /// The database failed: what was stored stays, and the next crawl goes on from there.
    #[error(transparent)]
    Store(#[from] StoreError),
}
