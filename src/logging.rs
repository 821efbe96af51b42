//! Logging: to stderr, as text on a terminal and as JSON lines elsewhere.

use std::io::IsTerminal;

use anyhow::Context;
use schema::store::REMARKS;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::Settings;

/// Below `info` these libraries may log URLs and headers, and so tokens: only `info` and above is logged.
const MAY_LOG_TOKENS: [&str; 5] = ["h2", "hyper", "hyper_util", "reqwest", "tower_http"];

/// Starts logging with the filter of the settings.
pub fn start(settings: &Settings) -> anyhow::Result<()> {
    let filter: Targets = settings.log.parse().with_context(|| {
        format!(
            "JEDEN_LOG is {:?}; it must be a log filter such as info or api=debug",
            settings.log
        )
    })?;
    let lines = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        lines
            .with_target(false)
            .finish()
            .with(filter)
            .with(filter_fn(may_be_logged))
            .try_init()
    } else {
        lines
            .json()
            .flatten_event(true)
            .finish()
            .with(filter)
            .with(filter_fn(may_be_logged))
            .try_init()
    };
    started.context("cannot start logging")
}

/// Whether an event may be logged, whatever the filter says.
fn may_be_logged(event: &Metadata<'_>) -> bool {
    let library = event.target().split("::").next().unwrap_or_default();
    // PostgreSQL sends a notice for each object that a migration finds already there.
    if event.target() == REMARKS {
        return *event.level() <= Level::WARN;
    }
    *event.level() <= Level::INFO || !MAY_LOG_TOKENS.contains(&library)
}
