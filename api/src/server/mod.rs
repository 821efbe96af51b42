//! Serving connections: HTTP/1.1 and HTTP/2, with bounds of number and time, and an orderly end.
//!
//! # Layout
//!
//! This file accepts connections and ends them all; `connection` serves one of them; `activity` knows what goes on on
//! it, and judges whether it may go on; `answer` is the body that knows when it has been sent; `socket` is the way down
//! to the system, and back when HTTP is done with it.

mod activity;
mod answer;
mod connection;
mod socket;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures::FutureExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::access::Peer;
use crate::auth::Network;
use crate::config::ConnectionLimits;
use crate::router::router;
use crate::state::ApiState;

/// How long to wait before accepting again when the machine is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Serves `api` on `listener` until `shutdown` comes. Then no new connection is accepted, requests that were begun are
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
    let open = Open {
        places: Arc::new(Semaphore::new(api.config().connections.open)),
        limits: api.config().connections.clone(),
        router: router(api),
        ending: CancellationToken::new(),
        cut: CancellationToken::new(),
        tasks: TaskTracker::new(),
    };
    let mut shutdown = std::pin::pin!(shutdown);
    loop {
        let place = tokio::select! {
            () = &mut shutdown => break,
            place = open.place() => place,
        };
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        open.take(accepted, place).await;
    }
    // Whoever was let in by the system but not by us has begun too: closing the listener would reset them.
    while let Some(Ok(accepted)) = listener.accept().now_or_never() {
        let Ok(place) = Arc::clone(&open.places).try_acquire_owned() else {
            break;
        };
        open.take(Ok(accepted), Some(place)).await;
    }
    drop(listener);
    open.end(drain_timeout).await;
    Ok(())
}

/// The open connections.
struct Open {
    places: Arc<Semaphore>,
    limits: ConnectionLimits,
    router: Router,
    /// Requests that were begun are answered, and no others.
    ending: CancellationToken,
    /// Nothing is waited for any more.
    cut: CancellationToken,
    tasks: TaskTracker,
}

impl Open {
    /// A place for one more connection; others wait in the system's queue until there is one.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        if self.places.available_permits() == 0 {
            tracing::warn!(
                open = self.limits.open,
                "no more connections are accepted until one closes"
            );
        }
        // It is never closed.
        Arc::clone(&self.places).acquire_owned().await.ok()
    }

    async fn take(
        &self,
        accepted: io::Result<(TcpStream, SocketAddr)>,
        place: Option<OwnedSemaphorePermit>,
    ) {
        match accepted {
            Ok((stream, peer)) => {
                let router = self.router.clone();
                let peer = Peer(Network::of(peer.ip()));
                let serving = connection::Connection {
                    router,
                    peer,
                    limits: self.limits.clone(),
                };
                let serving = serving.serve(stream, self.ending.clone());
                let cut = self.cut.clone();
                self.tasks.spawn(async move {
                    cut.run_until_cancelled(serving).await;
                    drop(place);
                });
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    async fn end(&self, within: Duration) {
        self.ending.cancel();
        self.tasks.close();
        if tokio::time::timeout(within, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!(
                open = self.tasks.len(),
                "connections are cut off: they did not end in time"
            );
            self.cut.cancel();
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
