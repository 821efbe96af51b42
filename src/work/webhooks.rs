//! Sending changes of records to webhooks: to each in the order of the changes, one message for each change.
//!
//! A worker takes a webhook for twenty seconds, and again with each message. If it dies, another worker takes
//! the webhook after that time and begins with the message that was not noted as accepted: so a receiver may get a
//! message twice, and its number (`seq`) tells.

use std::sync::Arc;
use std::time::Duration;

use feed::{Change, PageError, Wanted, read_page, saved_search};
use reqwest::Url;
use schema::Timestamp;
use schema::store::StoreError;
use schema::store::webhooks::{self, DeadLetter, GivenBack, Webhook};
use tokio::task::JoinSet;

use super::Worker;
use crate::clock;
use crate::webhook::{Receiver, Sender, TIMEOUT};

/// How long a webhook stays with a worker without a sign of it: twice as long as a message may take.
const LEASE: Duration = TIMEOUT.saturating_mul(2);

/// How often a message is tried before it is given up: for six hours, with the usual first wait of half a minute.
const MAX_ATTEMPTS: u32 = 12;

/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// How many changes are read together.
const PAGE: u32 = 50;

/// Delivers repeatedly until the worker is told to stop.
pub(super) async fn keep_delivering(worker: Arc<Worker>) {
    let sender = match Sender::new() {
        Ok(sender) => sender,
        Err(error) => return tracing::error!(%error, "no webhook is told of changes"),
    };
    let mut running = JoinSet::new();
    while !worker.stop.is_cancelled() {
        if let Err(error) = begin_deliveries(&worker, &sender, &mut running).await {
            tracing::error!(%error, "cannot look for webhooks that are due; trying again");
        }
        while running.try_join_next().is_some() {}
        worker.sleep(worker.options.poll).await;
    }
    while running.join_next().await.is_some() {}
}

async fn begin_deliveries(
    worker: &Arc<Worker>,
    sender: &Sender,
    running: &mut JoinSet<()>,
) -> Result<(), StoreError> {
    let now = clock::now();
    for webhook in webhooks::take_due(&worker.db, now, after(now, LEASE)).await? {
        let delivery = Delivery {
            worker: Arc::clone(worker),
            sender: sender.clone(),
        };
        running.spawn(async move {
            let id = webhook.id;
            if let Err(error) = delivery.deliver(webhook).await {
                tracing::error!(webhook = id, %error, "cannot deliver changes; trying again");
            }
        });
    }
    let letters = webhooks::take_letters(&worker.db, now, after(now, LEASE)).await?;
    if !letters.is_empty() {
        let delivery = Delivery {
            worker: Arc::clone(worker),
            sender: sender.clone(),
        };
        running.spawn(async move {
            if let Err(error) = delivery.send_letters(letters).await {
                tracing::error!(%error, "cannot send given-up messages; trying again");
            }
        });
    }
    Ok(())
}

fn after(now: Timestamp, wait: Duration) -> Timestamp {
    let wait = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
    Timestamp(now.millis().saturating_add(wait))
}

fn failed(reason: &str) -> GivenBack<'_> {
    let at = clock::now();
    GivenBack::Failed { at, reason }
}

fn receiver(webhook: &Webhook) -> Result<Receiver, String> {
    let url = Url::parse(&webhook.url).map_err(|error| error.to_string())?;
    Receiver::new(url, &webhook.secret).map_err(|error| error.to_string())
}

/// Sends messages for a worker.
struct Delivery {
    worker: Arc<Worker>,
    sender: Sender,
}

impl Delivery {
    /// Sends the changes of one webhook until none is left, one is not accepted, or the worker stops.
    async fn deliver(&self, webhook: Webhook) -> Result<(), StoreError> {
        let db = &self.worker.db;
        let prepared = receiver(&webhook).and_then(|receiver| {
            let filter = saved_search(&webhook.filter);
            let filter = filter.map_err(|errors| format!("its filter is refused: {errors:?}"))?;
            Ok((receiver, filter))
        });
        let (receiver, filter) = match prepared {
            Ok(prepared) => prepared,
            Err(reason) => {
                let due = after(clock::now(), LONGEST_WAIT);
                let at = (webhook.id, webhook.position);
                return webhooks::give_back(db, at, due, failed(&reason)).await;
            }
        };
        let mut sending = Sending {
            id: webhook.id,
            position: webhook.position,
            attempts: webhook.attempts,
            receiver,
        };
        loop {
            let wanted = Wanted {
                after: Some(sending.position),
                limit: PAGE,
                filter: &filter,
                heard_of: 0,
            };
            let page = match read_page(db, wanted).await {
                Ok(page) => page,
                Err(PageError::Failed(error)) => return Err(error),
                Err(PageError::Expired { known_after, .. }) => {
                    tracing::error!(
                        webhook = sending.id,
                        after = sending.position,
                        "changes were deleted before they were delivered; going on after them"
                    );
                    sending.skip_to(&self.worker, known_after).await?;
                    continue;
                }
                // The database was restored from a backup. The next worker that takes the webhook finds it there.
                Err(PageError::Ahead { .. }) => return Ok(()),
            };
            for change in &page.changes {
                if !self.send(&mut sending, change).await? {
                    return Ok(());
                }
            }
            let is_done = !page.has_more;
            if page.next_after > sending.position
                && !sending.skip_to(&self.worker, page.next_after).await?
            {
                return Ok(());
            }
            if is_done {
                let how = GivenBack::UpToDate;
                return sending.give_back(&self.worker, Duration::ZERO, how).await;
            }
        }
    }

