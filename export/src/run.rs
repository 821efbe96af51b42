//! An export: one task reads a state of the database page by page, another writes the pages before.

use std::path::Path;

use futures::future::BoxFuture;
use schema::store::{Db, Tx, matches, offers};
use schema::{ListingId, Timestamp};
use tokio::sync::mpsc::{self, Sender};

use crate::error::ExportError;
use crate::format::Format;
use crate::manifest::Manifest;
use crate::records::{Batch, Tables};
use crate::selection::Selection;

/// The number of records that are read together: with their texts some 30 MB.
const RECORDS: u32 = 10_000;
/// The number of pairs that are read together.
const PAIRS: u32 = 20_000;
/// The number of batches that wait to be written.
const WAITING: usize = 1;

/// What to export, and where to.
#[derive(Debug, Clone)]
pub struct ExportRequest<'a> {
    /// The folder, which is made if it does not exist. Files of an earlier export in it are replaced.
    pub folder: &'a Path,
    /// The format of the tables.
    pub format: Format,
    /// Which records.
    pub selection: &'a Selection,
    /// Whether the compared pairs are exported too.
    pub with_pairs: bool,
    /// The time of the export, for the manifest.
    pub at: Timestamp,
}

/// Is told how many records have been read, of how many.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

/// Exports one state of the database. Writers of the database do not wait for it, and what they change meanwhile is not
/// in the tables: they have every change up to the sequence number of the manifest, and none after it.
///
/// # Errors
/// [`ExportError`]; the folder then has what it had before.
pub fn export<'a>(
    db: &'a Db,
    request: &'a ExportRequest<'a>,
    progress: Progress<'a>,
) -> BoxFuture<'a, Result<Manifest, ExportError>> {
    Box::pin(async move {
        let total = offers::count(db).await?.offers;
        let mut tx = db.begin_read().await?;
        let change = offers::last_change_in(&mut tx).await?;
        let tables = Tables::begin(request.folder, request.format, request.with_pairs, change)?;
        let (sender, mut receiver) = mpsc::channel(WAITING);
        let writing = tokio::task::spawn_blocking(move || {
            let mut tables = tables;
            while let Some(batch) = receiver.blocking_recv() {
                tables.write(&batch)?;
            }
            Ok::<_, ExportError>(tables)
        });
        let read = read_records(&mut tx, request, &sender, (progress, total)).await;
        drop(sender);
        // If writing failed, reading ended because of it.
        let tables = writing.await??;
        read?;
        tx.commit().await?;
        tables.finish(change, (request.selection, request.at))
    })
}

/// Reads everything and sends it to be written. Ends early if the writer has ended.
async fn read_records(
    tx: &mut Tx,
    request: &ExportRequest<'_>,
    sender: &Sender<Batch>,
    (progress, total): (Progress<'_>, u64),
) -> Result<(), ExportError> {
    let (mut after, mut seen) = (0, 0);
    loop {
        let page = offers::changes_in(tx, after, RECORDS).await?;
        let Some(last) = page.last() else { break };
        after = last.change;
        let mut documents = offers::documents_in(tx, &request.selection.rows(&page)?).await?;
        documents.sort_unstable_by_key(|document| document.change);
        if sender.send(Batch::Records(documents)).await.is_err() {
            return Ok(());
        }
        seen += page.len() as u64;
        progress(seen, total);
    }
    if !request.with_pairs {
        return Ok(());
    }
    let mut after = (ListingId(i64::MIN), ListingId(i64::MIN));
    loop {
        let pairs = matches::named_after(tx, after, PAIRS).await?;
        let Some(last) = pairs.last() else {
            return Ok(());
        };
        after = (last.found.left, last.found.right);
        if sender.send(Batch::Pairs(pairs)).await.is_err() {
            return Ok(());
        }
    }
}
