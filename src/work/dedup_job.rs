//! The jobs that update the records after changes of the listings or of the address registry.

use std::sync::Arc;
use std::time::Duration;

use dedup::addresses::Addresses;
use dedup::worker::{self, KeptIndex, Listings};
use schema::store::{Db, gazetteer};

use super::{JobResult, Worker};
use crate::metrics::work as figures;
use crate::settings::Settings;
use crate::{clock, random, registry};

/// The edition of the address registry that this process has loaded.
#[derive(Debug, Default)]
pub(super) struct LoadedEdition {
    loaded: Option<(Option<String>, Addresses)>,
}

impl LoadedEdition {
    /// Its id. `None` if there is no registry or none has been loaded yet.
    pub(super) fn id(&self) -> Option<&str> {
        self.loaded.as_ref().and_then(|(id, _)| id.as_deref())
    }
}

/// Updates the records with every listing that waits for deduplication.
pub(super) async fn deduplicate(worker: &Worker) -> JobResult {
    match current_addresses(worker).await {
        Ok(addresses) => run(worker, addresses).await,
        Err(result) => result,
    }
}

/// Adopts the edition of the address registry that the database says is in use. If the records were made with another
/// edition, every listing is deduplicated again.
pub(super) async fn adopt_edition(worker: &Worker) -> JobResult {
    deduplicate(worker).await
}

/// The address registry in use. A process without the right file fails: two processes with two editions would keep
/// replacing each other's records.
pub(super) async fn current_addresses(worker: &Worker) -> Result<Addresses, JobResult> {
    let mut known = worker.edition.lock().await;
    let wanted = gazetteer::current(&worker.db)
        .await?
        .map(|edition| edition.id);
    if let Some((id, addresses)) = &known.loaded
        && (*id == wanted || wanted.is_none())
    {
        return Ok(addresses.clone());
    }
    let settings = worker.settings.clone();
    let loading = tokio::task::spawn_blocking(move || registry::edition(&settings));
    let (id, addresses) = match loading.await {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(error)) => return Err(JobResult::Failed(format!("{error:#}"))),
        Err(error) => return Err(JobResult::Failed(error.to_string())),
    };
    if wanted.is_some() && id != wanted {
        return Err(JobResult::Unrecoverable(wrong_edition(
            &worker.settings,
            id.as_deref(),
            wanted.as_deref(),
        )));
    }
    known.loaded = Some((id, addresses.clone()));
    Ok(addresses)
}

fn wrong_edition(settings: &Settings, found: Option<&str>, wanted: Option<&str>) -> String {
    format!(
        "the database uses edition {:.12} of the address registry, but {} holds {:.12}: copy the right file there, or import it",
        wanted.unwrap_or("none"),
        settings.gazetteer().display(),
        found.unwrap_or("none")
    )
}

/// Deduplicates until the worker is stopped. What was committed stays, and the other listings keep waiting.
async fn run(worker: &Worker, addresses: Addresses) -> JobResult {
    let db = worker.db.clone();
    let mut kept = Arc::clone(&worker.matching).lock_owned().await;
    let matching = worker.on_own_thread(|stop| async move {
        tokio::select! {
            biased;
            () = stop.cancelled() => None,
            report = update_records(&db, &addresses, &mut kept) => Some(report),
        }
    });
    match matching.await {
        Ok(Some(Ok(report))) => {
            figures::deduplicated(&report);
            JobResult::Done
        }
        Ok(Some(Err(error))) => error.into(),
        Ok(None) => JobResult::Retry(Duration::ZERO),
        Err(result) => result,
    }
}

async fn update_records(
    db: &Db,
    addresses: &Addresses,
    kept: &mut Option<KeptIndex>,
) -> Result<worker::DedupReport, schema::store::StoreError> {
    let listings = Listings { db, addresses };
    worker::run_with(listings, kept, clock::now(), &mut random::rng()).await
}
