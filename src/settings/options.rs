//! Settings given by flags and environment variables.

use clap::Args;
use serde::Serialize;

/// The flag and environment variable of each field of [`super::Settings`].
#[derive(Debug, Clone, Default, Args, Serialize)]
#[command(next_help_heading = "Settings")]
pub struct Options {
    /// TOML file with settings [default: jeden.toml, if it exists]
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
    /// Compiled address registry [default: beside the database, `jeden.db.gazetteer`]
    #[arg(long, global = true, env = "JEDEN_GAZETTEER", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    gazetteer: Option<String>,
    /// Log filter, such as info or api=debug [default: info]
    #[arg(long, global = true, env = "JEDEN_LOG", value_name = "FILTER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<String>,
    /// Address to serve on [default: 127.0.0.1:8080]
    #[arg(long, global = true, value_parser = host_and_port, env = "JEDEN_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    listen: Option<String>,
    /// Address at which clients reach the API [default: `http://{listen}`]
    #[arg(long, global = true, env = "JEDEN_BASE_URL", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    /// Time after which a search is stopped, such as 10s or 250ms [default: 10s]
    #[arg(long, global = true, value_parser = duration, env = "JEDEN_SEARCH_TIMEOUT", value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    search_timeout: Option<String>,
    /// Open connections at a time; further ones wait in the system's queue [default: 4096]
    #[arg(long, global = true, env = "JEDEN_MAX_CONNECTIONS", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    max_connections: Option<usize>,
    /// Requests without a valid token that one address may send in a minute before its tokens are no longer looked up in
    /// the database; 0 means no limit [default: 60]
    #[arg(long, global = true, env = "JEDEN_FAILED_ATTEMPTS", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_attempts: Option<u32>,
    /// Nominatim-compatible service for addresses that jeden's own gazetteer does not find
    #[arg(long, global = true, env = "JEDEN_GEOCODER_URL", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    geocoder_url: Option<String>,
    /// Shortest time between two requests to that service [default: 1s]
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
    /// How crawled portals and clients of the API can reach the operator: the address of a page, or for mail
    #[arg(long, global = true, env = "JEDEN_CONTACT", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    contact: Option<String>,
    /// Address on which to serve metrics for Prometheus [default: none]
    #[arg(long, global = true, value_parser = host_and_port_or_none, env = "JEDEN_METRICS_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics_listen: Option<String>,
    /// Address on which to serve the operator's console [default: none; `jeden console`: 127.0.0.1:8090]
    #[arg(long, global = true, value_parser = host_and_port_or_none, env = "JEDEN_CONSOLE_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    console_listen: Option<String>,
    /// Address on which to serve the feed of changes [default: none]
    #[arg(long, global = true, value_parser = host_and_port_or_none, env = "JEDEN_FEED_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_listen: Option<String>,
    /// Address at which clients reach the feed [default: `http://{feed-listen}`]
    #[arg(long, global = true, env = "JEDEN_FEED_URL", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_url: Option<String>,
    /// Address at which people reach the console, behind a reverse proxy; with https, cookies need TLS
    #[arg(long, global = true, env = "JEDEN_CONSOLE_URL", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    console_url: Option<String>,
    /// Further hosts that the console answers to, separated by commas
    #[arg(long, global = true, env = "JEDEN_CONSOLE_HOSTS", value_name = "HOSTS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    console_hosts: Option<String>,
    /// Header in which a reverse proxy names the person that it has identified; the console then has no login of its own
    #[arg(
        long,
        global = true,
        env = "JEDEN_CONSOLE_PERSON_HEADER",
        value_name = "HEADER"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    console_person_header: Option<String>,
    /// PMTiles file with a street map, which the console shows beneath its maps [default: none]
    #[arg(
        long,
        global = true,
        env = "JEDEN_CONSOLE_STREET_MAP",
        value_name = "FILE"
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    console_street_map: Option<String>,
    /// Address to serve assistants on (Model Context Protocol) [default: none]
    #[arg(long, global = true, value_parser = host_and_port_or_none, env = "JEDEN_MCP_LISTEN", value_name = "ADDRESS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_listen: Option<String>,
    /// Further hosts that the server for assistants answers to, separated by commas
    #[arg(long, global = true, env = "JEDEN_MCP_HOSTS", value_name = "HOSTS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_hosts: Option<String>,
    /// API token with which to answer an assistant
    #[arg(
        long,
        global = true,
        env = "JEDEN_MCP_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    mcp_token: Option<String>,
    /// How long to keep the contents of adverts that are gone, such as 2years [default: for good]
    #[arg(long, global = true, value_parser = duration_or_none, env = "JEDEN_KEEP_CONTENTS", value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_contents: Option<String>,
    /// How long to keep what happened to records, for the feed of changes [default: 90days]
    #[arg(long, global = true, value_parser = duration, env = "JEDEN_KEEP_CHANGES", value_name = "DURATION")]
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_changes: Option<String>,
    /// Address that is told what needs a person [default: none]
    #[arg(
        long,
        global = true,
        env = "JEDEN_WEBHOOK_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_url: Option<String>,
    /// Key that signs what is sent there (HMAC-SHA256)
    #[arg(
        long,
        global = true,
        env = "JEDEN_WEBHOOK_SECRET",
        value_name = "TEXT",
        hide_env_values = true
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook_secret: Option<String>,
}

/// Checks a duration. It stays text because the settings file writes it in the same way.
fn duration(text: &str) -> Result<String, String> {
    match humantime::parse_duration(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(format!("{error}; write a duration as 10s or 250ms")),
    }
}

/// Like [`duration`], or empty: a compose file leaves a setting out by an empty variable.
fn duration_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Ok(String::new())
    } else {
        duration(text)
    }
}

/// Checks an address to listen on: `HOST:PORT`.
fn host_and_port(text: &str) -> Result<String, String> {
    let port = text
        .rsplit_once(':')
        .filter(|(host, _)| !host.is_empty())
        .map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err("write an address as HOST:PORT, such as 127.0.0.1:8080".to_owned()),
    }
}

/// Like [`host_and_port`], or empty: a compose file leaves a setting out by an empty variable.
fn host_and_port_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Ok(String::new())
    } else {
        host_and_port(text)
    }
}
