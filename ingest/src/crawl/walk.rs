//! Walking a portal's lists: what they show unchanged is still there, what is new or changed is due to be read.

use std::collections::HashSet;

use schema::store::index_entries::{self, StoredEntry};
use schema::store::raw_listings;
use schema::{Observation, Timestamp};

use super::alarm::Alarm;
use super::client::{IndexEntry, IndexPage, Section};
use super::crawler::{Crawler, Notes};
use super::details::{Found, Read};
use super::halt::Halt;
use super::position::InSection;
use super::report::CrawlStep;
use super::sanity::{Pages, has_shrunk};

/// What came of walking a list.
enum Walked {
    ToItsEnd,
    /// These are to be walked instead.
    Split(Vec<Section>),
}

impl Crawler<'_> {
    /// Walks every list to its end, but for those that were already.
    pub(super) async fn walk(&mut self) -> Result<(), Halt> {
        if self.position.walked {
            return Ok(());
        }
        let mut ahead = (self.client.sections)();
        ahead.reverse();
        while let Some(section) = ahead.pop() {
            if self.position.sections.contains_key(&section.name) {
                continue;
            }
            if let Walked::Split(parts) = self.walk_section(&section).await? {
                ahead.extend(parts.into_iter().rev());
            }
        }
        self.position.walked = true;
        self.note(Notes::default()).await
    }

    async fn walk_section(&mut self, section: &Section) -> Result<Walked, Halt> {
        let (mut page, mut adverts) = self.position.within(&section.name);
        let mut pages = Pages::default();
        loop {
            self.tell(CrawlStep::Walking {
                section: section.name.clone(),
                page,
            });
            let answered = self
                .guest
                .ask(&(self.client.page)(section, page), None)
                .await?;
            let at = (self.now)();
            let found = (self.client.read_page)(section, page, &answered.answer);
            let found = found.map_err(|error| Alarm::List {
                section: section.name.clone(),
                page,
                error,
            })?;
            if page == 0
                && let Some(total) = found.total
            {
                self.believe_size(section, total)?;
                let parts = (self.client.split)(section, total);
                if !parts.is_empty() {
                    return Ok(Walked::Split(parts));
                }
            }
            adverts += pages.turn(section, page, &found)?;
            let more = found.more;
            if more {
                let section = section.name.clone();
                self.position.current = Some(InSection {
                    section,
                    page: page + 1,
                    adverts,
                });
            } else {
                believe_end(section, found.total, adverts)?;
                self.believe_size(section, adverts)?;
                self.position.current = None;
                self.position.sections.insert(section.name.clone(), adverts);
            }
            self.take(found, at).await?;
            if !more {
                return Ok(Walked::ToItsEnd);
            }
            page += 1;
        }
    }

    /// Whether a list may show so few adverts.
    fn believe_size(&self, section: &Section, now: u64) -> Result<(), Alarm> {
        match self.sections_before.get(&section.name).copied() {
            Some(before) if has_shrunk(before, now) && !self.options.accept_withdrawals => {
                Err(Alarm::Shrunk {
                    section: section.name.clone(),
                    now,
                    before,
                })
            }
            _ => Ok(()),
        }
    }

    /// Takes in a page: each advert once in a crawl, whichever list shows it first.
    async fn take(&mut self, page: IndexPage, at: Timestamp) -> Result<(), Halt> {
        let left = self
            .options
            .max_listings
            .map(|most| most.saturating_sub(self.run.counts.seen));
        let mut shown = HashSet::new();
        let mut entries: Vec<IndexEntry> = page
            .entries
            .into_iter()
            .filter(|entry| shown.insert(entry.offer_id.clone()))
            .collect();
        let numbers: Vec<&str> = entries
            .iter()
            .map(|entry| entry.offer_id.as_str())
            .collect();
        let mut tx = self.db.begin_read().await?;
        let stored = index_entries::load(&mut tx, self.site_id, &numbers).await?;
        tx.rollback().await?;
        let is_taken = |entry: &StoredEntry| entry.seen_at >= self.run.started_at;
        entries.retain(|entry| !stored.get(&entry.offer_id).is_some_and(is_taken));
        let is_enough = left.is_some_and(|left| entries.len() as u64 >= left);
        if let Some(left) = left {
            entries.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        }
        let mut notes = Notes {
            seen: entries.len() as u64,
            ..Notes::default()
        };
        let mut reads = Vec::new();
        for entry in entries {
            let before = stored.get(&entry.offer_id);
            let (now, payload) = as_shown(entry, before, at);
            match payload {
                Some(payload) => {
                    reads.push(Read {
                        entry: now,
                        at,
                        found: Found::payload(payload),
                        is_listed: true,
                    });
                }
                None => notes.entries.push(now),
            }
        }
        self.see_again(&mut notes, at).await?;
        let mut read = self.digest(reads).await?;
        read.observations.append(&mut notes.observations);
        read.entries.append(&mut notes.entries);
        read.seen = notes.seen;
        self.note(read).await?;
        if is_enough { Err(Halt::Enough) } else { Ok(()) }
    }

    /// Observes those that are unchanged with the content that they had. One whose content is not stored is due.
    async fn see_again(&mut self, notes: &mut Notes, at: Timestamp) -> Result<(), Halt> {
        let unchanged = notes.entries.iter().filter(|entry| entry.due_at > at);
        let contents: Vec<_> = unchanged
            .filter_map(|entry| Some((self.key(&entry.offer_id), entry.read.as_ref()?.content)))
            .collect();
        let mut tx = self.db.begin_read().await?;
        let mut stored = raw_listings::of_keys(&mut tx, &contents).await?;
        tx.rollback().await?;
        for entry in notes
            .entries
            .iter_mut()
            .filter(|entry| entry.due_at > at && entry.read.is_some())
        {
            let key = self.key(&entry.offer_id);
            match stored.remove(&key) {
                Some(raw) => notes.observations.push(Observation::Seen { key, at, raw }),
                None => entry.due_at = at,
            }
        }
        Ok(())
    }
}

/// An advert as a list shows it at `at`, and its payload where the list carries it. It is due where it is new or the
/// list says something else of it than before.
fn as_shown(
    entry: IndexEntry,
    before: Option<&StoredEntry>,
    at: Timestamp,
) -> (StoredEntry, Option<serde_json::Value>) {
    let IndexEntry {
        offer_id,
        url,
        teaser,
        payload,
    } = entry;
    let teaser = *blake3::hash(format!("{url}\n{teaser}").as_bytes()).as_bytes();
    let unchanged = before.filter(|before| before.teaser == teaser);
    let due_at = unchanged.map_or(at, |before| before.due_at);
    let read = before.and_then(|before| before.read.clone());
    (
        StoredEntry {
            offer_id,
            url,
            teaser,
            seen_at: at,
            due_at,
            read,
        },
        payload,
    )
}

/// Whether a list that says how many adverts it has may end after so few: some go while it is walked.
fn believe_end(section: &Section, total: Option<u64>, shown: u64) -> Result<(), Alarm> {
    const WORTH_WATCHING: u64 = 20;
    match total {
        Some(total) if total >= WORTH_WATCHING && shown * 2 < total => Err(Alarm::BreaksOff {
            section: section.name.clone(),
            total,
            shown,
        }),
        _ => Ok(()),
    }
}
