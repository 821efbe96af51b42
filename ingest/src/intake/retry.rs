//! A second try for input that could not be read.

use schema::store::rejects::{self, Reject};
use schema::store::{Db, Result};

use super::read::{Entry, line_content};
use super::report::IntakeReport;
use super::write;

/// Rejects in one transaction.
const PAGE: u32 = 500;

/// What a second try did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retried {
    /// Rejects tried again.
    pub tried: u64,
    /// Those that can be read now; they are no longer among the rejects.
    pub read: u64,
    /// What these did.
    pub report: IntakeReport,
}

/// Reads every reject again. Those that can be read now take effect and leave the rejects; the others stay.
///
/// # Errors
/// [`schema::store::StoreError`] when the database fails; trying again is right.
pub async fn retry_rejects(db: &Db) -> Result<Retried> {
    let mut retried = Retried::default();
    let mut after = None;
    loop {
        let page = rejects::list(db, after, PAGE).await?;
        let Some((last, _)) = page.last() else {
            return Ok(retried);
        };
        after = Some(*last);
        retry_page(db, page, &mut retried).await?;
    }
}

/// Takes in what can be read of a page of rejects, in one transaction with its leaving the rejects.
async fn retry_page(db: &Db, page: Vec<(i64, Reject)>, retried: &mut Retried) -> Result<()> {
    let tried = page.len() as u64;
    let (ids, entries): (Vec<i64>, Vec<Entry>) = page
        .into_iter()
        .filter_map(|(id, reject)| line_content(&reject.content).ok().map(|entry| (id, entry)))
        .unzip();
    let mut report = retried.report.clone();
    report.lines += ids.len() as u64;
    let mut tx = db.begin().await?;
    write::entries(&mut tx, entries, &mut report).await?;
    rejects::delete(&mut tx, &ids).await?;
    tx.commit().await?;
    retried.tried += tried;
    retried.read += ids.len() as u64;
    retried.report = report;
    Ok(())
}
