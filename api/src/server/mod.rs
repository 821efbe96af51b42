//! Serves connections, HTTP/1.1 and HTTP/2, with limits on their number and duration and a graceful shutdown.
//!
//! # Layout
//!
//! This file accepts connections and shuts them down. `connection` serves one of them. `activity` tracks what happens on
//! it and decides whether it may stay open. `shares` limits the connections of one network that have shown no valid
//! token. `body` is a response body that reports when it has been sent. `socket` is the
//! TCP stream, which it hands back when HTTP no longer uses it.
//!
//! # Why not hyper-util alone
//!
//! hyper reads and writes HTTP here, and hyper-util chooses between its versions. They lack five things that
//! `docs/THREATS.md` promises:
//!
//! - hyper's `header_read_timeout` also counts the idle time before a request. A head has 15 seconds here, an idle
//!   connection 75.
//! - Neither limits how many connections one address may have.
//! - Neither limits how long a client may take to read an answer.
//! - Neither limits how many answers of one HTTP/2 connection may wait to be read.
//! - hyper-util's `GracefulShutdown` closes idle HTTP/1.1 connections at once, also when a request is on its way, and
//!   closing a socket with unread data resets the connection before the client has read its answer.

mod activity;
mod body;
mod connection;
mod shares;
mod socket;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures::FutureExt;
use futures::future::BoxFuture;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::admission::Peer;
use crate::auth::Network;
use crate::config::ConnectionLimits;
use crate::router::router;
use crate::server::shares::Shares;
use crate::state::ApiState;

/// The pause before the next `accept` when the process has no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Serves `api` on `listener` until `shutdown` completes. Then it accepts no new connections, answers the requests that
/// have begun, and closes the connections that are still open after the configured drain time.
///
/// # Errors
/// None at present: an error on one connection does not affect the others.
pub fn serve(
    listener: TcpListener,
    api: ApiState,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    let (limits, drain_timeout) = (api.config().connections.clone(), api.config().drain_timeout);
    serve_router(listener, router(api), (limits, drain_timeout), shutdown)
}

/// Serves any router like [`serve`], with these limits and this drain time. A handler that finds a valid token must call the
/// [`OnValidToken`](crate::admission::OnValidToken) of the request.
pub(crate) fn serve_router(
    listener: TcpListener,
    router: Router,
    (limits, drain_timeout): (ConnectionLimits, Duration),
    mut shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        let connections = Connections {
            permits: Arc::new(Semaphore::new(limits.open)),
            shares: Shares::new(limits.tokenless_share()),
            limits,
            router,
            shutdown: CancellationToken::new(),
            abort: CancellationToken::new(),
            tasks: TaskTracker::new(),
        };
        loop {
            let permit = tokio::select! {
                () = &mut shutdown => break,
                permit = connections.permit() => permit,
            };
            let accepted = tokio::select! {
                () = &mut shutdown => break,
                accepted = listener.accept() => accepted,
            };
            connections.spawn(accepted, permit).await;
        }
        // The system has completed the handshake of queued connections. Closing the listener would reset them, so they are
        // served too.
        while let Some(Ok(accepted)) = listener.accept().now_or_never() {
            let Ok(permit) = Arc::clone(&connections.permits).try_acquire_owned() else {
                break;
            };
            connections.spawn(Ok(accepted), Some(permit)).await;
        }
        drop(listener);
        connections.drain(drain_timeout).await;
        Ok(())
    })
}

/// The open connections.
struct Connections {
    permits: Arc<Semaphore>,
    /// The connections of each network that have shown no valid token.
    shares: Arc<Shares>,
    limits: ConnectionLimits,
    router: Router,
    /// Cancelled when the shutdown begins: connections answer the requests that have begun, and close.
    shutdown: CancellationToken,
    /// Cancelled after the drain time: connections close at once.
    abort: CancellationToken,
    tasks: TaskTracker,
}

impl Connections {
    /// Waits until one more connection may be open. Until then, new ones wait in the queue of the system.
    async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        if self.permits.available_permits() == 0 {
            tracing::warn!(
                open = self.limits.open,
                "connection limit reached: new connections wait until one closes"
            );
        }
        // The semaphore is never closed.
        Arc::clone(&self.permits).acquire_owned().await.ok()
    }

    /// Serves an accepted connection in a task of its own.
    async fn spawn(
        &self,
        accepted: io::Result<(TcpStream, SocketAddr)>,
        permit: Option<OwnedSemaphorePermit>,
    ) {
        match accepted {
            Ok((stream, peer)) => {
                let router = self.router.clone();
                let network = Network::containing(peer.ip());
                let serving = connection::Connection {
                    router,
                    peer: Peer(network),
                    share: self.shares.open(network),
                    limits: self.limits.clone(),
                };
                let serving = serving.serve(stream, self.shutdown.clone());
                let abort = self.abort.clone();
                self.tasks.spawn(async move {
                    abort.run_until_cancelled(serving).await;
                    drop(permit);
                });
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "accepting connections failed");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    /// Waits until all connections are closed, and aborts those that are still open after `timeout`.
    async fn drain(&self, timeout: Duration) {
        self.shutdown.cancel();
        self.tasks.close();
        if tokio::time::timeout(timeout, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                open = self.tasks.len(),
                "closing connections that did not finish in time"
            );
            self.abort.cancel();
            self.tasks.wait().await;
        }
    }
}

fn is_connection_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}
