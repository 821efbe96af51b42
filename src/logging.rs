//! Where logs go and how they look: to stderr, as text on a terminal and as JSON lines elsewhere.

use std::io::IsTerminal;

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::settings::Settings;

/// Starts logging as the settings say.
pub fn start(settings: &Settings) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&settings.log).with_context(|| {
        format!("JEDEN_LOG {:?} is no tracing filter such as info or api=debug", settings.log)
    })?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if std::io::stderr().is_terminal() {
        lines.with_target(false).try_init()
    } else {
        lines.json().flatten_event(true).try_init()
    };
    started.map_err(|error| anyhow::anyhow!("logging cannot be started: {error}"))
}
