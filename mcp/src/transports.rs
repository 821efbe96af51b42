//! How messages arrive: by HTTP, each request for itself, or over the standard streams of the process.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;

use api::beside::serve_uncounted;
use axum::Router;
use futures::future::BoxFuture;
use rmcp::ServiceExt;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::records::Records;
use crate::server::Server;

/// The path of the server.
pub const PATH: &str = "/mcp";

/// The largest message, in bytes. The listener reads no larger one.
const LARGEST_MESSAGE: usize = 64 * 1024;

/// The origins of web pages on this machine. A request that names any other origin is refused: no web page from elsewhere
/// may call the server.
const OWN_ORIGINS: [&str; 3] = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];

/// Who may reach the server by HTTP.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// The hosts that a request may name, with or without a port. A page in somebody's browser cannot choose another name
    /// for this machine (DNS rebinding).
    pub hosts: Vec<String>,
}

/// Serves assistants on `listener` until `shutdown` completes: streamable HTTP at [`PATH`], without sessions, answers as
/// JSON. Each request carries a token of the API.
///
/// # Errors
/// None at present.
pub fn serve_http(
    listener: TcpListener,
    records: Records,
    settings: HttpSettings,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    let api = records.api.clone();
    let server = Server::new(records, None);
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        http_config(settings.hosts),
    );
    let routes = Router::new().route_service(PATH, service);
    serve_uncounted(listener, &api, routes, shutdown)
}

/// How streamable HTTP is spoken, to requests that name one of these hosts.
pub fn http_config(hosts: Vec<String>) -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .with_allowed_origins(OWN_ORIGINS)
        .enforce_origin_validation()
        .with_max_request_body_bytes(LARGEST_MESSAGE)
}

/// Serves one assistant over the standard streams until its end. Every call is made with `token`.
///
/// # Errors
/// If the streams cannot be used.
pub fn serve_stdio(records: Records, token: String) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        // As files, because tokio's own standard streams are a feature that nothing else needs.
        let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let streams = (
            tokio::fs::File::from_std(input),
            tokio::fs::File::from_std(output),
        );
        let server = Server::new(records, Some(token));
        match server.serve(streams).await {
            Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
            Err(error) => Err(io::Error::other(error)),
        }
    })
}
