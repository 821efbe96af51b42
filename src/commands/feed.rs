//! `jeden feed`

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use ingest::dumps::write_line;
use ingest::portals::{self, Delivery, read_feed};
use schema::Timestamp;

use super::wrong_usage;
use crate::outcome::Outcome;
use crate::{clock, progress};

/// `jeden feed`
#[derive(Debug, Args)]
pub struct Feed {
    /// A file with the calls of a session or a dump of adverts, or - for standard input
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// The portal id for the agency's adverts. It must not be a portal's, because the agency numbers adverts itself
    #[arg(long = "as", value_name = "SITE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    site_id: String,
    /// When the agency delivered the adverts, such as 2026-05-01T06:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    at: Option<Timestamp>,
    /// The file contains all adverts of the agency; end its other adverts
    #[arg(long)]
    complete: bool,
}

pub fn run(options: Feed) -> anyhow::Result<Outcome> {
    let Feed {
        path,
        site_id,
        at,
        complete,
    } = options;
    if portals::portal(&site_id).is_some() {
        wrong_usage(&format!(
            "--as {site_id} is the id of a portal; give the agency an id of its own, because it numbers its adverts itself"
        ));
    }
    let delivery = Delivery {
        site_id,
        at: at.unwrap_or_else(clock::now),
        complete,
    };
    let named = || format!("`{}` is not a feed", path.display());
    let content = read_feed(open(&path)?, &delivery).with_context(named)?;
    for observation in &content.observations {
        progress::result(&write_line(observation))?;
    }
    for reason in &content.rejected {
        progress::say(&format!("{}: {reason}", path.display()));
    }
    progress::say(&format!(
        "{} lines written, {} rejected.",
        content.observations.len(),
        content.rejected.len()
    ));
    Ok(if content.rejected.is_empty() {
        Outcome::Done
    } else {
        Outcome::SomeRejected
    })
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}
