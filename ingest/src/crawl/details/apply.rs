//! From what answers mean to what is stored.

use schema::store::index_entries::ReadDetail;
use schema::store::{listings, raw_listings};
use schema::{ListingKey, Observation, Timestamp};

use super::interpret::{Interpretation, interpret};
use super::{FetchedDetail, RequestedDetail};
use crate::crawl::crawler::{Crawler, PendingWrites, Withdrawal};
use crate::crawl::interruption::Interruption;
use crate::intake::ReadObservation;

const HOUR: i64 = 60 * 60 * 1000;

const DAY: i64 = 24 * HOUR;

/// How long a detail is valid at most while the index page says nothing new about the advert, in milliseconds, unless the
/// operator sets another time.
const MAX_AGE: i64 = 7 * DAY;

impl Crawler<'_> {
    /// Interprets fetched details and checks them for plausibility. Nothing is stored yet, and ends are held back.
    pub(in crate::crawl) async fn interpret_details(
        &mut self,
        fetched: Vec<FetchedDetail>,
    ) -> Result<PendingWrites, Interruption> {
        if fetched.is_empty() {
            return Ok(PendingWrites::default());
        }
        let keys: Vec<ListingKey> = fetched
            .iter()
            .map(|fetched| self.key(&fetched.requested.entry.offer_id))
            .collect();
        let known_contents: Vec<_> = fetched
            .iter()
            .zip(&keys)
            .filter_map(|(fetched, key)| {
                let read = fetched.requested.entry.read.as_ref()?;
                Some((key.clone(), read.content))
            })
            .collect();
        let mut tx = self.db.begin_read().await?;
        let stored = listings::load(&mut tx, &keys).await?;
        let contents = raw_listings::of_keys(&mut tx, &known_contents).await?;
        tx.rollback().await?;
        let volatile = self.definition.volatile;
        let interpretations: Vec<Interpretation> = fetched
            .iter()
            .zip(&keys)
            .map(|(fetched, key)| interpret(fetched, volatile, key, contents.get(key)))
            .collect();
        self.read += interpretations.iter().filter(|one| one.was_read()).count() as u64;
        if !self.options.accept_changes {
            let checked: Vec<_> = interpretations
                .iter()
                .zip(&keys)
                .map(|(interpretation, key)| interpretation.to_check(stored.get(key)))
                .collect();
            self.checks.check(&checked)?;
        }
        self.check_listed(&fetched, &interpretations)?;
        let mut writes = PendingWrites::default();
        for ((fetched, key), interpretation) in fetched.into_iter().zip(keys).zip(interpretations) {
            let is_live = stored
                .get(&key)
                .is_some_and(|stored| stored.state.is_live());
            match interpretation {
                Interpretation::Gone(reason) => self.hold_back(fetched, key, reason, is_live),
                Interpretation::Unanswered(why) => self.pass_over(fetched, why, &mut writes),
                other => {
                    let due_at = self.due_after(&fetched.requested.entry.offer_id, fetched.at);
                    apply(fetched, key, (other, due_at), &mut writes);
                }
            }
        }
        Ok(writes)
    }

    /// Checks that not too many of the adverts that the lists of this crawl showed are said to be gone. A few go between
    /// list and detail; if many do, the portal answers something else, such as a consent page.
    fn check_listed(
        &mut self,
        fetched: &[FetchedDetail],
        interpretations: &[Interpretation],
    ) -> Result<(), Interruption> {
        let since = self.run.started_at;
        for (fetched, interpretation) in fetched.iter().zip(interpretations) {
            let entry = &fetched.requested.entry;
            let is_answer = !matches!(interpretation, Interpretation::Unanswered(_));
            if entry.seen_at >= since && is_answer {
                let url = if entry.url.is_empty() {
                    &entry.offer_id
                } else {
                    &entry.url
                };
                self.listed.count(interpretation.is_gone().then_some(url));
            }
        }
        match self.listed.alarm() {
            Some(alarm) if !self.options.accept_withdrawals => Err(alarm.into()),
            _ => Ok(()),
        }
    }

    /// Notes an advert for which the portal failed to answer. It is due again an hour later, so that a crawl that is
    /// resumed gets past it.
    fn pass_over(&mut self, fetched: FetchedDetail, why: String, writes: &mut PendingWrites) {
        let FetchedDetail { requested, at, .. } = fetched;
        let mut entry = requested.entry;
        tracing::warn!(
            portal = self.site_id,
            advert = entry.offer_id,
            why,
            "passed over an advert"
        );
        self.note(format!("passed over advert {}: {why}", entry.offer_id));
        self.position.passed_over.adverts += 1;
        self.position.passed_over.example = Some(why);
        if requested.is_listed {
            entry.due_at = Timestamp(at.millis() + HOUR);
            writes.entries.push(entry);
        }
    }

    /// When the detail of an advert that was read at `at` is due again: after five to seven days, or five to seven parts
    /// in seven of the time that the operator set. It depends on the advert's number, so that adverts that were read
    /// together are not all due together.
    fn due_after(&self, offer_id: &str, at: Timestamp) -> Timestamp {
        let max_age = self.options.reread_after.map_or(MAX_AGE, |age| {
            i64::try_from(age.as_millis()).unwrap_or(i64::MAX)
        });
        let hash = blake3::hash(offer_id.as_bytes());
        let share = i64::from(u16::from_le_bytes([hash.as_bytes()[0], hash.as_bytes()[1]]));
        let earlier = (max_age / 7 * 2 / i64::from(u16::MAX)).saturating_mul(share);
        Timestamp(at.millis().saturating_add(max_age - earlier))
    }

    /// Remembers an end until the number of ends is known.
    fn hold_back(
        &mut self,
        fetched: FetchedDetail,
        key: ListingKey,
        reason: String,
        is_live: bool,
    ) {
        let FetchedDetail { requested, at, .. } = fetched;
        let mut entry = requested.entry;
        entry.due_at = self.due_after(&entry.offer_id, at);
        let withdrawal = Withdrawal {
            at,
            reason,
            entry: requested.is_listed.then_some(entry),
            is_live,
        };
        self.withdrawals.insert(key.offer_id, withdrawal);
    }
}

/// Adds what is stored for one detail of an advert that is not gone. It is due again at `due_at`.
fn apply(
    fetched: FetchedDetail,
    key: ListingKey,
    (interpretation, due_at): (Interpretation, Timestamp),
    writes: &mut PendingWrites,
) {
    let FetchedDetail { requested, at, .. } = fetched;
    let RequestedDetail {
        mut entry,
        is_listed,
    } = requested;
    entry.due_at = due_at;
    match interpretation {
        Interpretation::Content {
            raw,
            detail,
            reading,
        } => {
            let content = detail.content;
            entry.read = Some(ReadDetail { at, ..detail });
            writes.observations.push(ReadObservation {
                observation: Observation::Seen { key, at, raw },
                known: reading.map(|reading| (*reading, content)),
            });
        }
        // The intake keeps it among the rejects. The advert still counts as shown by the index page.
        Interpretation::Unreadable { raw, .. } => {
            let observation = Observation::Seen { key, at, raw };
            writes.observations.push(observation.into());
        }
        Interpretation::ContentMissing => {
            entry.read = None;
            entry.due_at = at;
        }
        Interpretation::Unexpected(why) => {
            tracing::warn!(listing = %key, why, "the portal's answer is not an advert; it is asked again in the next crawl");
            return;
        }
        Interpretation::Gone(_) | Interpretation::Unanswered(_) => return,
    }
    if is_listed {
        writes.entries.push(entry);
    }
}
