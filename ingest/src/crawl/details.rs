//! Reading the details of adverts that are due, and what each means.

use futures::StreamExt;
use schema::store::index_entries::{self, Due, ReadDetail, StoredEntry};
use schema::store::{listings, raw_listings};
use schema::{Listing, ListingKey, Observation, RawForm, RawListing, StoredListing, Timestamp};
use serde_json::Value;

use super::client::{Client, Detail, IndexEntry};
use super::crawler::{Crawler, Notes, Withdrawn};
use super::guest::{Guest, GuestError, Marks};
use super::halt::Halt;
use super::report::CrawlStep;
use super::sameness::stable_hash;
use super::sanity::Looked;
use crate::intake::{self, ReadError};
use crate::reading::PayloadError;

/// Details that are asked for, looked at and stored together.
const TOGETHER: usize = 60;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// How long a detail holds at most though the list says nothing new, in milliseconds.
const HOLDS: i64 = 7 * DAY;

/// A detail as it was found.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) entry: StoredEntry,
    pub(super) at: Timestamp,
    pub(super) found: Found,
    /// Whether a list has ever shown it.
    pub(super) is_listed: bool,
}

/// What a portal answered about an advert.
#[derive(Debug)]
pub(super) enum Found {
    /// This.
    Payload { payload: Value, marks: Marks },
    /// The version that is known.
    Same,
    /// That it is gone.
    Gone(String),
    /// Something else.
    Unexpected(String),
}

impl Found {
    /// A payload without marks of its version.
    pub(super) fn payload(payload: Value) -> Self {
        Self::Payload {
            payload,
            marks: Marks::default(),
        }
    }
}

impl Crawler<'_> {
    /// Reads the details of all adverts that the lists showed and that are due.
    pub(super) async fn read_due(&mut self) -> Result<(), Halt> {
        let by = (self.now)();
        let (site_id, seen_since) = (self.site_id, self.run.started_at);
        let of = index_entries::due_count(
            self.db,
            Due {
                site_id,
                seen_since,
                by,
                after: "",
            },
        )
        .await?;
        let (mut after, mut done) = (String::new(), 0);
        loop {
            self.tell(CrawlStep::Reading { done, of });
            let due = Due {
                site_id,
                seen_since,
                by,
                after: &after,
            };
            let chunk = index_entries::due(self.db, due, TOGETHER as u32).await?;
            let Some(last) = chunk.last() else {
                return Ok(());
            };
            after.clone_from(&last.offer_id);
            done += chunk.len() as u64;
            self.read_together(chunk.into_iter().map(|entry| (entry, true)).collect())
                .await?;
        }
    }

    /// Asks for these details, looks at them together and stores them. What was answered before the crawl was stopped
    /// is stored.
    pub(super) async fn read_together(
        &mut self,
        asked: Vec<(StoredEntry, bool)>,
    ) -> Result<(), Halt> {
        let (reads, halt) = ask_all(&self.guest, self.client, asked).await;
        let notes = self.digest(reads).await?;
        self.note(notes).await?;
        halt.map_or(Ok(()), Err)
    }

    /// Says what details mean; none of them is stored yet. Ends are held back.
    pub(super) async fn digest(&mut self, reads: Vec<Read>) -> Result<Notes, Halt> {
        if reads.is_empty() {
            return Ok(Notes::default());
        }
        let keys: Vec<ListingKey> = reads
            .iter()
            .map(|read| self.key(&read.entry.offer_id))
            .collect();
        let known = reads
            .iter()
            .zip(&keys)
            .filter_map(|(read, key)| Some((key.clone(), read.entry.read.as_ref()?.content)));
        let known: Vec<_> = known.collect();
        let mut tx = self.db.begin_read().await?;
        let before = listings::load(&mut tx, &keys).await?;
        let contents = raw_listings::of_keys(&mut tx, &known).await?;
        tx.rollback().await?;
        let meanings: Vec<Meaning> = reads
            .iter()
            .zip(&keys)
            .map(|(read, key)| meaning(read, self.client, key, contents.get(key)))
            .collect();
        let is_read = |meaning: &&Meaning| {
            matches!(
                meaning,
                Meaning::Content {
                    listing: Some(_),
                    ..
                }
            )
        };
        self.read += meanings.iter().filter(is_read).count() as u64;
        if !self.options.accept_changes {
            let looked: Vec<_> = meanings
                .iter()
                .zip(&keys)
                .map(|(meaning, key)| meaning.looked(before.get(key)))
                .collect();
            self.checks.take(&looked)?;
        }
        let mut notes = Notes::default();
        for ((read, key), meaning) in reads.into_iter().zip(keys).zip(meanings) {
            let is_live = before
                .get(&key)
                .is_some_and(|stored| stored.state.is_live());
            self.draw(read, key, meaning, is_live, &mut notes);
        }
        Ok(notes)
    }

    /// Draws the consequences of one detail.
    fn draw(
        &mut self,
        read: Read,
        key: ListingKey,
        meaning: Meaning,
        is_live: bool,
        notes: &mut Notes,
    ) {
        let Read {
            mut entry,
            at,
            is_listed,
            ..
        } = read;
        entry.due_at = due_after(&entry.offer_id, at);
        match meaning {
            Meaning::Content { raw, detail, .. } => {
                entry.read = Some(ReadDetail { at, ..detail });
                notes.observations.push(Observation::Seen { key, at, raw });
            }
            // It is kept among the rejects; that the list shows the advert counts all the same.
            Meaning::Unreadable { raw, .. } => {
                notes.observations.push(Observation::Seen { key, at, raw });
            }
            Meaning::Gone(reason) => {
                let entry = is_listed.then_some(entry);
                let number = key.offer_id;
                self.withdrawn.insert(
                    number,
                    Withdrawn {
                        at,
                        reason,
                        entry,
                        is_live,
                    },
                );
                return;
            }
            Meaning::Lost => {
                entry.read = None;
                entry.due_at = at;
            }
            Meaning::Unexpected(why) => {
                tracing::warn!(listing = %key, why, "a detail is not as it should be");
                return;
            }
        }
        if is_listed {
            notes.entries.push(entry);
        }
    }
}

