//! Asking for the live listings that no section showed.
//!
//! The portal's answer decides whether such a listing has ended. If the URL of its page is unknown, because it came
//! from a dump without one, it ends with the complete crawl that did not show it.

use std::collections::BTreeMap;

use schema::store::index_entries::{self, StoredEntry};
use schema::store::listings::{self, Unseen};
use schema::store::raw_listings;
use schema::{Crawl, CrawlScope, ListingKey, Observation, Timestamp};

use super::alarm::Alarm;
use super::crawler::{Crawler, PendingWrites, Withdrawal};
use super::details::{BATCH, RequestedDetail, can_be_requested};
use super::interruption::Interruption;
use super::plausibility::withdrawal_limit;
use super::report::CrawlStep;
use crate::pages::listing_at;

/// Means that no index page ever showed the listing.
const NEVER: Timestamp = Timestamp(i64::MIN);

impl Crawler<'_> {
    /// Asks for every live listing that the sections should have shown and did not. Returns how many of them could be
    /// asked for and gave no clear answer.
    pub(super) async fn ask_for_missing(&mut self) -> Result<usize, Interruption> {
        let mut missing = self.observe_listed().await?;
        self.check_withdrawals(&missing).await?;
        missing.retain(|missing| can_be_requested(self.definition, &missing.entry));
        let of = missing.len() as u64;
        let mut done = 0;
        for batch in missing.chunks(BATCH) {
            self.report_progress(CrawlStep::Missing { done, of });
            done += batch.len() as u64;
            self.read_details(batch.to_vec()).await?;
        }
        let unclear = self.observe_listed().await?;
        Ok(unclear
            .iter()
            .filter(|missing| can_be_requested(self.definition, &missing.entry))
            .count())
    }

    /// Observes the listings that a section showed but whose details could not be read, with their last content.
    /// Returns the listings that no section showed.
    async fn observe_listed(&mut self) -> Result<Vec<RequestedDetail>, Interruption> {
        let mut tx = self.db.begin_read().await?;
        let mut unseen = listings::unseen_since(&mut tx, self.site_id, self.run.started_at).await?;
        unseen.retain(|listing| !self.withdrawals.contains_key(&listing.offer_id));
        let numbers: Vec<&str> = unseen
            .iter()
            .map(|listing| listing.offer_id.as_str())
            .collect();
        let mut entries = index_entries::load(&mut tx, self.site_id, &numbers).await?;
        tx.rollback().await?;
        let scopes = self.scopes();
        let (mut listed, mut missing) = (Vec::new(), Vec::new());
        for listing in unseen {
            match entries.remove(&listing.offer_id) {
                Some(entry) if entry.seen_at >= self.run.started_at => {
                    listed.push((listing, entry.seen_at));
                }
                entry if should_be_shown(&listing, &scopes) => {
                    let is_listed = entry.is_some();
                    missing.push(RequestedDetail {
                        entry: entry.unwrap_or_else(|| never_listed(self.site_id, listing)),
                        is_listed,
                    });
                }
                _ => {}
            }
        }
        for batch in listed.chunks(BATCH) {
            self.observe_with_last_content(batch).await?;
        }
        Ok(missing)
    }

    async fn observe_with_last_content(
        &mut self,
        listed: &[(Unseen, Timestamp)],
    ) -> Result<(), Interruption> {
        let ids: Vec<_> = listed.iter().map(|(listing, _)| listing.id).collect();
        let mut tx = self.db.begin_read().await?;
        let mut contents = raw_listings::latest(&mut tx, &ids).await?;
        tx.rollback().await?;
        let observations = listed.iter().filter_map(|(listing, at)| {
            let observation = Observation::Seen {
                key: self.key(&listing.offer_id),
                at: *at,
                raw: contents.remove(&listing.id)?,
            };
            Some(observation.into())
        });
        let writes = PendingWrites {
            observations: observations.collect(),
            ..PendingWrites::default()
        };
        self.save(writes).await
    }

    /// Checks that the crawl would not end more listings than one crawl may end. The `missing` ones would end because no
    /// section shows them.
    pub(super) async fn check_withdrawals(
        &mut self,
        missing: &[RequestedDetail],
    ) -> Result<(), Interruption> {
        let live = listings::live_count(self.db, self.site_id).await?;
        let days = self.days_since_complete();
        let (gone, limit) = (self.live_withdrawals(), withdrawal_limit(live, days));
        let missing_count = missing.len() as u64;
        if gone + missing_count > limit && !self.options.accept_withdrawals {
            return Err(Alarm::Withdrawals {
                gone,
                missing: missing_count,
                live,
                limit,
                since: match days.round() as u64 {
                    1 => "a day".to_owned(),
                    days => format!("{days} days"),
                },
                examples: self.examples_of_ends(missing),
            }
            .into());
        }
        Ok(())
    }

    /// How many days ago the last complete crawl of the portal ended; 1 if it was later, or if none ever was.
    fn days_since_complete(&self) -> f64 {
        const DAY: f64 = 24.0 * 60.0 * 60.0 * 1000.0;
        let since = self
            .completed_before
            .map_or(0, |at| self.run.started_at.millis() - at.millis());
        (since as f64 / DAY).max(1.0)
    }

    /// A few of the listings that would end.
    fn examples_of_ends(&self, missing: &[RequestedDetail]) -> String {
        const EXAMPLES: usize = 3;
        let gone = self
            .withdrawals
            .iter()
            .filter(|(_, withdrawal)| withdrawal.is_live)
            .map(|(offer_id, _)| offer_id.as_str());
        let missing = missing.iter().map(|one| one.entry.offer_id.as_str());
        let examples = gone.chain(missing).take(EXAMPLES);
        let examples: Vec<String> = examples
            .map(|offer_id| self.key(offer_id).to_string())
            .collect();
        examples.join(", ")
    }

    /// Stores the ends that were held back. With `complete`, also stores that every section was walked to its end.
    pub(super) async fn save_ends(&mut self, complete: bool) -> Result<(), Interruption> {
        let mut writes = PendingWrites::default();
        for (offer_id, withdrawal) in std::mem::take(&mut self.withdrawals) {
            let Withdrawal {
                at,
                reason,
                entry,
                is_live,
            } = withdrawal;
            if is_live {
                let key = self.key(&offer_id);
                let gone = Observation::Gone {
                    key: key.clone(),
                    at,
                };
                writes.observations.push(gone.into());
                writes.reasons.push((key, at, reason));
            }
            // If a section shows the advert again, its detail is due at once.
            writes.entries.extend(entry.map(|entry| StoredEntry {
                due_at: at,
                read: None,
                ..entry
            }));
        }
        if complete {
            let (started_at, observed_at) = (self.run.started_at, (self.now)());
            let crawled = |scope| {
                Observation::Crawled(Crawl {
                    site_id: self.site_id.to_owned(),
                    started_at,
                    observed_at,
                    scope,
                })
            };
            let crawls = self.scopes().into_iter().map(|scope| crawled(scope).into());
            writes.observations.extend(crawls);
        }
        if writes.observations.is_empty() && writes.entries.is_empty() {
            return Ok(());
        }
        self.save(writes).await
    }

    /// The kinds of advert that the portal's sections show, each once, in a fixed order. Kinds that a missing section
    /// should show are left out, because the crawl does not know what it would have shown.
    fn scopes(&self) -> Vec<CrawlScope> {
        let missing: Vec<CrawlScope> = self
            .position
            .missing
            .values()
            .map(|section| section.scope)
            .collect();
        let sections = (self.definition.sections)();
        let by_name: BTreeMap<String, CrawlScope> = sections
            .into_iter()
            .map(|section| (format!("{:?}", section.scope), section.scope))
            .collect();
        by_name
            .into_values()
            .filter(|scope| !missing.iter().any(|missing| overlap(*scope, *missing)))
            .collect()
    }
}

