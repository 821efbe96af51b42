//! Counting requests: concurrent ones are collected, and counted in one transaction.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use schema::store::usage::{self, Granted, Request};
use schema::store::{CommitMark, CommitOutcome, Db, StoreError, TransactionStatus};
use schema::{AccountId, Month};
use tokio::sync::{mpsc, oneshot};

use crate::patience::in_time;

/// Requests that may wait to be counted; beyond them the next ones wait to wait.
const WAITING: usize = 8192;
/// Requests counted in one transaction at most.
const GROUP: usize = 1024;
/// How long the store may take for each step.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before it is asked again, after it failed; twice as long after each failure, up to the longest.
const AGAIN_AFTER: Duration = Duration::from_millis(200);
const AT_LONGEST: Duration = Duration::from_secs(5);
/// How long whoever gives back waits for it; then it goes on by itself.
const GIVING_BACK: Duration = Duration::from_secs(1);

/// What became of a request to count one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is counted; so many are, with it.
    Counted(u32),
    /// The limit is reached; so many are counted, and this one is not.
    Exhausted(u32),
}

/// Why a request could not be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The store failed, for the whole group.
    #[error("the request could not be counted")]
    Store(#[source] Arc<StoreError>),
    /// The store did not answer in time.
    #[error("the request was not counted within {0:?}")]
    Late(Duration),
    /// The task that counts has ended.
    #[error("requests are no longer counted: the service is ending")]
    Ended,
}

/// What is counted together: one account's requests in one month under one limit.
type Share = (AccountId, Month, u32);
type Answer = oneshot::Sender<Result<Outcome, CountError>>;

/// The counter of one process. Its task ends when the last clone is dropped.
#[derive(Clone)]
pub struct Reservations {
    db: Db,
    waiting: mpsc::Sender<(Share, Answer)>,
}

impl Reservations {
    /// Starts counting in `db`.
    pub fn start(db: Db) -> Self {
        let (waiting, requests) = mpsc::channel(WAITING);
        tokio::spawn(count(db.clone(), requests));
        Self { db, waiting }
    }

    /// Counts one request of `account` in `month`, unless `limit` is reached. The count is committed when this returns.
    /// Where that takes longer than `patience` it returns all the same, and a count that comes later is given back.
    ///
    /// # Errors
    /// [`CountError`] when the store failed; the request is then not counted, or its count is lost with the answer.
    pub async fn reserve(
        &self,
        account: AccountId,
        month: Month,
        limit: u32,
        patience: Duration,
    ) -> Result<Outcome, CountError> {
        let (answer, mut outcome) = oneshot::channel();
        let asked = async {
            // Where nobody takes it, nobody answers it.
            drop(self.waiting.send(((account, month, limit), answer)).await);
            (&mut outcome).await.unwrap_or(Err(CountError::Ended))
        };
        if let Ok(outcome) = tokio::time::timeout(patience, asked).await {
            return outcome;
        }
        let this = self.clone();
        tokio::spawn(async move {
            if let Ok(Ok(Outcome::Counted(_))) = outcome.await {
                this.give_back(account, month).await;
            }
        });
        Err(CountError::Late(patience))
    }

    /// Takes one count off again. It goes on when the caller goes away, and until the store has taken it; whoever gives
    /// back waits a moment for that, and no longer.
    pub async fn give_back(&self, account: AccountId, month: Month) {
        let work = tokio::spawn(give_back_for_good(self.db.clone(), account, month));
        if let Ok(Err(error)) = tokio::time::timeout(GIVING_BACK, work).await {
            tracing::error!(account = account.0, %error, "giving back a count failed");
        }
    }
}

/// Counts whatever waits, group by group.
async fn count(db: Db, mut requests: mpsc::Receiver<(Share, Answer)>) {
    let mut group = Vec::with_capacity(GROUP);
    while requests.recv_many(&mut group, GROUP).await > 0 {
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
        match usage::reserve(&db, &wanted, PATIENCE).await {
            Ok((granted, CommitOutcome::Committed)) => tell_all(answers, &granted),
            Ok((granted, CommitOutcome::Unknown(mark))) => {
                let db = db.clone();
                // The others need not wait until it is known.
                tokio::spawn(async move {
                    if was_committed(&db, &mark).await {
                        tell_all(answers, &granted);
                    } else {
                        refuse_all(
                            answers,
                            StoreError::Unreachable {
                                reason: "it was not committed".to_owned(),
                            },
                        );
                    }
                });
            }
            Err(error) => refuse_all(answers, error),
        }
    }
}

/// What became of a transaction that the store was not sure of: asked until it is known.
async fn was_committed(db: &Db, mark: &CommitMark) -> bool {
    let mut pause = AGAIN_AFTER;
    loop {
        match in_time(PATIENCE, db.transaction_status(mark)).await {
            Ok(TransactionStatus::Committed) => return true,
            Ok(TransactionStatus::RolledBack) => return false,
            Ok(TransactionStatus::InProgress) => {}
            Err(error) => tracing::warn!(%error, "whether requests were counted is not known yet"),
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(AT_LONGEST);
    }
}

async fn give_back_for_good(db: Db, account: AccountId, month: Month) {
    let mut pause = AGAIN_AFTER;
    loop {
        match usage::give_back(&db, account, month, 1, PATIENCE).await {
            Ok(CommitOutcome::Committed) => return,
            Ok(CommitOutcome::Unknown(mark)) if was_committed(&db, &mark).await => return,
            Ok(CommitOutcome::Unknown(_)) => {}
            Err(error) => {
                tracing::warn!(account = account.0, %error, "a count could not be given back yet");
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(AT_LONGEST);
    }
}

fn tell_all(answers: Vec<Vec<Answer>>, granted: &[Granted]) {
    for (answers, granted) in answers.into_iter().zip(granted) {
        tell(answers, granted.granted, granted.used);
    }
}

fn refuse_all(answers: Vec<Vec<Answer>>, error: StoreError) {
    let error = Arc::new(error);
    for answer in answers.into_iter().flatten() {
        // Whoever went away does not want to know.
        drop(answer.send(Err(CountError::Store(Arc::clone(&error)))));
    }
}

/// Tells the first `granted` that they are counted, and the others that they are not. `used` is the count after all.
fn tell(answers: Vec<Answer>, granted: u32, used: u32) {
    let before = used.saturating_sub(granted);
    for (number, answer) in (1..).zip(answers) {
        let outcome = if number <= granted {
            Outcome::Counted(before + number)
        } else {
            Outcome::Exhausted(used)
        };
        // Whoever went away is counted all the same.
        drop(answer.send(Ok(outcome)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_a_group_learns_its_own_count() {
        let (answers, mut outcomes): (Vec<_>, Vec<_>) = (0..4).map(|_| oneshot::channel()).unzip();
        tell(answers, 3, 10);
        let told: Vec<Outcome> = outcomes
            .iter_mut()
            .map(|outcome| outcome.try_recv().unwrap().unwrap())
            .collect();
        assert_eq!(
            told,
            [
                Outcome::Counted(8),
                Outcome::Counted(9),
                Outcome::Counted(10),
                Outcome::Exhausted(10)
            ]
        );
    }
}
