//! Walking the portal's sections. An advert that is shown unchanged is still there; the detail of one that is new or
//! changed is due.

use std::collections::HashSet;

use schema::store::index_entries::{self, StoredEntry};
use schema::store::raw_listings;
use schema::{Observation, Timestamp};
use serde_json::Value;

use super::alarm::Alarm;
use super::crawler::{Crawler, PendingWrites};
use super::details::{DetailAnswer, FetchedDetail, RequestedDetail};
use super::interruption::Interruption;
use super::plausibility::{PageChecks, ends_early, has_shrunk};
use super::position::{MissingSection, SectionPosition};
use super::report::CrawlStep;
use crate::crawl_definition::{IndexEntry, IndexPage, Section, UnexpectedAnswer};

/// How the walk of a section ended.
enum SectionWalk {
    Finished,
    /// The section is too long: these are walked instead.
    Split(Vec<Section>),
    /// The portal says that the section does not exist.
    Missing(UnexpectedAnswer),
}

/// What the portal answered to the request for a page of a section.
enum FoundPage {
    Page(IndexPage),
    /// The section does not exist.
    Missing(UnexpectedAnswer),
}

impl Crawler<'_> {
    /// Walks every section to its end, except those that were walked before an interruption.
    pub(super) async fn walk_sections(&mut self) -> Result<(), Interruption> {
        if self.position.walked {
            return Ok(());
        }
        let mut remaining = (self.definition.sections)();
        remaining.reverse();
        while let Some(section) = remaining.pop() {
            if self.position.is_done_with(&section.name) {
                continue;
            }
            match self.walk_section(&section).await? {
                SectionWalk::Finished => {}
                SectionWalk::Split(parts) => remaining.extend(parts.into_iter().rev()),
                SectionWalk::Missing(error)
                    if remaining.is_empty() && self.position.sections.is_empty() =>
                {
                    return Err(index_alarm(&section, 0, error).into());
                }
                SectionWalk::Missing(error) => self.pass_over_section(section, &error),
            }
        }
        self.position.walked = true;
        self.save(PendingWrites::default()).await
    }

    /// Notes that a section does not exist. The other sections are walked, and no listing of its kinds ends for being
    /// absent.
    fn pass_over_section(&mut self, section: Section, error: &UnexpectedAnswer) {
        tracing::warn!(portal = self.site_id, section = section.name, %error, "a section does not exist; the others are walked");
        self.note(format!("section {} does not exist: {error}", section.name));
        let missing = MissingSection {
            scope: section.scope,
            answer: error.to_string(),
        };
        self.position.missing.insert(section.name, missing);
    }

    async fn walk_section(&mut self, section: &Section) -> Result<SectionWalk, Interruption> {
        let (mut page, mut adverts) = self.position.resume_at(&section.name);
        let mut checks = PageChecks::default();
        loop {
            let found = match self.fetch_page(section, page).await? {
                FoundPage::Page(found) => found,
                FoundPage::Missing(error) => return Ok(SectionWalk::Missing(error)),
            };
            let at = (self.now)();
            if page == 0
                && let Some(total) = found.total
            {
                self.check_size(section, total)?;
                let parts = (self.definition.split)(section, total);
                if !parts.is_empty() {
                    return Ok(SectionWalk::Split(parts));
                }
            }
            adverts += checks.check(section, page, &found)?;
            let more = found.more;
            if more {
                self.position.current = Some(SectionPosition {
                    section: section.name.clone(),
                    page: page + 1,
                    adverts,
                });
            } else {
                check_end(section, found.total, adverts)?;
                self.check_size(section, adverts)?;
                self.position.current = None;
                self.position.sections.insert(section.name.clone(), adverts);
            }
            self.save_page(found, at).await?;
            if !more {
                return Ok(SectionWalk::Finished);
            }
            page += 1;
        }
    }

    async fn fetch_page(
        &mut self,
        section: &Section,
        page: u32,
    ) -> Result<FoundPage, Interruption> {
        self.report_progress(CrawlStep::Walking {
            section: section.name.clone(),
            page,
        });
        let request = (self.definition.page)(section, page);
        let fetched = self.client.fetch(&request, None).await?;
        match (self.definition.read_page)(section, page, &fetched.answer) {
            Ok(found) => Ok(FoundPage::Page(found)),
            Err(error) if page == 0 && matches!(fetched.answer.status, 404 | 410) => {
                Ok(FoundPage::Missing(error))
            }
            Err(error) => Err(index_alarm(section, page, error).into()),
        }
    }

    /// Checks that a section has not shrunk too much since the last complete crawl.
    fn check_size(&self, section: &Section, now: u64) -> Result<(), Alarm> {
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

    /// Stores what a page shows. An advert counts once in a crawl, in the section that shows it first.
    async fn save_page(&mut self, page: IndexPage, at: Timestamp) -> Result<(), Interruption> {
        let numbers: Vec<&str> = page
            .entries
            .iter()
            .map(|entry| entry.offer_id.as_str())
            .collect();
        let mut tx = self.db.begin_read().await?;
        let stored = index_entries::load(&mut tx, self.site_id, &numbers).await?;
        tx.rollback().await?;
        let mut on_this_page = HashSet::new();
        let is_seen = |entry: &StoredEntry| entry.seen_at >= self.run.started_at;
        let mut entries = page.entries;
        entries.retain(|entry| {
            !self.blocked.has(&self.key(&entry.offer_id))
                && on_this_page.insert(entry.offer_id.clone())
                && !stored.get(&entry.offer_id).is_some_and(is_seen)
        });
        let limit_reached = self.apply_limit(&mut entries);
        let mut writes = PendingWrites {
            seen: entries.len() as u64,
            ..PendingWrites::default()
        };
        let mut fetched = Vec::new();
        for entry in entries {
            let before = stored.get(&entry.offer_id);
            let (entry, payload) = updated_entry(entry, before, at);
            match payload {
                Some(payload) => fetched.push(FetchedDetail {
                    requested: RequestedDetail {
                        entry,
                        is_listed: true,
                    },
                    at,
                    answer: DetailAnswer::payload(payload),
                }),
                None => writes.entries.push(entry),
            }
        }
        self.observe_unchanged(&mut writes, at).await?;
        let mut details = self.interpret_details(fetched).await?;
        writes
            .observations
            .splice(..0, details.observations.drain(..));
        writes.entries.splice(..0, details.entries.drain(..));
        self.save(writes).await?;
        if limit_reached {
            Err(Interruption::LimitReached)
        } else {
            Ok(())
        }
    }

    /// Drops the entries beyond the limit on listings, and returns whether the limit is reached.
    fn apply_limit(&self, entries: &mut Vec<IndexEntry>) -> bool {
        let Some(limit) = self.options.max_listings else {
            return false;
        };
        let left = limit.saturating_sub(self.run.counts.seen);
        let limit_reached = entries.len() as u64 >= left;
        entries.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        limit_reached
    }

    /// Observes the adverts that have not changed with their stored content. If the content is not stored, the detail
    /// is due.
    async fn observe_unchanged(
        &mut self,
        writes: &mut PendingWrites,
        at: Timestamp,
    ) -> Result<(), Interruption> {
        let is_unchanged = |entry: &&mut StoredEntry| entry.due_at > at && entry.read.is_some();
        let mut unchanged: Vec<&mut StoredEntry> =
            writes.entries.iter_mut().filter(is_unchanged).collect();
        let contents: Vec<_> = unchanged
            .iter()
            .filter_map(|entry| Some((self.key(&entry.offer_id), entry.read.as_ref()?.content)))
            .collect();
        let mut tx = self.db.begin_read().await?;
        let mut stored = raw_listings::of_keys(&mut tx, &contents).await?;
        tx.rollback().await?;
        for entry in &mut unchanged {
            let key = self.key(&entry.offer_id);
            match stored.remove(&key) {
                Some(raw) => {
                    let observation = Observation::Seen { key, at, raw };
                    writes.observations.push(observation.into());
                }
                None => entry.due_at = at,
            }
        }
        Ok(())
    }
}

