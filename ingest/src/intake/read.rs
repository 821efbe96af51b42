//! Reading an observation into what is to be written. Pure functions, so that a batch is read on all cores.

use schema::offer_fields::{FIELDS, FieldKind};
use schema::store::listings::CompressedListing;
use schema::store::raw_listings::CompressedContent;
use schema::store::rejects::Reject;
use schema::{Crawl, ListingKey, Observation, RawForm, RawListing, Timestamp};

use crate::dumps::{self, DumpLine, LineError};
use crate::portals::{self, FEED_FORMAT, PORTALS};
use crate::reading::{PayloadError, Reading, ValueReject};
use crate::timeline::{ContentHash, Event, Sighting};

/// Why an observation cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The line, or the `listing` in it, is malformed.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The adapter cannot read the payload, or the payload says that the listing has ended.
    #[error("payload of {site_id}: {error}")]
    Payload {
        /// The portal.
        site_id: String,
        /// The adapter's error.
        error: PayloadError,
    },
    /// The payload is JSON with a text or number that cannot be represented, for example half of a surrogate pair.
    #[error("payload of {site_id}: broken JSON: {reason}")]
    PayloadJson {
        /// The portal.
        site_id: String,
        /// The parser's message.
        reason: String,
    },
    /// No adapter reads payloads of this portal.
    #[error(
        "no adapter reads payloads of {site_id:?}; accepted: payloads of {known}, adverts of an agency's feed in the \
         format {feeds}, `listing` lines of any portal"
    )]
    NoAdapter {
        /// The portal.
        site_id: String,
        /// The portals that have an adapter.
        known: String,
        /// The feed formats that can be read.
        feeds: String,
    },
}

/// Reads a raw listing of portal `site_id`, leaving out implausible values. The same raw listing always gives the same
/// reading.
///
/// # Errors
/// [`ReadError`]. If the payload says that the listing has ended, it contains [`PayloadError::Gone`].
pub fn read_raw_listing(site_id: &str, raw: &RawListing) -> Result<Reading, ReadError> {
    let mut reading = match raw.form {
        RawForm::Listing => dumps::parse_listing(&raw.body)?.within_bounds(),
        RawForm::Payload => read_payload(site_id, &raw.body)?,
    };
    with_plain_line_ends(&mut reading);
    remove_unstorable_texts(&mut reading);
    if raw.url.is_some() {
        reading.url.clone_from(&raw.url);
    }
    Ok(reading.with_page_address_checked())
}

fn read_payload(site_id: &str, body: &str) -> Result<Reading, ReadError> {
    let value = serde_json::from_str(body).map_err(|error| ReadError::PayloadJson {
        site_id: site_id.to_owned(),
        reason: error.to_string(),
    })?;
    let Some(reading) = portals::read_payload(site_id, &value) else {
        let known: Vec<_> = PORTALS.iter().map(|portal| portal.site_id).collect();
        return Err(ReadError::NoAdapter {
            site_id: site_id.to_owned(),
            known: known.join(", "),
            feeds: FEED_FORMAT.to_owned(),
        });
    };
    reading.map_err(|error| ReadError::Payload {
        site_id: site_id.to_owned(),
        error,
    })
}

