//! Retrying rejected input.

use futures::future::BoxFuture;
use schema::Timestamp;
use schema::store::rejects::{self, Reject};
use schema::store::{Db, Result};

use super::read::{Entry, latest_accepted, read_line};
use super::report::IntakeReport;
use super::write;

/// How many rejects are retried in one transaction.
const PAGE: u32 = 500;

/// What a retry did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retried {
    /// How many rejects were retried.
    pub tried: u64,
    /// How many of them can be read now. They are no longer among the rejects.
    pub read: u64,
    /// What those did.
    pub report: IntakeReport,
}

/// Reads every reject again. The ones that can be read now take effect and are deleted; the others stay. As in a replay,
/// lines that were observed more than a day after `now` cannot be read.
///
/// # Errors
/// [`schema::store::StoreError`] if the database fails. The retry can be repeated.
pub fn retry_rejects(db: &Db, now: Timestamp) -> BoxFuture<'_, Result<Retried>> {
    Box::pin(async move {
        let latest = latest_accepted(now);
        let mut retried = Retried::default();
        let mut after = None;
        loop {
            let page = rejects::list(db, after, PAGE).await?;
            let Some((last, _)) = page.last() else {
                return Ok(retried);
            };
            after = Some(*last);
            retry_page(db, page, latest, &mut retried).await?;
        }
    })
}

/// Stores what can be read of these rejects and deletes them, in one transaction.
async fn retry_page(
    db: &Db,
    page: Vec<(i64, Reject)>,
    latest: Timestamp,
    retried: &mut Retried,
) -> Result<()> {
    let tried = page.len() as u64;
    let (ids, entries): (Vec<i64>, Vec<Entry>) = page
        .into_iter()
        .filter_map(|(id, reject)| {
            let entry = read_line(&reject.content, latest).ok()?;
            Some((id, entry))
        })
        .unzip();
    let mut report = retried.report.clone();
    report.lines += ids.len() as u64;
    let mut tx = db.begin().await?;
    write::write_entries(&mut tx, entries, &mut report).await?;
    rejects::delete(&mut tx, &ids).await?;
    tx.commit().await?;
    retried.tried += tried;
    retried.read += ids.len() as u64;
    retried.report = report;
    Ok(())
}
