//! Reasons to distrust what a portal answers.

use crate::crawl_definition::UnexpectedAnswer;

/// Why a crawl stops before it stores what the portal answered. Every message states its figures.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Alarm {
    /// An index page has become something else.
    #[error("section {section} has changed, on page {page}: {error}")]
    Index {
        section: String,
        page: u32,
        error: UnexpectedAnswer,
    },
    /// An advert on an index page has no usable number.
    #[error(
        "section {section} shows an advert without a valid number on page {page}: {offer_id:?}"
    )]
    InvalidNumber {
        section: String,
        page: u32,
        offer_id: String,
    },
    /// Two page numbers give the same page.
    #[error(
        "section {section} shows the same {adverts} adverts on page {page} as on the page before"
    )]
    RepeatedPage {
        section: String,
        page: u32,
        adverts: usize,
    },
    /// Several pages in a row show nothing new.
    #[error(
        "section {section} has shown no new advert on {pages} pages in a row, up to page {page}"
    )]
    NothingNew {
        section: String,
        page: u32,
        pages: u32,
    },
    /// A section is empty or has shrunk to a tenth.
    #[error(
        "section {section} shows {now} adverts; the last complete crawl saw {before}. \
         If they are really gone, crawl with --accept-withdrawals"
    )]
    Shrunk {
        section: String,
        now: u64,
        before: u64,
    },
    /// A section ends long before its own count.
    #[error("section {section} claims {total} adverts but ends after {shown}")]
    EndsEarly {
        section: String,
        total: u64,
        shown: u64,
    },
    /// Details have become something else.
    #[error("{count} of {of} details have changed, for example: {first}")]
    UnexpectedDetails {
        count: usize,
        of: usize,
        first: String,
    },
    /// The adapter cannot read the details.
    #[error("{count} of {of} details cannot be read, for example: {first}")]
    UnreadableDetails {
        count: usize,
        of: usize,
        first: String,
    },
    /// Many listings lost a field that they had.
    #[error("{count} of {of} listings have lost their {field} at once{ACCEPT_CHANGES}")]
    FieldLost {
        field: &'static str,
        count: usize,
        of: usize,
    },
    /// Fewer listings have a field than stored listings of the same kinds do.
    #[error(
        "{count} of {of} details have {field}; \
         judging by the stored listings of the same kinds, {expected} should{ACCEPT_CHANGES}"
    )]
    FieldRare {
        field: &'static str,
        count: usize,
        of: usize,
        expected: usize,
    },
    /// A field changed implausibly in many listings at once.
    #[error(
        "the {field} has changed implausibly in {count} of {of} listings that were read again{ACCEPT_CHANGES}"
    )]
    FieldChanged {
        field: &'static str,
        count: usize,
        of: usize,
    },
    /// Many adverts have the same content.
    #[error("{count} of {of} adverts with different numbers have the same content{ACCEPT_CHANGES}")]
    SameContent { count: usize, of: usize },
    /// More listings would end than one crawl may end.
    #[error(
        "of {live} live listings, the portal says that {gone} are gone and {missing} more are in no section; \
         one crawl ends at most {limit}, {since} after the last complete one. For example: {examples}. \
         If they are really gone, crawl with --accept-withdrawals"
    )]
    Withdrawals {
        gone: u64,
        missing: u64,
        live: u64,
        limit: u64,
        since: String,
        examples: String,
    },
    /// Many adverts that the lists have just shown are said to be gone.
    #[error(
        "{gone} of {of} adverts that the lists showed in this crawl are said to be gone, for example {example}. \
         If they are really gone, crawl with --accept-withdrawals"
    )]
    ListedGone { gone: u64, of: u64, example: String },
}

/// What to do if the portal really has changed.
const ACCEPT_CHANGES: &str = ". If that is right, crawl with --accept-changes";
