//! Serves the console on its own listener.

use std::io;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::net::TcpListener;

use crate::router::router;
use crate::state::Console;

/// How long requests may take to end after the shutdown has begun.
const DRAIN: Duration = Duration::from_secs(5);

/// Serves the console until `shutdown` completes. Requests that have begun are answered, for at most five seconds.
///
/// # Errors
/// When the listener fails.
pub fn serve(
    listener: TcpListener,
    console: Console,
    shutdown: BoxFuture<'static, ()>,
) -> BoxFuture<'static, io::Result<()>> {
    Box::pin(async move {
        console.snapshots().refresh(console.now());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let serving = axum::serve(listener, router(console)).with_graceful_shutdown(async move {
            // The sender is dropped without a message only when the server ends anyway.
            let _ = stopped.await;
        });
        let mut serving = tokio::spawn(serving.into_future());
        tokio::select! {
            ended = &mut serving => return ended.unwrap_or(Ok(())),
            () = shutdown => {}
        }
        let _ = stop.send(());
        if let Ok(ended) = tokio::time::timeout(DRAIN, &mut serving).await {
            return ended.unwrap_or(Ok(()));
        }
        serving.abort();
        Ok(())
    })
}
