//! Reads how many requests accounts have used. Concurrent requests are answered with one statement.

use std::sync::Arc;
use std::time::Duration;

use schema::store::{Db, StoreError, usage, with_timeout};
use schema::{AccountId, Month};
use tokio::sync::{mpsc, oneshot};

/// The length of the queue of questions; further ones wait for a place in it.
const QUEUE_LENGTH: usize = 1024;
/// The largest number of questions answered together.
const GROUP: usize = 256;
/// How long the store may take for a group.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

type Key = (AccountId, Month);
type Answer = oneshot::Sender<Result<u32, Arc<StoreError>>>;

/// Reads the counts of one process. Its task ends when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct UsageReader(mpsc::Sender<(Key, Answer)>);

impl UsageReader {
    /// Starts reading from `db`.
    pub(crate) fn start(db: Db) -> Self {
        let (queue, questions) = mpsc::channel(QUEUE_LENGTH);
        tokio::spawn(answer_groups(db, questions));
        Self(queue)
    }

    /// How many requests `account` has used in `month`. What was counted before this is called is included.
    ///
    /// # Errors
    /// The error of the store.
    pub(crate) async fn used(
        &self,
        account: AccountId,
        month: Month,
    ) -> Result<u32, Arc<StoreError>> {
        let (answer, used) = oneshot::channel();
        // If the task has ended, the answer says so.
        drop(self.0.send(((account, month), answer)).await);
        let ended = || StoreError::Unreachable {
            reason: "the service is shutting down".to_owned(),
        };
        used.await.unwrap_or_else(|_| Err(Arc::new(ended())))
    }
}

/// Answers the queued questions, group by group.
async fn answer_groups(db: Db, mut questions: mpsc::Receiver<(Key, Answer)>) {
    let mut group = Vec::with_capacity(GROUP);
    while questions.recv_many(&mut group, GROUP).await > 0 {
        let mut keys: Vec<Key> = Vec::new();
        for (key, _) in &group {
            if !keys.contains(key) {
                keys.push(*key);
            }
        }
        let read = with_timeout(STORE_TIMEOUT, usage::used_by_all(&db, &keys)).await;
        let read = read.map_err(Arc::new);
        for (key, answer) in group.drain(..) {
            let used = read.as_ref().map_err(Arc::clone).map(|used| {
                let place = keys.iter().position(|other| *other == key);
                place
                    .and_then(|place| used.get(place))
                    .copied()
                    .unwrap_or(0)
            });
            // The receiver is gone if the client has disconnected.
            drop(answer.send(used));
        }
    }
}
