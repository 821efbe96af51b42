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
    let filter: Targets = with_quiet_libraries(&settings.log)
        .parse()
        .with_context(|| {
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

/// This program's own crates.
const OWN_CRATES: [&str; 7] = [
    "jeden",
    "api",
    "czech",
    "dedup",
    "gazetteer",
    "ingest",
    "schema",
];

/// The filter with each plain level below `warn` applied to this program's own crates only. Libraries are logged at such a
/// level only if the filter names them: one of them writes a million lines while it parses a crawl's pages.
fn with_quiet_libraries(filter: &str) -> String {
    let directives =
        filter
            .split(',')
            .map(str::trim)
            .map(|directive| match directive.parse::<LevelFilter>() {
                Ok(level) if level > LevelFilter::WARN => OWN_CRATES
                    .iter()
                    .map(|name| format!("{name}={level}"))
                    .chain(["warn".to_owned()])
                    .collect::<Vec<_>>()
                    .join(","),
                _ => directive.to_owned(),
            });
    directives.collect::<Vec<_>>().join(",")
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

#[cfg(test)]
mod tests {
    use super::with_quiet_libraries;

    #[test]
    fn a_plain_level_concerns_this_program_only() {
        let filter = with_quiet_libraries("debug,html5ever=trace");
        assert!(filter.starts_with("jeden=debug,"), "{filter}");
        assert!(filter.ends_with(",warn,html5ever=trace"), "{filter}");
        assert_eq!(with_quiet_libraries("error"), "error");
        assert_eq!(with_quiet_libraries("api=debug"), "api=debug");
    }
}
