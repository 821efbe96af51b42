//! Being asked to stop.

/// Resolves when the process is asked to stop.
pub async fn stopped() {
    use tokio::signal::unix::{SignalKind, signal};
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = interrupted => {}
                _ = terminate.recv() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM cannot be caught; only Ctrl-C ends the server in order");
            if interrupted.await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