/// What a detail means.
enum Meaning {
    /// The advert says this.
    Content {
        raw: RawListing,
        detail: ReadDetail,
        listing: Option<Box<Listing>>,
    },
    /// The adapter cannot read it.
    Unreadable {
        raw: RawListing,
        why: String,
    },
    Gone(String),
    /// It is as it was, but what it was is not stored.
    Lost,
    Unexpected(String),
}

impl Meaning {
    fn looked<'a>(&'a self, before: Option<&'a StoredListing>) -> Looked<'a> {
        match self {
            Self::Content {
                listing: Some(listing),
                ..
            } => Looked::Read {
                listing,
                before: before.map(|before| &before.state.listing),
            },
            Self::Unreadable { why, .. } => Looked::Unreadable(why.clone()),
            Self::Unexpected(why) => Looked::Unexpected(why.clone()),
            Self::Content { listing: None, .. } | Self::Gone(_) | Self::Lost => Looked::Settled,
        }
    }
}

/// What was found, given the content `earlier` that was stored when the advert was last read.
fn meaning(
    read: &Read,
    client: &Client,
    key: &ListingKey,
    earlier: Option<&RawListing>,
) -> Meaning {
    let last = read.entry.read.as_ref();
    let (payload, marks) = match &read.found {
        Found::Payload { payload, marks } => (payload, marks),
        Found::Gone(reason) => return Meaning::Gone(reason.clone()),
        Found::Unexpected(why) => return Meaning::Unexpected(why.clone()),
        Found::Same => {
            return match (earlier, last) {
                (Some(raw), Some(last)) => Meaning::Content {
                    raw: raw.clone(),
                    detail: last.clone(),
                    listing: None,
                },
                _ => Meaning::Lost,
            };
        }
    };
    let stable = stable_hash(client.volatile, payload);
    let Marks {
        etag,
        last_modified,
    } = marks.clone();
    if let Some(raw) = earlier
        && let Some(last) = last.filter(|last| last.stable == stable)
    {
        let detail = ReadDetail {
            etag,
            last_modified,
            ..last.clone()
        };
        return Meaning::Content {
            raw: raw.clone(),
            detail,
            listing: None,
        };
    }
    let url = (!read.entry.url.is_empty()).then(|| read.entry.url.clone());
    let raw = RawListing {
        form: RawForm::Payload,
        url,
        body: payload.to_string(),
    };
    match intake::read(&key.site_id, &raw) {
        Ok(reading) => {
            let content = raw.content_hash();
            let detail = ReadDetail {
                at: read.at,
                content,
                stable,
                etag,
                last_modified,
            };
            Meaning::Content {
                raw,
                detail,
                listing: Some(Box::new(reading.listing)),
            }
        }
        Err(ReadError::Payload {
            error: PayloadError::Gone { said },
            ..
        }) => Meaning::Gone(said.to_owned()),
        Err(error) => Meaning::Unreadable {
            raw,
            why: error.to_string(),
        },
    }
}

