//! Learning that there are new changes: one task asks the database while anybody waits.

use std::sync::Arc;
use std::time::Duration;

use schema::store::{Db, offers};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How long the database may take to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The number of the last change, as far as this process has heard.
#[derive(Debug)]
pub(crate) struct News {
    newest: watch::Sender<i64>,
}

impl News {
    /// Starts asking `db` at this interval until `stop` is cancelled.
    pub(crate) fn follow(db: Db, every: Duration, stop: CancellationToken) -> Arc<Self> {
        let news = Arc::new(Self {
            newest: watch::Sender::new(0),
        });
        let asking = Arc::clone(&news);
        tokio::spawn(async move { stop.run_until_cancelled(asking.ask(db, every)).await });
        news
    }

    async fn ask(&self, db: Db, every: Duration) {
        loop {
            tokio::time::sleep(every).await;
            if self.newest.receiver_count() == 0 {
                continue;
            }
            match tokio::time::timeout(TIMEOUT, offers::last_change(&db)).await {
                Ok(Ok(newest)) => {
                    self.newest.send_replace(newest);
                }
                Ok(Err(error)) => tracing::warn!(%error, "looking for new changes failed"),
                Err(_) => tracing::warn!("looking for new changes took too long"),
            }
        }
    }

    /// Waits until there is a change after this number.
    pub(crate) async fn after(&self, number: i64) {
        // The sender lives as long as `self`, so waiting does not fail.
        let mut heard = self.newest.subscribe();
        drop(heard.wait_for(|newest| *newest > number).await);
    }
}
