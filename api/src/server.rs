//! Serving connections: HTTP/1.1 and HTTP/2, with bounds of time, and an orderly end.

use std::io;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::router::router;
use crate::state::ApiState;

/// How long a client may take to send the head of a request, and how long an idle connection stays open.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);
/// The largest head of a request, in bytes.
const HEAD_LIMIT: usize = 64 * 1024;
/// How long to wait before accepting again when the machine is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Serves `api` on `listener` until `shutdown` comes. Then no new connection is accepted, requests in flight are
/// answered, and whatever is not done after the configured drain time is cut off.
///
/// # Errors
/// None at present: faults of single connections are theirs alone.
pub async fn serve(
    listener: TcpListener,
    api: ApiState,
    shutdown: impl Future<Output = ()> + Send,
) -> io::Result<()> {
    let drain_timeout = api.config().drain_timeout;
    let service = router(api);
    let (ending, cut) = (CancellationToken::new(), CancellationToken::new());
    let connections = TaskTracker::new();
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let serving = serve_connection(stream, service.clone(), ending.clone());
                let cut = cut.clone();
                connections.spawn(async move { cut.run_until_cancelled(serving).await });
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    ending.cancel();
    connections.close();
    if tokio::time::timeout(drain_timeout, connections.wait()).await.is_err() {
        tracing::warn!(open = connections.len(), "connections are cut off: they did not end in time");
        cut.cancel();
        connections.wait().await;
    }
    Ok(())
}

async fn serve_connection(stream: TcpStream, service: Router, ending: CancellationToken) {
    // Answers are small and whole: waiting for more to send gains nothing.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY was not set");
    }
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(HEAD_LIMIT);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(HEAD_LIMIT as u32)
        .keep_alive_interval(HEAD_TIMEOUT)
        .keep_alive_timeout(HEAD_TIMEOUT);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = ending.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(error, "a connection ended badly");
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
