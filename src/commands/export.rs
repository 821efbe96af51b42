//! `jeden export`

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use export::{ExportRequest, Format, MANIFEST, Manifest, Selection};
use schema::store::Db;

use crate::outcome::Outcome;
use crate::progress::{Steps, Unit, say};
use crate::settings::Settings;
use crate::{clock, registry};

/// `jeden export`
#[derive(Debug, Args)]
pub struct Export {
    /// Format of the tables: parquet, csv or jsonl
    #[arg(long, default_value_t = Format::Parquet)]
    format: Format,
    /// Folder to write the tables and `manifest.json` to; files of an earlier export are replaced
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Export only what `GET /v1/offers` finds with this parameter, such as `district=Praha`; may be repeated. Expired
    /// records only with `includeInactive=true`
    #[arg(long = "filter", value_name = "NAME=VALUE", value_parser = name_and_value)]
    filters: Vec<(String, String)>,
    /// Also write the compared pairs of adverts with their match weights
    #[arg(long)]
    pairs: bool,
}

pub async fn run(options: &Export, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let filters = located(&db, options.filters.clone(), settings).await?;
    let selection = Selection::parse(&filters)?;
    let request = ExportRequest {
        folder: &options.out,
        format: options.format,
        selection: &selection,
        with_pairs: options.pairs,
        at: clock::now(),
    };
    let manifest = with_progress(&db, &request).await?;
    db.close().await;
    say(&summary(&manifest, options));
    Ok(Outcome::Done)
}

/// Exports, and shows how far it is.
pub(super) async fn with_progress(
    db: &Db,
    request: &ExportRequest<'_>,
) -> anyhow::Result<Manifest> {
    let mut steps = Steps::new(0, Unit::Count);
    let mut progress = |read, total| steps.at_of_total(read, total, "records read");
    let manifest = export::export(db, request, &mut progress).await?;
    steps.done();
    Ok(manifest)
}

/// Splits a filter.
pub(super) fn name_and_value(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=');
    let (name, value) = pair.ok_or("a filter is NAME=VALUE, such as district=Praha")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The filters with the position of `address` in its place. If a position is given too, nothing is replaced: checking the
/// filters then says that only one of them may be.
async fn located(
    db: &Db,
    mut filters: Vec<(String, String)>,
    settings: &Settings,
) -> anyhow::Result<Vec<(String, String)>> {
    let has = |wanted: &str| filters.iter().any(|(name, _)| name == wanted);
    if has("lat") || has("lng") {
        return Ok(filters);
    }
    let Some(place) = filters.iter().position(|(name, _)| name == "address") else {
        return Ok(filters);
    };
    let (_, address) = filters.remove(place);
    let registry = registry::open(settings)?.map(Arc::new);
    let known = api::learned_gazetteer(db, registry).await?;
    let found = known.find(&address);
    let found = found.with_context(|| format!("address {address:?}"))?;
    say(&format!("{address:?} is {found}."));
    filters.push(("lat".to_owned(), found.location.lat.to_string()));
    filters.push(("lng".to_owned(), found.location.lng.to_string()));
    Ok(filters)
}

fn summary(manifest: &Manifest, options: &Export) -> String {
    let tables = manifest.tables.iter();
    let tables = tables.map(|(name, table)| format!("{} {name}", table.rows));
    format!(
        "Wrote {} to {}, as of sequence number {} ({MANIFEST}).",
        tables.collect::<Vec<_>>().join(", "),
        options.out.display(),
        manifest.seq
    )
}
