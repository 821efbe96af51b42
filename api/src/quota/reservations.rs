//! Counts requests. Concurrent requests are collected and counted in one statement.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use schema::store::usage::{self, CommitOutcome, Counted, Granted, Request};
use schema::store::{Db, StoreError, with_timeout};
use schema::{AccountId, Month};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

/// The length of the queue of requests to be counted; further requests wait for a place in it.
const QUEUE_LENGTH: usize = 8192;
/// The largest number of requests counted in one statement.
const GROUP: usize = 1024;
/// How long the requests of a group may wait for others that are expected. A timer adds up to a millisecond.
const GATHERING: Duration = Duration::from_millis(1);
/// How long the store may take for each step: to give the connection, and to answer.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);
/// The pause before the first retry after a failure of the store. Each further pause is twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How long a request waits for its count to be given back. After that, the attempts continue in the background.
const GIVE_BACK_WAIT: Duration = Duration::from_secs(1);

/// Whether a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was counted.
    Counted {
        /// It is the request of the month with this number.
        used: u32,
        /// The newest change of a record when it was counted.
        newest_change: i64,
    },
    /// It was not counted, because this many are counted and the limit is reached.
    Exhausted(u32),
}

/// Why a request could not be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CountError {
    /// The store failed for the whole group.
    #[error("counting the request failed")]
    Store(#[source] Arc<StoreError>),
    /// The store did not answer in time.
    #[error("the request was not counted within {0:?}")]
    Late(Duration),
    /// The counting task has ended.
    #[error("the service is shutting down and no longer counts requests")]
    Ended,
}

/// The requests that are counted together: those of one account in one month under one limit.
type Share = (AccountId, Month, u32);
type Answer = oneshot::Sender<Result<Outcome, CountError>>;
type Requests = mpsc::Receiver<(Share, Answer)>;

/// Counts the requests of one process. Its task ends when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Reservations {
    db: Db,
    queue: mpsc::Sender<(Share, Answer)>,
}

impl Reservations {
    /// Starts counting in `db`.
    pub(crate) fn start(db: Db) -> Self {
        let (queue, requests) = mpsc::channel(QUEUE_LENGTH);
        tokio::spawn(count(db.clone(), requests));
        Self { db, queue }
    }

    /// Counts one request of `account` in `month`, unless `limit` is reached. The count is committed when this returns.
    /// If that takes longer than `timeout`, this returns an error, and the count is given back when it comes.
    ///
    /// # Errors
    /// [`CountError`] if the request could not be counted in time.
    pub(crate) async fn reserve(
        &self,
        account: AccountId,
        month: Month,
        limit: u32,
        timeout: Duration,
    ) -> Result<Outcome, CountError> {
        let (answer, mut outcome) = oneshot::channel();
        let counted = async {
            // If the task has ended, the outcome says so.
            drop(self.queue.send(((account, month, limit), answer)).await);
            (&mut outcome).await.unwrap_or(Err(CountError::Ended))
        };
        if let Ok(outcome) = tokio::time::timeout(timeout, counted).await {
            return outcome;
        }
        let this = self.clone();
        tokio::spawn(async move {
            if let Ok(Ok(Outcome::Counted { .. })) = outcome.await {
                this.give_back(account, month).await;
            }
        });
        Err(CountError::Late(timeout))
    }

    /// Gives one count back. This is retried until the store has committed it, even if the caller is dropped. The caller
    /// waits for it only a moment.
    pub(crate) async fn give_back(&self, account: AccountId, month: Month) {
        let work = tokio::spawn(give_back_until_committed(self.db.clone(), account, month));
        if let Ok(Err(error)) = tokio::time::timeout(GIVE_BACK_WAIT, work).await {
            tracing::error!(account = account.0, %error, "giving a count back failed");
        }
    }
}

/// Counts the queued requests, group by group.
async fn count(db: Db, mut requests: Requests) {
    let mut group = Vec::with_capacity(GROUP);
    let mut expected = 1;
    while gather(&mut requests, &mut group, expected).await {
        let size = group.len();
        let mut shares: HashMap<Share, Vec<Answer>> = HashMap::new();
        for (share, answer) in group.drain(..) {
            shares.entry(share).or_default().push(answer);
        }
        let (shares, answers): (Vec<Share>, Vec<Vec<Answer>>) = shares.into_iter().unzip();
        let wanted: Vec<Request> = shares
            .iter()
            .zip(&answers)
            .map(|((account, month, limit), answers)| Request {
                account: *account,
                month: *month,
                limit: *limit,
                count: answers.len() as u32,
            })
            .collect();
        match usage::reserve(&db, &wanted, STORE_TIMEOUT).await {
            Ok(CommitOutcome::Committed(counted)) => tell_all(answers, &counted),
            Ok(CommitOutcome::Unknown(mark)) => {
                let db = db.clone();
                // The next groups do not wait until the outcome is known.
                tokio::spawn(async move {
                    let counted = settled(|| usage::settle_count(&db, &wanted, &mark)).await;
                    match counted {
                        Some(counted) => tell_all(answers, &counted),
                        None => refuse_all(
                            answers,
                            StoreError::Unreachable {
                                reason: "the statement that counts was lost".to_owned(),
                            },
                        ),
                    }
                });
            }
            Err(error) => refuse_all(answers, error),
        }
        // So many were under way together. Clients that get an answer often ask again.
        expected = size + requests.len();
    }
}