fn index_alarm(section: &Section, page: u32, error: UnexpectedAnswer) -> Alarm {
    let section = section.name.clone();
    Alarm::Index {
        section,
        page,
        error,
    }
}

/// The entry to store for an advert that an index page shows at `at`, and the advert's payload if the page carries it.
/// The detail is due if the advert is new or if the page says something else about it than before.
fn updated_entry(
    entry: IndexEntry,
    before: Option<&StoredEntry>,
    at: Timestamp,
) -> (StoredEntry, Option<Value>) {
    let IndexEntry {
        offer_id,
        url,
        teaser,
        payload,
    } = entry;
    let teaser = *blake3::hash(format!("{url}\n{teaser}").as_bytes()).as_bytes();
    let unchanged = before.filter(|before| before.teaser == teaser);
    // An advert whose new or changed detail has not been read yet stays one of those that are read first.
    let due_at = |before: &StoredEntry| {
        if before.due_at == before.seen_at {
            at
        } else {
            before.due_at
        }
    };
    let entry = StoredEntry {
        offer_id,
        url,
        teaser,
        seen_at: at,
        due_at: unchanged.map_or(at, due_at),
        read: before.and_then(|before| before.read.clone()),
    };
    (entry, payload)
}

/// Checks that a section has shown enough of the adverts that it claims to have.
fn check_end(section: &Section, total: Option<u64>, shown: u64) -> Result<(), Alarm> {
    match total {
        Some(total) if ends_early(total, shown) => Err(Alarm::EndsEarly {
            section: section.name.clone(),
            total,
            shown,
        }),
        _ => Ok(()),
    }
}
