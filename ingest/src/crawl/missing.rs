//! Liveness: what no list showed is asked for by itself, and ends by what the portal answers. A listing whose page nobody
//! knows, because it came by a dump that does not say it, ends with the complete walk that did not show it.

use std::collections::{BTreeSet, HashMap};

use schema::store::index_entries::{self, StoredEntry};
use schema::store::listings::{self, Unseen};
use schema::store::raw_listings;
use schema::{Crawl, CrawlScope, ListingKey, Observation, Timestamp};

use super::alarm::Alarm;
use super::crawler::{Crawler, Notes, Withdrawn};
use super::details::can_be_asked_for;
use super::halt::Halt;
use super::report::CrawlStep;
use super::sanity::bound;
use crate::pages::listing_at;

/// Listings that are looked at together.
const TOGETHER: usize = 60;

/// A listing that no list has ever shown was seen by one at no time.
const NEVER: Timestamp = Timestamp(i64::MIN);

impl Crawler<'_> {
    /// Asks for every live listing that the lists should have shown and did not. Says of how many it is still not known
    /// whether they live.
    pub(super) async fn ask_for_missing(&mut self) -> Result<usize, Halt> {
        let mut missing = self.see_listed().await?;
        self.believe_ends(missing.len() as u64).await?;
        missing.retain(|(entry, _)| can_be_asked_for(self.client, entry));
        let of = missing.len() as u64;
        let mut done = 0;
        for chunk in missing.chunks(TOGETHER) {
            self.tell(CrawlStep::Missing { done, of });
            done += chunk.len() as u64;
            self.read_together(chunk.to_vec()).await?;
        }
        let left = self.see_listed().await?;
        Ok(left
            .iter()
            .filter(|(entry, _)| can_be_asked_for(self.client, entry))
            .count())
    }

    /// Observes the listings that a list showed though their details were not to be had, with the content that they had
    /// last; answers those that no list showed.
    async fn see_listed(&mut self) -> Result<Vec<(StoredEntry, bool)>, Halt> {
        let mut tx = self.db.begin_read().await?;
        let mut unseen = listings::unseen_since(&mut tx, self.site_id, self.run.started_at).await?;
        unseen.retain(|listing| !self.withdrawn.contains_key(&listing.offer_id));
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
                    missing.push((
                        entry.unwrap_or_else(|| never_listed(self.site_id, listing)),
                        is_listed,
                    ));
                }
                _ => {}
            }
        }
        for chunk in listed.chunks(TOGETHER) {
            self.see_with_last_content(chunk).await?;
        }
        Ok(missing)
    }

    async fn see_with_last_content(&mut self, listed: &[(Unseen, Timestamp)]) -> Result<(), Halt> {
        let ids: Vec<_> = listed.iter().map(|(listing, _)| listing.id).collect();
        let mut tx = self.db.begin_read().await?;
        let mut contents = raw_listings::latest(&mut tx, &ids).await?;
        tx.rollback().await?;
        let observations = listed.iter().filter_map(|(listing, at)| {
            let raw = contents.remove(&listing.id)?;
            Some(Observation::Seen {
                key: self.key(&listing.offer_id),
                at: *at,
                raw,
            })
        });
        let observations = observations.collect();
        self.note(Notes {
            observations,
            ..Notes::default()
        })
        .await
    }

    /// Whether so many listings may end in one crawl, `missing` of them because no list shows them.
    pub(super) async fn believe_ends(&mut self, missing: u64) -> Result<(), Halt> {
        let live = listings::live_count(self.db, self.site_id).await?;
        let (gone, bound) = (self.ends(), bound(live));
        if gone + missing > bound && !self.options.accept_withdrawals {
            return Err(Alarm::Withdrawals {
                gone,
                missing,
                live,
                bound,
            }
            .into());
        }
        Ok(())
    }

    /// Stores the ends that were held back, and with `complete` that every list was walked to its end.
    pub(super) async fn end(&mut self, complete: bool) -> Result<(), Halt> {
        let mut notes = Notes::default();
        for (offer_id, withdrawn) in std::mem::take(&mut self.withdrawn) {
            let Withdrawn {
                at,
                reason,
                entry,
                is_live,
            } = withdrawn;
            if is_live {
                let key = self.key(&offer_id);
                notes.observations.push(Observation::Gone {
                    key: key.clone(),
                    at,
                });
                notes.reasons.push((key, at, reason));
            }
            // Should a list show it again, it is read anew.
            notes.entries.extend(entry.map(|entry| StoredEntry {
                due_at: at,
                read: None,
                ..entry
            }));
        }
        if complete {
            let (started_at, observed_at) = (self.run.started_at, (self.now)());
            let site_id = || self.site_id.to_owned();
            notes
                .observations
                .extend(self.scopes().into_iter().map(|scope| {
                    Observation::Crawled(Crawl {
                        site_id: site_id(),
                        started_at,
                        observed_at,
                        scope,
                    })
                }));
        }
        if notes.observations.is_empty() && notes.entries.is_empty() {
            return Ok(());
        }
        self.note(notes).await
    }

    /// The kinds of advert that the portal's lists show.
    fn scopes(&self) -> Vec<CrawlScope> {
        let mut named = BTreeSet::new();
        let mut scopes: HashMap<String, CrawlScope> = HashMap::new();
        for section in (self.client.sections)() {
            let name = format!("{:?}", section.scope);
            named.insert(name.clone());
            scopes.insert(name, section.scope);
        }
        named
            .iter()
            .filter_map(|name| scopes.remove(name))
            .collect()
    }
}

/// Whether the lists should show a listing: not where it is known to be of a kind that is in none of them.
fn should_be_shown(listing: &Unseen, scopes: &[CrawlScope]) -> bool {
    let possible = |scope: &CrawlScope| {
        scope.covers(
            listing.offer_type.or(scope.offer_type),
            listing.property_type.or(scope.property_type),
        )
    };
    scopes.iter().any(possible)
}

/// A listing that came by a dump. What that gave as its page is asked for only if it is one of the portal's.
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
