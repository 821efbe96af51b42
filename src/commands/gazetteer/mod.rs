//! `jeden gazetteer`

mod import;
mod locate;
mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::outcome::Outcome;
use crate::settings::Settings;

/// `jeden gazetteer`
#[derive(Debug, Args)]
pub struct Gazetteer {
    /// Action [default: show]
    #[command(subcommand)]
    action: Option<GazetteerAction>,
}

/// `jeden gazetteer import`, `jeden gazetteer show`, `jeden gazetteer locate`
#[derive(Debug, Subcommand)]
pub enum GazetteerAction {
    /// Import files of the address registry (RÚIAN) as ČÚZK publishes them; in any order, safe to repeat
    Import {
        /// Address tables, code lists and hierarchy tables (.csv), VFR (.xml), archives of these (.zip, .tar, .gz,
        /// .xz), and folders
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Show which edition of the registry is in use, and what it contains
    Show,
    /// Show what an address resolves to, and why
    Locate {
        /// The address
        text: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

pub async fn run(options: Gazetteer, settings: &Settings) -> anyhow::Result<Outcome> {
    match options.action.unwrap_or(GazetteerAction::Show) {
        GazetteerAction::Import { paths } => import::run(paths, settings).await,
        GazetteerAction::Show => show::run(settings).await,
        GazetteerAction::Locate { text, json } => locate::run(&text, json, settings).await,
    }
}
