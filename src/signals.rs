//! Signals that stop the process.

/// Resolves on SIGINT (Ctrl-C) or SIGTERM.
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
            tracing::warn!(%error, "cannot catch SIGTERM; only Ctrl-C stops the process cleanly");
            if interrupted.await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
