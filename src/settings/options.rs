//! The settings that flags and environment variables give.

use clap::Args;
use serde::Serialize;

/// What may be set by flag or environment variable; each field of [`super::Settings`] once.
#[derive(Debug, Clone, Default, Args, Serialize)]
#[command(next_help_heading = "Settings")]
pub struct Options {
    /// TOML file with settings [default: jeden.toml where there is one]
    #[arg(long, global = true, env = "JEDEN_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub(super) config: Option<String>,
    /// Database: `sqlite://FILE` or `postgres://…` [default: `sqlite://jeden.db`]
    #[arg(
        long,
        global = true,
        env = "JEDEN_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    database_url: Option<String>,
    /// A PostgreSQL read replica for searches and details
    #[arg(
        long,
        global = true,
        env = "JEDEN_DATABASE_READ_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    database_read_url: Option<String>,
    /// File of the compiled address registry [default: beside the database, `jeden.db.gazetteer`]
    #[arg(long, global = true, env = "JEDEN_GAZETTEER", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gazetteer: Option<String>,
    /// Log filter, for example info or api=debug [default: info]
    #[arg(long, global = true, env = "JEDEN_LOG", value_name = "FILTER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// Address to serve on [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_parser = host_and_port, env = "JEDEN_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    listen: Option<String>,
    /// Address that clients reach the API at [default: `http://{listen}`]
    #[arg(long, global = true, env = "JEDEN_BASE_URL", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    /// How long a search may run, for example 10s or 250ms [default: 10s]
    #[arg(long, global = true, value_parser = duration, env = "JEDEN_SEARCH_TIMEOUT", value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    search_timeout: Option<String>,
    /// Connections open at a time; more wait in the system's queue [default: 4096]
    #[arg(long, global = true, env = "JEDEN_MAX_CONNECTIONS", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_connections: Option<usize>,
    /// Requests without a valid token that an address may send a minute, before its wrong tokens are no longer looked up;
    /// 0 allows any number [default: 60]
    #[arg(long, global = true, env = "JEDEN_FAILED_ATTEMPTS", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_attempts: Option<u32>,
    /// A Nominatim-compatible service that is asked where the own gazetteer knows no answer
    #[arg(long, global = true, env = "JEDEN_GEOCODER_URL", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    geocoder_url: Option<String>,
    /// The least time between two questions to that service [default: 1s]
    #[arg(long, global = true, value_parser = duration, env = "JEDEN_GEOCODER_PACE", value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    geocoder_pace: Option<String>,
    /// Browser origins that may call the API, separated by commas
    #[arg(
        long,
        global = true,
        env = "JEDEN_CORS_ORIGINS",
        value_name = "ORIGINS"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    cors_origins: Option<String>,
    /// Where portals that are crawled can reach the operator: an address of a page or for mail
    #[arg(long, global = true, env = "JEDEN_CONTACT", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<String>,
    /// Address to serve metrics for Prometheus on, by `serve` and `work` [default: none]
    #[arg(long, global = true, value_parser = host_and_port_or_none, env = "JEDEN_METRICS_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics_listen: Option<String>,
}

/// A duration as the command line takes it; kept as text, for the settings file says it in the same words.
fn duration(text: &str) -> Result<String, String> {
    match humantime::parse_duration(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("{error}; a duration is written 10s or 250ms")),
    }
}

/// An address to listen on: a host, a colon, a port.
fn host_and_port(text: &str) -> Result<String, String> {
    let port = text
        .rsplit_once(':')
        .filter(|(host, _)| !host.is_empty())
        .map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err("an address is written HOST:PORT, for example 127.0.0.1:8080".to_owned()),
    }
}

/// The same, or nothing: a variable that is set and empty is how compose files leave a setting out.
fn host_and_port_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Ok(String::new())
    } else {
        host_and_port(text)
    }
}
