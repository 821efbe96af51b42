//! The jobs that bring the records up to date: with the listings, and with the address registry.

use std::time::Duration;

use dedup::addresses::Addresses;
use dedup::worker::{self, Listings};
use schema::store::{Db, gazetteer};

use super::{Ended, Worker};
use crate::commands::gazetteer::edition;
use crate::metrics::work as figures;
use crate::settings::Settings;
use crate::{chance, clock};

/// The edition of the address registry that this process reads addresses by.
#[derive(Debug, Default)]
pub(super) struct Edition {
    read: Option<(Option<String>, Addresses)>,
}

impl Edition {
    /// Its id; `None` without one, and before any was read.
    pub(super) fn id(&self) -> Option<&str> {
        self.read.as_ref().and_then(|(id, _)| id.as_deref())
    }
}

/// Brings the records up to date with every listing that waits.
pub(super) async fn dedup(worker: &Worker) -> Ended {
    match current(worker).await {
        Ok(addresses) => run(worker, addresses).await,
        Err(ended) => ended,
    }
}

/// Takes over the edition of the address registry that the database says is in use: every listing is looked at anew
/// where the records are of another.
pub(super) async fn learn(worker: &Worker) -> Ended {
    dedup(worker).await
}

/// What reads addresses by the edition in use. Two processes with two editions would make every record anew in turns,
/// so that one without the right file does nothing.
async fn current(worker: &Worker) -> Result<Addresses, Ended> {
    let mut known = worker.edition.lock().await;
    let wanted = gazetteer::current(&worker.db)
        .await?
        .map(|edition| edition.id);
    if let Some((id, addresses)) = &known.read
        && (*id == wanted || wanted.is_none())
    {
        return Ok(addresses.clone());
    }
    let settings = worker.settings.clone();
    let read = tokio::task::spawn_blocking(move || edition(&settings));
    let (id, addresses) = match read.await {
        Ok(Ok(read)) => read,
        Ok(Err(error)) => return Err(Ended::Failed(format!("{error:#}"))),
        Err(error) => return Err(Ended::Failed(error.to_string())),
    };
    if wanted.is_some() && id != wanted {
        return Err(Ended::Hopeless(missing(
            &worker.settings,
            id.as_deref(),
            wanted.as_deref(),
        )));
    }
    known.read = Some((id, addresses.clone()));
    Ok(addresses)
}

fn missing(settings: &Settings, found: Option<&str>, wanted: Option<&str>) -> String {
    format!(
        "the address registry in use is edition {:.12}, and {} holds {:.12}: copy the right file there, or import it",
        wanted.unwrap_or("none"),
        settings.gazetteer().display(),
        found.unwrap_or("none")
    )
}

/// Deduplicates; stops between two steps when the worker is to stop. What was committed is right, the rest stays
/// pending.
async fn run(worker: &Worker, addresses: Addresses) -> Ended {
    let db = worker.db.clone();
    let matching = worker.apart(|stop| async move {
        tokio::select! {
            biased;
            () = stop.cancelled() => None,
            report = matched(&db, &addresses) => Some(report),
        }
    });
    match matching.await {
        Ok(Some(Ok(report))) => {
            figures::deduplicated(&report);
            Ended::Done
        }
        Ok(Some(Err(error))) => error.into(),
        Ok(None) => Ended::Later(Duration::ZERO),
        Err(ended) => ended,
    }
}

async fn matched(
    db: &Db,
    addresses: &Addresses,
) -> Result<worker::DedupReport, schema::store::StoreError> {
    let listings = Listings { db, addresses };
    worker::run(listings, clock::now(), &mut chance::rng(), &|_| {}).await
}