/// Writes every line end in a text as `\n`. Portals send `\r\n` and `\r` too.
fn with_plain_line_ends(reading: &mut Reading) {
    for field in FIELDS {
        let FieldKind::Text { access, .. } = &field.kind else {
            continue;
        };
        let text = (access.get_mut)(&mut reading.listing.attributes);
        if let Some(text) = text.as_mut().filter(|text| text.contains('\r')) {
            *text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
    }
}

/// Leaves out texts with the character U+0000, which PostgreSQL cannot store and no portal means.
fn remove_unstorable_texts(reading: &mut Reading) {
    const NUL: char = '\0';
    for field in FIELDS {
        let FieldKind::Text { access, .. } = &field.kind else {
            continue;
        };
        let place = (access.get_mut)(&mut reading.listing.attributes);
        if let Some(text) = place.take_if(|text| text.contains(NUL)) {
            let shown = text.replace(NUL, "\u{2400}");
            reading.unread.push(ValueReject::new(
                field.name,
                shown,
                "a text with the character U+0000",
            ));
        }
    }
    for unread in &mut reading.unread {
        unread.value = unread.value.replace(NUL, "\u{2400}");
    }
}

/// An observation of a crawl.
#[derive(Debug)]
pub(crate) struct ReadObservation {
    pub(crate) observation: Observation,
    /// The reading of the content that was seen, and the content's hash, if the crawl has them already.
    pub(crate) known: Option<(Reading, [u8; 32])>,
}

impl From<Observation> for ReadObservation {
    fn from(observation: Observation) -> Self {
        Self {
            observation,
            known: None,
        }
    }
}

/// What an observation says about one listing.
#[derive(Debug)]
pub(super) struct ObservedListing {
    pub(super) key: ListingKey,
    pub(super) event: Event,
    /// The content that was seen; `None` for an end.
    pub(super) raw: Option<RawListing>,
    /// The content as it was compressed ahead.
    pub(super) content_ahead: Option<CompressedContent>,
    /// The listing as it was compressed ahead.
    pub(super) listing_ahead: Option<CompressedListing>,
    pub(super) unread: Vec<ValueReject>,
}

/// What is to be written for one observation.
#[derive(Debug)]
pub(super) enum Entry {
    Listing(Box<ObservedListing>),
    Crawl(Crawl),
    /// An incomplete crawl, which says nothing.
    Nothing,
}

/// The latest time that a line of a dump may state at `now`: a day later, because clocks differ and time zones are
/// mistaken. A later one comes from a wrong clock, and would count as the newest observation until that time.
pub(super) fn latest_accepted(now: Timestamp) -> Timestamp {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    Timestamp(now.millis().saturating_add(DAY))
}

/// Reads one line of a dump. Times after `latest` are not accepted.
pub(super) fn read_dump_line(line: DumpLine, latest: Timestamp) -> Result<Entry, Reject> {
    let DumpLine {
        source,
        number,
        content,
        error,
    } = line;
    let entry = match error {
        Some(error) => Err(error.into()),
        None => read_line(&content, latest),
    };
    entry.map_err(|error| rejected(&source, number, &error, content))
}

/// Reads the bytes of a line. Times after `latest` are not accepted.
pub(super) fn read_line(content: &[u8], latest: Timestamp) -> Result<Entry, ReadError> {
    let Some(observation) = dumps::parse_line(content)? else {
        return Ok(Entry::Nothing);
    };
    let at = observation.at();
    if at > latest {
        return Err(LineError::InFuture { at, latest }.into());
    }
    read_entry(observation, None)
}

/// Reads observation number `number` of the crawl `source`.
pub(super) fn read_observation(
    source: &str,
    number: u64,
    read: &ReadObservation,
) -> Result<Entry, Reject> {
    let observation = &read.observation;
    read_entry(observation.clone(), read.known.clone()).map_err(|error| {
        let content = dumps::write_line(observation).into_bytes();
        rejected(source, number, &error, content)
    })
}

fn rejected(source: &str, line: u64, error: &ReadError, content: Vec<u8>) -> Reject {
    Reject {
        source: source.to_owned(),
        line,
        reason: error.to_string(),
        content,
    }
}

/// Reads an observation. `known` is the reading of the content that was seen, with its hash, if they are known already.
fn read_entry(
    observation: Observation,
    known: Option<(Reading, [u8; 32])>,
) -> Result<Entry, ReadError> {
    let observed = match observation {
        Observation::Crawled(crawl) => return Ok(Entry::Crawl(crawl)),
        Observation::Gone { key, at } => gone(key, at),
        Observation::Seen { key, at, raw } => {
            let read = match known {
                Some((reading, hash)) => Ok((reading, ContentHash::from(hash))),
                None => read_raw_listing(&key.site_id, &raw)
                    .map(|reading| (reading, ContentHash::from(&raw))),
            };
            match read {
                Ok((reading, content)) => seen(key, at, raw, reading, content),
                Err(ReadError::Payload {
                    error: PayloadError::Gone { .. },
                    ..
                }) => gone(key, at),
                Err(error) => return Err(error),
            }
        }
    };
    Ok(Entry::Listing(Box::new(observed)))
}

fn seen(
    key: ListingKey,
    at: Timestamp,
    raw: RawListing,
    reading: Reading,
    content: ContentHash,
) -> ObservedListing {
    let Reading {
        listing,
        url,
        brief,
        unread,
    } = reading;
    ObservedListing {
        key,
        event: Event::Seen(Box::new(Sighting {
            at,
            content,
            listing,
            url,
            brief,
        })),
        raw: Some(raw),
        content_ahead: None,
        listing_ahead: None,
        unread,
    }
}

fn gone(key: ListingKey, at: Timestamp) -> ObservedListing {
    ObservedListing {
        key,
        event: Event::Gone { at },
        raw: None,
        content_ahead: None,
        listing_ahead: None,
        unread: Vec::new(),
    }
}
