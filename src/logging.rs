//! Where logs go and how they look: to stderr, as text on a terminal and as JSON lines elsewhere.

use std::io::IsTerminal;

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::settings::Settings;

/// What these libraries log of a request may hold its address or its headers, and so a token. At this level they do not.
const CAPPED: [&str; 4] = ["h2=info", "hyper=info", "hyper_util=info", "reqwest=info"];

/// Starts logging as the settings say.
pub fn start(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).with_context(|| {
        format!("JEDEN_LOG {:?} is no tracing filter such as info or api=debug", settings.log)
    })?;
    let filter =
        CAPPED.into_iter().try_fold(filter, |filter, cap| anyhow::Ok(filter.add_directive(cap.parse()?)))?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        lines.with_target(false).try_init()
    } else {
        lines.json().flatten_event(true).try_init()
    };
    started.map_err(|error| anyhow::anyhow!("logging cannot be started: {error}"))
}
