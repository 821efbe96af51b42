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
    let most = most_detailed(&filter);
    let may_be_logged = filter_fn(may_be_logged).with_max_level_hint(most);
    let lines = tracing_subscriber::fmt()
        .with_max_level(most)
        .with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        lines
            .with_target(false)
            .finish()
            .with(filter)
            .with(may_be_logged)
            .try_init()
    } else {
        lines
            .json()
            .flatten_event(true)
            .finish()
            .with(filter)
            .with(may_be_logged)
            .try_init()
    };
    started.context("cannot start logging")
}

/// The most detailed level that the filter lets through. Libraries compare with it before they describe an event: without
/// it, each of the events of a parser, several a tag, would pass through all the filters.
fn most_detailed(filter: &Targets) -> LevelFilter {
    filter
        .iter()
        .map(|(_, level)| level)
        .chain(filter.default_level())
        .max()
        .unwrap_or(LevelFilter::OFF)
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
    use tracing_subscriber::filter::LevelFilter;

    use super::{most_detailed, with_quiet_libraries};

    #[test]
    fn a_plain_level_concerns_this_program_only() {
        let filter = with_quiet_libraries("debug,html5ever=trace");
        assert!(filter.starts_with("jeden=debug,"), "{filter}");
        assert!(filter.ends_with(",warn,html5ever=trace"), "{filter}");
        assert_eq!(with_quiet_libraries("error"), "error");
        assert_eq!(with_quiet_libraries("api=debug"), "api=debug");
    }

    #[test]
    fn the_most_detailed_level_is_that_of_any_part_of_the_filter() {
        for (filter, level) in [
            ("api=debug,warn", LevelFilter::DEBUG),
            ("api=warn,trace", LevelFilter::TRACE),
            ("error", LevelFilter::ERROR),
            ("off", LevelFilter::OFF),
        ] {
            assert_eq!(most_detailed(&filter.parse().unwrap()), level, "{filter}");
        }
    }
}
