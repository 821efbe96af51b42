//! What a concern is, and how it is said.

use schema::Timestamp;

use crate::shown_time::{local, took};
use crate::watch;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The last crawl was stopped by an alarm.
    Alarm {
        /// When it began.
        began: Timestamp,
        /// The alarm, with its figures.
        alarm: String,
    },
    /// The last crawl failed.
    Failed {
        /// When it began.
        began: Timestamp,
        /// Why, if that is known.
        trouble: Option<String>,
    },
    /// The portal has not been crawled completely for long.
    Incomplete {
        /// Since when.
        since: Timestamp,
    },
    /// A crawl is due and not queued.
    NotQueued {
        /// For how long, in seconds.
        seconds: i64,
    },
    /// A job was given up.
    GivenUp {
        /// Its kind.
        kind: String,
        /// Whether it crawls a portal.
        is_crawl: bool,
        /// When.
        at: Option<Timestamp>,
        /// Why.
        reason: String,
    },
    /// Deduplication is behind.
    DedupBehind {
        /// How many listings wait.
        pending: u64,
        /// For how long, in seconds.
        seconds: i64,
    },
    /// No worker has begun a due job.
    JobWaits {
        /// For how long, in seconds.
        seconds: i64,
    },
    /// The registry's file here is another edition than the database uses, or missing.
    OtherRegistry {
        /// The id of the edition that the database uses.
        edition: String,
    },
    /// Messages to a webhook of changes were given up.
    DeadLetters {
        /// The webhook.
        webhook: i64,
        /// How many.
        letters: u64,
    },
    /// Messages to a webhook of changes have failed for long.
    WebhookFails {
        /// The webhook.
        webhook: i64,
        /// Since when.
        since: Timestamp,
        /// How many numbers of changes it is behind.
        behind: i64,
        /// Why the last attempt failed.
        reason: String,
    },
    /// There is work and no worker.
    NoWorker {
        /// How many portals are scheduled.
        scheduled: usize,
        /// How many jobs wait or run.
        jobs: usize,
    },
}

impl Cause {
    /// What is wrong.
    pub(super) fn what(&self) -> String {
        match self {
            Self::Alarm { began, alarm } => {
                format!(
                    "the crawl of {} was stopped by an alarm: {alarm}",
                    local(*began)
                )
            }
            Self::Failed { began, trouble } => format!(
                "the crawl of {} failed: {}",
                local(*began),
                trouble.as_deref().unwrap_or("no reason is known")
            ),
            Self::Incomplete { since } => {
                format!("has not been crawled completely since {}", local(*since))
            }
            Self::NotQueued { seconds } => {
                format!(
                    "a crawl has been due for {} and is not queued",
                    took(*seconds)
                )
            }
            Self::GivenUp {
                kind, at, reason, ..
            } => {
                let at = at.map(local).unwrap_or_default();
                format!("{kind} was given up at {at}: {reason}")
            }
            Self::DedupBehind { pending, seconds } => format!(
                "{pending} listings wait for deduplication, which was requested {} ago",
                took(*seconds)
            ),
            Self::JobWaits { seconds } => format!(
                "a job has been due for {} and no worker has begun it",
                took(*seconds)
            ),
            Self::OtherRegistry { edition } => format!(
                "the database uses edition {edition:.12} of the address registry, but the file here is another edition or missing"
            ),
            Self::DeadLetters { webhook, letters } => {
                format!("{letters} messages to webhook {webhook} were given up")
            }
            Self::WebhookFails {
                webhook,
                since,
                behind,
                reason,
            } => format!(
                "webhook {webhook} has not accepted a message since {} and is {behind} changes behind: {reason}",
                local(*since)
            ),
            Self::NoWorker { scheduled, jobs } => {
                format!("no worker is running; {scheduled} portals are scheduled, {jobs} jobs wait")
            }
        }
    }

    /// What to do about it.
    pub(super) fn todo(&self, about: &str) -> String {
        let fixed = match self {
            Self::Alarm { .. } => {
                return format!(
                    "look at the portal. If it really has changed, run `jeden schedule run {about}` with the --accept option that the alarm names"
                );
            }
            Self::Failed { .. } => {
                return format!("a worker retries it; to try now, run `jeden scrape {about}`");
            }
            Self::Incomplete { .. } => return watch::WHEN_INCOMPLETE.replace("PORTAL", about),
            Self::GivenUp { is_crawl: true, .. } => {
                return format!("correct the cause, then run `jeden schedule run {about}`");
            }
            Self::DeadLetters { webhook, .. } => {
                return format!(
                    "`jeden webhook list` says why; when the receiver is mended, `jeden webhook retry {webhook}` sends them once more"
                );
            }
            Self::WebhookFails { webhook, .. } => {
                return format!(
                    "tell its receiver, or take it away with `jeden webhook remove {webhook}`"
                );
            }
            Self::NotQueued { .. } => "check that `jeden work` runs, and what it logs",
            Self::GivenUp { .. } => {
                "correct the cause; the next job of this kind is queued automatically"
            }
            Self::DedupBehind { .. } => {
                "check what `jeden work` logs; it may need more memory or a faster disk"
            }
            Self::JobWaits { .. } => "start another `jeden work`, or raise --portals-at-once",
            Self::OtherRegistry { .. } => {
                "copy its file here, or import it again; `jeden gazetteer show` says which file"
            }
            Self::NoWorker { .. } => {
                "start `jeden work`, or its systemd unit: systemctl start jeden-work"
            }
        };
        fixed.to_owned()
    }
}