/// Takes the waiting requests, and waits a moment for as many as are expected, because a statement for all costs hardly
/// more than one for a few. A single client never waits. Returns whether there are any, or the last sender is gone.
async fn gather(
    requests: &mut Requests,
    group: &mut Vec<(Share, Answer)>,
    expected: usize,
) -> bool {
    if requests.recv_many(group, GROUP).await == 0 {
        return false;
    }
    let deadline = Instant::now() + GATHERING;
    while group.len() < expected.min(GROUP) {
        let room = GROUP - group.len();
        let more = timeout_at(deadline, requests.recv_many(group, room)).await;
        if !matches!(more, Ok(1..)) {
            break;
        }
    }
    true
}

/// Asks for the outcome of a statement until the answer is known.
async fn settled<T, F>(ask: impl Fn() -> F) -> T
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        match with_timeout(STORE_TIMEOUT, ask()).await {
            Ok(outcome) => return outcome,
            Err(error) => {
                tracing::warn!(%error, "it is not known yet whether requests were counted");
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

async fn give_back_until_committed(db: Db, account: AccountId, month: Month) {
    let mut pause = FIRST_PAUSE;
    loop {
        match usage::give_back(&db, account, month, 1, STORE_TIMEOUT).await {
            Ok(CommitOutcome::Committed(())) => return,
            Ok(CommitOutcome::Unknown(mark)) => {
                if settled(|| usage::settle_give_back(&db, &mark)).await {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(account = account.0, %error, "giving a count back failed; trying again");
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

fn tell_all(answers: Vec<Vec<Answer>>, counted: &Counted) {
    for (answers, granted) in answers.into_iter().zip(&counted.granted) {
        tell(answers, *granted, counted.newest_change);
    }
}

fn refuse_all(answers: Vec<Vec<Answer>>, error: StoreError) {
    let error = Arc::new(error);
    for answer in answers.into_iter().flatten() {
        // The receiver is gone if the client has disconnected.
        drop(answer.send(Err(CountError::Store(Arc::clone(&error)))));
    }
}

/// Tells the first requests that they are counted, as many as were granted, and the others that they are not.
fn tell(answers: Vec<Answer>, granted: Granted, newest_change: i64) {
    let Granted { granted, used } = granted;
    let before = used.saturating_sub(granted);
    for (number, answer) in (1..).zip(answers) {
        let outcome = if number <= granted {
            Outcome::Counted {
                used: before + number,
                newest_change,
            }
        } else {
            Outcome::Exhausted(used)
        };
        // A request whose client has disconnected is counted too.
        drop(answer.send(Ok(outcome)));
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_group_waits_for_as_many_requests_as_are_expected_but_not_for_long() {
        let month = Month {
            year: 2026,
            month: 5,
        };
        let (queue, mut requests) = mpsc::channel(8);
        let send = || queue.try_send(((AccountId(1), month, 10), oneshot::channel().0));
        let mut group = Vec::new();

        send().unwrap();
        let alone = gather(&mut requests, &mut group, 1).now_or_never();
        assert_eq!(alone, Some(true), "a single client never waits");

        group.clear();
        send().unwrap();
        let mut gathering = Box::pin(gather(&mut requests, &mut group, 3));
        assert_eq!(gathering.as_mut().now_or_never(), None);
        send().unwrap();
        send().unwrap();
        assert!(gathering.await);
        assert_eq!(group.len(), 3);

        group.clear();
        send().unwrap();
        assert!(gather(&mut requests, &mut group, 3).await);
        assert_eq!(group.len(), 1, "the others did not come");

        drop(queue);
        assert!(!gather(&mut requests, &mut group, 1).await);
    }

    #[test]
    fn each_request_of_a_group_learns_its_own_count() {
        let (answers, mut outcomes): (Vec<_>, Vec<_>) = (0..4).map(|_| oneshot::channel()).unzip();
        let granted = Granted {
            granted: 3,
            used: 10,
        };
        tell(answers, granted, 77);
        let counted = |used| Outcome::Counted {
            used,
            newest_change: 77,
        };
        let told: Vec<Outcome> = outcomes
            .iter_mut()
            .map(|outcome| outcome.try_recv().unwrap().unwrap())
            .collect();
        assert_eq!(
            told,
            [counted(8), counted(9), counted(10), Outcome::Exhausted(10)]
        );
    }
}