    /// Sends a change. Returns whether to go on with the next.
    async fn send(&self, sending: &mut Sending, change: &Change) -> Result<bool, StoreError> {
        if self.worker.stop.is_cancelled() {
            let how = GivenBack::Unfinished;
            sending.give_back(&self.worker, Duration::ZERO, how).await?;
            return Ok(false);
        }
        // Writing JSON to memory fails for no value of this type.
        let message = serde_json::to_vec(change).unwrap_or_default();
        let failure = match self.sender.send(&sending.receiver, message.clone()).await {
            Ok(()) => return sending.skip_to(&self.worker, change.seq).await,
            Err(failure) => failure,
        };
        sending.attempts += 1;
        let (webhook, attempts) = (sending.id, sending.attempts);
        if attempts < MAX_ATTEMPTS {
            tracing::warn!(
                webhook,
                change = change.seq,
                attempts,
                failure,
                "a webhook did not accept a change; it is sent again"
            );
            let wait = wait_after(attempts, self.worker.options.retry);
            sending
                .give_back(&self.worker, wait, failed(&failure))
                .await?;
            return Ok(false);
        }
        tracing::error!(
            webhook,
            change = change.seq,
            attempts,
            failure,
            "a webhook did not accept a change; it is given up"
        );
        let letter = DeadLetter {
            webhook_id: webhook,
            change: change.seq,
            message,
            reason: failure,
            given_up_at: clock::now(),
        };
        let until = after(clock::now(), LEASE);
        sending.attempts = 0;
        sending.position = change.seq;
        webhooks::give_up(&self.worker.db, &letter, until).await
    }

    /// Sends messages that were given up once more.
    async fn send_letters(&self, letters: Vec<DeadLetter>) -> Result<(), StoreError> {
        let db = &self.worker.db;
        let webhooks = webhooks::list(db).await?;
        for letter in letters {
            let webhook = webhooks.iter().find(|one| one.id == letter.webhook_id);
            let Some(webhook) = webhook.filter(|_| !self.worker.stop.is_cancelled()) else {
                continue;
            };
            let sent = match receiver(webhook) {
                Ok(receiver) => self.sender.send(&receiver, letter.message).await,
                Err(reason) => Err(reason),
            };
            let at = (letter.webhook_id, letter.change);
            webhooks::retried(db, at, sent.err().as_deref()).await?;
        }
        Ok(())
    }
}

/// A webhook that a worker has taken.
struct Sending {
    id: i64,
    position: i64,
    attempts: u32,
    receiver: Receiver,
}

impl Sending {
    /// Moves to a position. Returns whether the worker still has the webhook.
    async fn skip_to(&mut self, worker: &Worker, position: i64) -> Result<bool, StoreError> {
        let until = after(clock::now(), LEASE);
        self.attempts = 0;
        self.position = position;
        webhooks::advance(&worker.db, (self.id, position), until).await
    }

    async fn give_back(
        &self,
        worker: &Worker,
        wait: Duration,
        how: GivenBack<'_>,
    ) -> Result<(), StoreError> {
        let due = after(clock::now(), wait);
        webhooks::give_back(&worker.db, (self.id, self.position), due, how).await
    }
}

/// How long to wait after this many failed attempts: twice as long each time.
fn wait_after(attempts: u32, first: Duration) -> Duration {
    first
        .saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1)))
        .min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_an_hour() {
        let waits: Vec<u64> = (1..10)
            .map(|attempts| wait_after(attempts, Duration::from_secs(30)).as_secs())
            .collect();
        assert_eq!(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
        assert_eq!(wait_after(u32::MAX, Duration::from_secs(30)), LONGEST_WAIT);
    }
}
