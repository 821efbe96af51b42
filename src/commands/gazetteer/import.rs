//! `jeden gazetteer import`

use std::path::PathBuf;
use std::sync::Mutex;

use gazetteer::registry::{self, Imported, Progress};
use schema::store::gazetteer::{self as editions, ImportedEdition};

use super::show;
use crate::outcome::Outcome;
use crate::progress::{Steps, Unit};
use crate::settings::Settings;
use crate::{clock, progress};

/// How many problems are printed; the rest are counted.
const SHOWN: usize = 50;

pub async fn run(paths: Vec<PathBuf>, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let target = settings.gazetteer();
    let imported =
        tokio::task::spawn_blocking(move || import_with_progress(&paths, &target)).await??;
    let edition = ImportedEdition {
        id: imported.edition.id_text(),
        date: i64::from(imported.edition.date),
        municipalities: i64::from(imported.edition.counts.municipalities),
        places: i64::from(imported.edition.counts.places),
        imported_at: clock::now(),
    };
    let mut tx = db.begin().await?;
    editions::record(&mut tx, &edition).await?;
    tx.commit().await?;
    db.close().await;
    print_summary(&imported);
    progress::say(&format!("{} holds:", settings.gazetteer().display()));
    show::contents(&imported.edition, imported.size, imported.outlines)?;
    Ok(if imported.is_complete() {
        Outcome::Done
    } else {
        Outcome::SomeRejected
    })
}

fn import_with_progress(
    paths: &[PathBuf],
    target: &std::path::Path,
) -> Result<Imported, registry::ImportError> {
    let steps: Mutex<Option<Steps>> = Mutex::new(None);
    let imported = registry::import(paths, target, &|at| {
        let Ok(mut steps) = steps.lock() else { return };
        match at {
            Progress::Reading { bytes, of, rows } => {
                let steps = steps.get_or_insert_with(|| Steps::new(of, Unit::Bytes));
                steps.at(bytes, &format!("{rows} address places read"));
            }
            Progress::Compiling | Progress::Writing => {
                if let Some(steps) = steps.as_mut() {
                    steps.message(if at == Progress::Writing {
                        "writing"
                    } else {
                        "compiling"
                    });
                }
            }
        }
    });
    if let Ok(Some(steps)) = steps.into_inner() {
        steps.done();
    }
    imported
}

/// Prints what was read and what could not be read.
fn print_summary(imported: &Imported) {
    for problem in imported.problems.iter().take(SHOWN) {
        progress::say(&problem.to_string());
    }
    let more = imported.problems.len().saturating_sub(SHOWN);
    if more > 0 {
        progress::say(&format!("… and {more} more."));
    }
    progress::say(&format!(
        "{} files, {} rows of address tables read; {} rows, {} values, {} files left out.",
        imported.files, imported.rows, imported.bad_rows, imported.bad_values, imported.bad_files
    ));
    if let Some(reason) = &imported.discarded {
        progress::say(&format!("The earlier registry is lost: {reason}."));
    }
    progress::say(match imported.replaced {
        None => "The registry is in use; running servers load it within a minute.",
        Some(id) if id == imported.edition.id => {
            "Nothing changed: the registry already contained all of this."
        }
        Some(_) => "It replaces the earlier edition; running servers load it within a minute.",
    });
}