/// Whether an advert can be in both scopes.
fn overlap(one: CrawlScope, other: CrawlScope) -> bool {
    fn may_agree<T: PartialEq + Copy>(one: Option<T>, other: Option<T>) -> bool {
        one.is_none() || other.is_none() || one == other
    }
    may_agree(one.offer_type, other.offer_type) && may_agree(one.property_type, other.property_type)
}

/// Whether the sections should show a listing. They need not if its kind is known and no section shows that kind.
fn should_be_shown(listing: &Unseen, scopes: &[CrawlScope]) -> bool {
    let may_cover = |scope: &CrawlScope| {
        scope.covers(
            listing.offer_type.or(scope.offer_type),
            listing.property_type.or(scope.property_type),
        )
    };
    scopes.iter().any(may_cover)
}

/// The entry of a listing that came from a dump. The URL that the dump gave is used only if it is one of the
/// portal's.
fn never_listed(site_id: &str, listing: Unseen) -> StoredEntry {
    let key = ListingKey::new(site_id, listing.offer_id);
    let url = listing
        .url
        .filter(|url| listing_at(url).as_ref() == Some(&key));
    StoredEntry {
        offer_id: key.offer_id,
        url: url.unwrap_or_default(),
        teaser: [0; 32],
        seen_at: NEVER,
        due_at: NEVER,
        read: None,
    }
}
