//! What a portal answers and is not to be believed.

use super::client::Unexpected;

/// Why a crawl stops before it stores what a portal answers. Each names its figures.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum Alarm {
    /// A list answered something else than a list.
    #[error("the list {section} is not as it was, on page {page}: {error}")]
    List {
        section: String,
        page: u32,
        error: Unexpected,
    },
    /// An advert in a list has no number, or one that is none.
    #[error("the list {section} shows an advert without a number on page {page}: {offer_id:?}")]
    Nameless {
        section: String,
        page: u32,
        offer_id: String,
    },
    /// Another page number gives the same page.
    #[error(
        "the list {section} shows on page {page} the same {adverts} adverts as on the page before"
    )]
    SamePage {
        section: String,
        page: u32,
        adverts: usize,
    },
    /// Page after page shows nothing that was not on another.
    #[error(
        "the list {section} has gone on for {pages} pages without an advert that it had not shown, up to page {page}"
    )]
    Fruitless {
        section: String,
        page: u32,
        pages: u32,
    },
    /// A list is empty, or a tenth of what it was.
    #[error(
        "the list {section} shows {now} adverts; in the last complete crawl it showed {before}. \
         If they are really gone: --accept-withdrawals"
    )]
    Shrunk {
        section: String,
        now: u64,
        before: u64,
    },
    /// A list ends long before its end.
    #[error("the list {section} says that it has {total} adverts and ends after {shown}")]
    BreaksOff {
        section: String,
        total: u64,
        shown: u64,
    },
    /// Details that answer something else than a detail.
    #[error("{count} of {of} details are not as they were, one of them: {first}")]
    Details {
        count: usize,
        of: usize,
        first: String,
    },
    /// Details that the adapter cannot read.
    #[error("{count} of {of} details cannot be read, one of them: {first}")]
    Unreadable {
        count: usize,
        of: usize,
        first: String,
    },
    /// Listings that had a field and have it no longer.
    #[error("{count} of {of} listings have lost their {field} at once{ACCEPT}")]
    Lost {
        field: &'static str,
        count: usize,
        of: usize,
    },
    /// Fewer listings with a field than the portal's stored ones of the same kinds.
    #[error(
        "{count} of {of} details have a {field}; of so many stored listings of their kinds {expected} would{ACCEPT}"
    )]
    Rare {
        field: &'static str,
        count: usize,
        of: usize,
        expected: usize,
    },
    /// A field changed beyond belief in many listings at once.
    #[error("{count} of {of} listings that were read again have quite another {field}{ACCEPT}")]
    Changed {
        field: &'static str,
        count: usize,
        of: usize,
    },
    /// Many adverts say the same.
    #[error("{count} of {of} adverts with different numbers say exactly the same{ACCEPT}")]
    OneContent { count: usize, of: usize },
    /// More ends than are to be believed.
    #[error(
        "{gone} listings are said to be gone and {missing} more are in no list, of {live} live ones; above {bound} \
         none is ended. If they are really gone: --accept-withdrawals"
    )]
    Withdrawals {
        gone: u64,
        missing: u64,
        live: u64,
        bound: u64,
    },
}

const ACCEPT: &str = ". If that is really so: --accept-changes";
