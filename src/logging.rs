//! Where logs go and how they look: to stderr, as text on a terminal and as JSON lines elsewhere.

use std::io::IsTerminal;

use anyhow::Context;
use schema::store::REMARKS;
use tracing::{Level, Metadata};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::settings::Settings;

/// What these libraries say below `info` of what they send and receive may hold its address or its headers, and so a
/// token.
const TALKATIVE: [&str; 5] = ["h2", "hyper", "hyper_util", "reqwest", "tower_http"];

/// Starts logging as the settings say.
pub fn start(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).with_context(|| {
        format!(
            "JEDEN_LOG {:?} is no tracing filter such as info or api=debug",
            settings.log
        )
    })?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        lines
            .with_target(false)
            .finish()
            .with(filter_fn(is_fit))
            .try_init()
    } else {
        lines
            .json()
            .flatten_event(true)
            .finish()
            .with(filter_fn(is_fit))
            .try_init()
    };
    started.context("logging cannot be started")
}

/// Whether something may be logged, whatever the settings ask for.
fn is_fit(said: &Metadata<'_>) -> bool {
    let by = said.target().split("::").next().unwrap_or_default();
    // At each `jeden migrate` PostgreSQL remarks on what is there already.
    if said.target() == REMARKS {
        return *said.level() <= Level::WARN;
    }
    *said.level() <= Level::INFO || !TALKATIVE.contains(&by)
}