/// When the detail of an advert that was read at `at` is due again: after five to seven days, each advert after a time
/// of its own, so that those read together are not due together.
fn due_after(offer_id: &str, at: Timestamp) -> Timestamp {
    let hash = blake3::hash(offer_id.as_bytes());
    let spread = i64::from(u16::from_le_bytes([hash.as_bytes()[0], hash.as_bytes()[1]]));
    Timestamp(at.millis() + HOLDS - 2 * DAY * spread / i64::from(u16::MAX))
}

/// Asks for these details, as many at once as the portal takes; with what ended that too early.
async fn ask_all(
    guest: &Guest<'_>,
    client: &'static Client,
    asked: Vec<(StoredEntry, bool)>,
) -> (Vec<Read>, Option<Halt>) {
    let mut groups = Vec::new();
    let mut asked = asked.into_iter().peekable();
    while asked.peek().is_some() {
        groups.push(
            asked
                .by_ref()
                .take(client.details_at_once.max(1))
                .collect::<Vec<_>>(),
        );
    }
    let questions = groups.into_iter().map(|group| ask(guest, client, group));
    let mut answers = futures::stream::iter(questions).buffer_unordered(guest.concurrency());
    let (mut reads, mut halt) = (Vec::new(), None);
    while let Some(answer) = answers.next().await {
        match answer {
            Ok(group) => reads.extend(group),
            // Those that are under way are waited for; the others are not sent any more.
            Err(GuestError::Stopped) => halt = Some(Halt::Stopped),
            Err(error) => return (reads, Some(error.into())),
        }
    }
    (reads, halt)
}

/// Asks for the details of adverts in one request.
async fn ask(
    guest: &Guest<'_>,
    client: &'static Client,
    group: Vec<(StoredEntry, bool)>,
) -> Result<Vec<Read>, GuestError> {
    let asked: Vec<IndexEntry> = group.iter().map(|(entry, _)| as_asked(entry)).collect();
    let known = match group.as_slice() {
        [(entry, _)] if client.manners.conditional => entry.read.as_ref().map(|read| Marks {
            etag: read.etag.clone(),
            last_modified: read.last_modified.clone(),
        }),
        _ => None,
    };
    let known = known.filter(|marks| *marks != Marks::default());
    let Some(request) = (client.details)(&asked) else {
        let unknown = || Found::Unexpected("the address of its page is not known".to_owned());
        let found = group.iter().map(|_| unknown()).collect();
        return Ok(as_read(group, found, guest.now()));
    };
    let answered = guest.ask(&request, known.as_ref()).await;
    let at = guest.now();
    let answered = match answered {
        Ok(answered) => answered,
        // These are faults of one page, and no reason to leave the others.
        Err(
            error @ (GuestError::Disallowed { .. }
            | GuestError::TooLong { .. }
            | GuestError::Address { .. }),
        ) => {
            let found = |_: &_| Found::Unexpected(error.to_string());
            let found = group.iter().map(found).collect::<Vec<_>>();
            return Ok(as_read(group, found, at));
        }
        Err(error) => return Err(error),
    };
    let found = if known.is_some() && answered.answer.status == 304 {
        vec![Found::Same]
    } else {
        match (client.read_details)(&asked, &answered.answer) {
            Ok(details) if details.len() == group.len() => details
                .into_iter()
                .map(|detail| found(detail, &answered.marks))
                .collect(),
            Ok(details) => {
                let why = format!(
                    "{} details were answered for {} adverts",
                    details.len(),
                    group.len()
                );
                group
                    .iter()
                    .map(|_| Found::Unexpected(why.clone()))
                    .collect()
            }
            Err(error) => group
                .iter()
                .map(|_| Found::Unexpected(error.to_string()))
                .collect(),
        }
    };
    Ok(as_read(group, found, at))
}

fn as_read(group: Vec<(StoredEntry, bool)>, found: Vec<Found>, at: Timestamp) -> Vec<Read> {
    let reads = group.into_iter().zip(found);
    reads
        .map(|((entry, is_listed), found)| Read {
            entry,
            at,
            found,
            is_listed,
        })
        .collect()
}

fn found(detail: Detail, marks: &Marks) -> Found {
    match detail {
        Detail::Payload(payload) => Found::Payload {
            payload,
            marks: marks.clone(),
        },
        Detail::Gone { reason } => Found::Gone(reason),
    }
}

/// Whether the portal can be asked for an advert: pages are asked for by their addresses.
pub(super) fn can_be_asked_for(client: &Client, entry: &StoredEntry) -> bool {
    (client.details)(&[as_asked(entry)]).is_some()
}

/// An advert as its detail is asked for.
fn as_asked(entry: &StoredEntry) -> IndexEntry {
    IndexEntry {
        offer_id: entry.offer_id.clone(),
        url: entry.url.clone(),
        teaser: String::new(),
        payload: None,
    }
}
