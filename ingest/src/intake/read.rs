//! From an observation to what is to be written. Pure, so that a batch is read on all cores.

use schema::store::rejects::Reject;
use schema::{Crawl, ListingKey, Observation, RawForm, RawListing, Timestamp};

use crate::dumps::{self, DumpLine, LineError};
use crate::portals::{self, FEED_FORMAT, PORTALS};
use crate::reading::{PayloadError, Reading, ValueReject};
use crate::timeline::{ContentHash, Event, Sighting};

/// Why an observation teaches nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The line, or the `listing` in it, is not of the format.
    #[error(transparent)]
    Line(#[from] LineError),
    /// The adapter cannot read the payload, or the portal answers that the listing has ended.
    #[error("payload of {site_id}: {error}")]
    Payload {
        /// The portal.
        site_id: String,
        /// What the adapter said.
        error: PayloadError,
    },
    /// The payload is JSON of which no text or number can be made, for example half of a surrogate pair.
    #[error("payload of {site_id}: broken JSON: {reason}")]
    PayloadJson {
        /// The portal.
        site_id: String,
        /// What the parser said.
        reason: String,
    },
    /// Nobody reads payloads of that portal.
    #[error(
        "no adapter reads payloads of {site_id:?}; accepted: payloads of {known}, adverts of an agency's feed in the \
         format {feeds}, `listing` lines of any portal"
    )]
    NoAdapter {
        /// The portal.
        site_id: String,
        /// The portals that have an adapter.
        known: String,
        /// The formats of feeds that are read.
        feeds: String,
    },
}

/// Reads what a raw listing of portal `site_id` says, without the values outside sense. The same raw listing always
/// gives the same reading.
///
/// # Errors
/// [`ReadError`]; a payload by which the portal says that the listing has ended is [`PayloadError::Gone`] in it.
pub fn read(site_id: &str, raw: &RawListing) -> Result<Reading, ReadError> {
    let mut reading = match raw.form {
        RawForm::Listing => dumps::listing(&raw.body)?.within_bounds(),
        RawForm::Payload => payload(site_id, &raw.body)?,
    };
    take_out_unstorable(&mut reading);
    if raw.url.is_some() {
        reading.url.clone_from(&raw.url);
    }
    Ok(reading)
}

fn payload(site_id: &str, body: &str) -> Result<Reading, ReadError> {
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

/// Takes out texts with the character U+0000, which PostgreSQL cannot hold and no portal means.
fn take_out_unstorable(reading: &mut Reading) {
    const NUL: char = '\0';
    for field in dumps::FIELDS {
        if let Some(place) = dumps::text_field(&mut reading.listing.attributes, field)
            && let Some(text) = place.take_if(|text| text.contains(NUL))
        {
            let shown = text.replace(NUL, "\u{2400}");
            reading.unread.push(ValueReject::new(
                field,
                shown,
                "a text with the character U+0000",
            ));
        }
    }
    reading.url.take_if(|url| url.contains(NUL));
    for unread in &mut reading.unread {
        unread.value = unread.value.replace(NUL, "\u{2400}");
    }
}

/// What an observation teaches about one listing.
#[derive(Debug)]
pub(super) struct Learned {
    pub(super) key: ListingKey,
    pub(super) event: Event,
    /// What was seen, as it came; `None` for an end.
    pub(super) raw: Option<RawListing>,
    pub(super) unread: Vec<ValueReject>,
}

/// What is to be written for one observation.
#[derive(Debug)]
pub(super) enum Entry {
    Listing(Box<Learned>),
    Crawl(Crawl),
    /// An incomplete crawl.
    Nothing,
}

/// Reads one line of a dump.
pub(super) fn dump_line(line: DumpLine) -> Result<Entry, Reject> {
    let DumpLine {
        source,
        number,
        content,
        error,
    } = line;
    let entry = match error {
        Some(error) => Err(error.into()),
        None => line_content(&content),
    };
    entry.map_err(|error| rejected(&source, number, &error, content))
}

/// Reads what the bytes of a line hold.
pub(super) fn line_content(content: &[u8]) -> Result<Entry, ReadError> {
    match dumps::line(content)? {
        Some(observation) => entry(observation),
        None => Ok(Entry::Nothing),
    }
}

/// Reads the `number`th observation that came from `source`, a portal itself.
pub(super) fn observation(
    source: &str,
    number: u64,
    observation: &Observation,
) -> Result<Entry, Reject> {
    entry(observation.clone()).map_err(|error| {
        rejected(
            source,
            number,
            &error,
            dumps::write_line(observation).into_bytes(),
        )
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

fn entry(observation: Observation) -> Result<Entry, ReadError> {
    let learned = match observation {
        Observation::Crawled(crawl) => return Ok(Entry::Crawl(crawl)),
        Observation::Gone { key, at } => gone(key, at),
        Observation::Seen { key, at, raw } => match read(&key.site_id, &raw) {
            Ok(Reading {
                listing,
                url,
                unread,
            }) => {
                let content = ContentHash::of(&raw);
                let event = Event::Seen(Box::new(Sighting {
                    at,
                    content,
                    listing,
                    url,
                }));
                Learned {
                    key,
                    event,
                    raw: Some(raw),
                    unread,
                }
            }
            Err(ReadError::Payload {
                error: PayloadError::Gone { .. },
                ..
            }) => gone(key, at),
            Err(error) => return Err(error),
        },
    };
    Ok(Entry::Listing(Box::new(learned)))
}

fn gone(key: ListingKey, at: Timestamp) -> Learned {
    Learned {
        key,
        event: Event::Gone { at },
        raw: None,
        unread: Vec::new(),
    }
}
