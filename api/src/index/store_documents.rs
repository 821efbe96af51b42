//! Copies the documents of the offers in the index to the file of the process, in the background.
//!
//! Until a document is there, it is read from the database. So a process is ready as soon as its index is built, and
//! a full disk makes it slower, not wrong.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use schema::store::{StoreError, offers, with_timeout};
use tokio_util::sync::CancellationToken;

use crate::documents::{Document, Place, Version};
use crate::index::follow::OfferIndex;
use crate::index::places::Misplaced;
use crate::index::view::View;

/// How many documents are read and written together.
const GROUP: usize = 250;
/// How long the store may take for a group.
const READ_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a failure, for example of a full disk.
const PAUSE: Duration = Duration::from_secs(10);

/// Why documents could not be copied.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("the documents cannot be read: {0}")]
    Store(#[from] StoreError),
    #[error("the file of the documents cannot be written: {0}")]
    File(#[from] io::Error),
    #[error("the process is ending")]
    Ending(#[from] tokio::task::JoinError),
}

/// How far the copying is.
#[derive(Default)]
struct Progress {
    /// The view that was looked at last.
    view: Option<Arc<View>>,
    /// The index of the next offer in its columns. The documents before it are copied.
    next: usize,
    /// What could not be copied: the offer has changed since, and a later view will have it.
    skipped: HashSet<(i64, i64)>,
}

impl OfferIndex {
    /// Copies documents whenever offers have changed, until `stop` is cancelled. A failure is logged, and after a pause
    /// the copying continues.
    pub(crate) async fn store_documents(self: Arc<Self>, stop: CancellationToken) {
        let work = async {
            let mut progress = Progress::default();
            loop {
                self.changed().notified().await;
                while let Err(error) = self.store_all(&mut progress).await {
                    tracing::warn!(%error, "copying documents failed; they are read from the database");
                    progress = Progress::default();
                    tokio::time::sleep(PAUSE).await;
                }
            }
        };
        stop.run_until_cancelled(work).await;
    }

    /// Copies every document that is not in the last file.
    async fn store_all(&self, progress: &mut Progress) -> Result<(), Failure> {
        let documents = self.documents();
        if documents.begin_file_if_mostly_garbage(self.view().len())? {
            progress.next = 0;
        }
        progress.skipped.clear();
        loop {
            // The offers that changed meanwhile come first: pages begin with them.
            let view = self.view();
            if progress
                .view
                .as_ref()
                .is_none_or(|last| !last.has_columns_of(&view))
            {
                progress.next = 0;
            }
            progress.view = Some(Arc::clone(&view));
            let skipped = &progress.skipped;
            let is_elsewhere = documents.misplaced();
            let is_misplaced = |version: &Version, place| {
                is_elsewhere(place) && !skipped.contains(&(version.row, version.change))
            };
            let group = view.misplaced(is_misplaced, GROUP, &mut progress.next);
            if group.is_empty() {
                documents.drop_older_files();
                return Ok(());
            }
            let copied = self.store_group(&view, &group).await?;
            let left = group.iter().map(|offer| offer.version);
            let left = left.filter(|version| !copied.contains(version));
            progress
                .skipped
                .extend(left.map(|version| (version.row, version.change)));
        }
    }

    /// Copies some documents. Returns those that were.
    async fn store_group(&self, view: &View, group: &[Misplaced]) -> Result<Vec<Version>, Failure> {
        let mut found: HashMap<i64, Document> = HashMap::with_capacity(group.len());
        for offer in group.iter().filter(|offer| offer.place != Place::NOWHERE) {
            if let Some((document, _)) = self.documents().read(offer.place, offer.version) {
                found.insert(offer.version.row, document);
            }
        }
        let rows = group.iter().map(|offer| offer.version.row);
        let rows: Vec<i64> = rows.filter(|row| !found.contains_key(row)).collect();
        if !rows.is_empty() {
            let stored = offers::documents(self.db(), &rows);
            for one in with_timeout(READ_TIMEOUT, stored).await? {
                let version = Version {
                    row: one.row,
                    change: one.change,
                };
                if let Some(document) = Document::join(version, &one.summary, &one.detail_only) {
                    found.insert(one.row, document);
                }
            }
        }
        let (offers, documents): (Vec<&Misplaced>, Vec<Document>) = group
            .iter()
            .filter_map(|offer| {
                let document = found.remove(&offer.version.row)?;
                (document.version == offer.version).then_some((offer, document))
            })
            .unzip();
        let files = Arc::clone(self.documents());
        let places = tokio::task::spawn_blocking(move || files.append(&documents)).await??;
        let mut copied = Vec::with_capacity(offers.len());
        for (offer, place) in offers.into_iter().zip(places) {
            view.set_place(offer, place);
            if place != Place::NOWHERE {
                copied.push(offer.version);
            }
        }
        Ok(copied)
    }
}
