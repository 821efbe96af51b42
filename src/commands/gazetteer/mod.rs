//! `jeden gazetteer`

mod import;
mod locate;
mod show;

use std::sync::Arc;

use anyhow::Context;
use dedup::addresses::Addresses;
use gazetteer::registry::Registry;

use crate::cli::{Gazetteer, GazetteerAction};
use crate::outcome::Outcome;
use crate::settings::Settings;

pub async fn run(options: Gazetteer, settings: &Settings) -> anyhow::Result<Outcome> {
    match options.action.unwrap_or(GazetteerAction::Show) {
        GazetteerAction::Import { paths } => import::run(paths, settings).await,
        GazetteerAction::Show => show::run(settings).await,
        GazetteerAction::Locate { text, json } => locate::run(&text, json, settings).await,
    }
}

/// What reads addresses for matching: the compiled registry, where there is one.
pub fn addresses(settings: &Settings) -> anyhow::Result<Addresses> {
    Ok(edition(settings)?.1)
}

/// As [`addresses`], with the id of the registry's edition.
pub fn edition(settings: &Settings) -> anyhow::Result<(Option<String>, Addresses)> {
    let Some(registry) = open(settings)? else { return Ok((None, Addresses::default())) };
    let id = registry.edition().id_text();
    Ok((Some(id), Addresses::of(Arc::new(registry))))
}

/// The id of the edition of the compiled registry, where there is one.
pub fn edition_id(settings: &Settings) -> anyhow::Result<Option<String>> {
    Ok(open(settings)?.map(|registry| registry.edition().id_text()))
}

/// The compiled registry, where there is one.
fn open(settings: &Settings) -> anyhow::Result<Option<Registry>> {
    let file = settings.gazetteer();
    if !file.try_exists().with_context(|| format!("the gazetteer {}", file.display()))? {
        return Ok(None);
    }
    Ok(Some(Registry::open(&file)?))
}
