//! The changes after a number, as far as a filter shows them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use api::index::{Batch, Filter, PageRequest, Stop, View};
use futures::future::BoxFuture;
use schema::store::offers::IndexRow;
use schema::store::record_events::{self, LoggedEvents};
use schema::store::{Db, StoreError, Tx};
use schema::{OfferId, RecordEvent};

use crate::change::{Change, detail};

/// The number of changes that are read together if a filter leaves some out.
const CHUNK: u32 = 500;
/// The number of changes that are looked at for one page.
const MOST_SCANNED: usize = 50_000;

/// Which changes are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The number after which to read; `None` reads none, and says which change is the last.
    pub after: Option<i64>,
    /// The largest number of changes on a page.
    pub limit: u32,
    /// Which records are shown.
    pub filter: &'a Filter,
    /// The reader may know of changes up to this number, because it was told of them where it was counted. A read replica
    /// may not have them yet: then there are no changes, and [`PageError::Ahead`] would be wrong.
    pub heard_of: i64,
}

/// Some changes in the order of their numbers.
#[derive(Debug, Clone)]
pub struct Page {
    /// The changes.
    pub changes: Vec<Change>,
    /// Everything up to this number is on this page or is not shown: the next page is after it.
    pub next_after: i64,
    /// Whether there are more changes already.
    pub has_more: bool,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// Changes after the number are no longer known.
    #[error(
        "the changes up to number {known_after} are no longer kept, and those after {after} were asked for"
    )]
    Expired {
        /// The number that was asked for.
        after: i64,
        /// Everything after this number is known.
        known_after: i64,
    },
    /// The number was never given, or the database was restored from a backup since.
    #[error("the last change has number {newest}, and those after {after} were asked for")]
    Ahead {
        /// The number that was asked for.
        after: i64,
        /// The number of the last change.
        newest: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Failed(#[from] StoreError),
}

/// Reads a page. All of it is of one state of the database.
///
/// A record that the filter shows is on the page with its detail. Of a record that it does not show, only those changes
/// are on the page by which it may have left the filter: without these, a copy would keep it.
///
/// # Errors
/// [`PageError`].
pub fn read_page<'a>(db: &'a Db, wanted: Wanted<'a>) -> BoxFuture<'a, Result<Page, PageError>> {
    Box::pin(async move {
        let mut tx = record_events::begin(db).await?;
        let page = read_page_in(&mut tx, wanted).await?;
        tx.rollback().await?;
        Ok(page)
    })
}

async fn read_page_in(tx: &mut Tx, wanted: Wanted<'_>) -> Result<Page, PageError> {
    let known = record_events::known(tx).await?;
    let after = wanted.after.unwrap_or(known.newest);
    if after < known.after {
        let known_after = known.after;
        return Err(PageError::Expired { after, known_after });
    }
    if after > known.newest {
        let newest = known.newest;
        if after > wanted.heard_of {
            return Err(PageError::Ahead { after, newest });
        }
        return Ok(Page {
            changes: Vec::new(),
            next_after: after,
            has_more: false,
        });
    }
    let fields = wanted.filter.fields();
    let chunk = if fields.is_empty() {
        wanted.limit
    } else {
        CHUNK.max(wanted.limit)
    };
    let (mut shown, mut at, mut scanned) = (Vec::new(), after, 0);
    let has_more = loop {
        let rows = record_events::after(tx, at, chunk).await?;
        let is_last = rows.len() < chunk as usize;
        scanned += rows.len();
        let records = Records::load(tx, &rows, wanted.filter).await?;
        let mut rows = rows.into_iter();
        while shown.len() < wanted.limit as usize
            && let Some(row) = rows.next()
        {
            at = row.change;
            if let Some(state) = records.shown(&row, &fields) {
                shown.push((row, state));
            }
        }
        if rows.next().is_some() {
            break true;
        }
        if is_last {
            at = known.newest;
            break false;
        }
        if shown.len() == wanted.limit as usize || scanned >= MOST_SCANNED {
            break !record_events::after(tx, at, 1).await?.is_empty();
        }
    };
    Ok(Page {
        changes: with_details(tx, shown).await?,
        next_after: at,
        has_more,
    })
}

/// Joins the events with the details of their records.
async fn with_details(
    tx: &mut Tx,
    shown: Vec<(LoggedEvents, Shown)>,
) -> Result<Vec<Change>, StoreError> {
    let rows: HashSet<i64> = shown.iter().filter_map(|(_, shown)| shown.row).collect();
    let rows: Vec<i64> = rows.into_iter().collect();
    let documents = record_events::documents(tx, &rows).await?;
    let details: HashMap<i64, _> = documents
        .iter()
        .filter_map(|document| Some((document.row, detail(document)?)))
        .collect();
    let changes = shown.into_iter().map(|(events, shown)| Change {
        seq: events.change,
        id: events.id,
        events: events.events,
        offer: shown.row.and_then(|row| details.get(&row).cloned()),
    });
    Ok(changes.collect())
}

/// How a change is shown.
struct Shown {
    /// The row of its record; `None` if the record is not shown.
    row: Option<i64>,
}

/// The records of some changes as they are now.
struct Records {
    rows: HashMap<OfferId, i64>,
    matching: HashSet<i64>,
}

impl Records {
    async fn load(
        tx: &mut Tx,
        events: &[LoggedEvents],
        filter: &Filter,
    ) -> Result<Self, StoreError> {
        let ids: HashSet<&OfferId> = events.iter().map(|one| &one.id).collect();
        let ids: Vec<OfferId> = ids.into_iter().cloned().collect();
        let rows = record_events::records(tx, &ids).await?;
        let matching = matching(&rows, filter);
        let rows = rows
            .into_iter()
            .filter_map(|row| Some((OfferId::parse(&row.id).ok()?, row.row)));
        Ok(Self {
            rows: rows.collect(),
            matching,
        })
    }

    /// How a change is shown; `None` if it is not. The filter depends on `fields`.
    fn shown(&self, change: &LoggedEvents, fields: &[&str]) -> Option<Shown> {
        let row = self.rows.get(&change.id).copied();
        let shown = row.filter(|row| self.matching.contains(row));
        let is_of_interest = match row {
            _ if shown.is_some() => true,
            Some(_) => change.events.iter().any(|one| may_leave(one, fields)),
            // Its end is a later change, unless this is it.
            None => fields.is_empty() || change.events.iter().any(is_end),
        };
        is_of_interest.then_some(Shown { row: shown })
    }
}

/// Whether a record may have ceased to match a filter on `fields` because of this.
fn may_leave(event: &RecordEvent, fields: &[&str]) -> bool {
    match event {
        RecordEvent::Gone => true,
        RecordEvent::Changed(changed) => changed.iter().any(|name| fields.contains(&name.as_str())),
        _ => false,
    }
}

fn is_end(event: &RecordEvent) -> bool {
    matches!(event, RecordEvent::Merged(_) | RecordEvent::Removed)
}

/// The rows that a search with this filter would find.
fn matching(rows: &[IndexRow], filter: &Filter) -> HashSet<i64> {
    let empty = View::default();
    let mut batch = Batch::new(&empty);
    for row in rows {
        batch.changed(row);
    }
    let request = PageRequest {
        after: None,
        as_of: None,
        limit: rows.len(),
    };
    // Some hundred records take a moment.
    let stop = Stop::new(
        Instant::now() + Duration::from_hours(1),
        Arc::new(AtomicBool::new(false)),
    );
    let found = empty.after(batch, 0).search(filter, request, &stop);
    let hits = found.map(|found| found.hits).unwrap_or_default();
    hits.into_iter().map(|hit| hit.position.row).collect()
}
