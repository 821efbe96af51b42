//! Loading everything that is stored about a listing, to recompute its state.

use std::collections::HashMap;

use schema::store::raw_listings::RawId;
use schema::store::{Result, Tx, crawls, observations, raw_listings};
use schema::{Listing, ListingId, ListingKey, ListingState, RawListing, Timestamp};

use super::read::{ReadError, read_raw_listing};
use crate::reading::{PayloadError, Reading, ValueReject};
use crate::timeline::{self, ContentHash, Event, Sighting};

/// Everything that is stored about a listing, with its contents read again.
pub(super) struct History {
    events: Vec<Event>,
    /// Its contents, also those whose body was deleted.
    pub(super) contents: Vec<RawId>,
    /// Whether the body of a content was deleted, because the advert had been gone for long. Then the state cannot be
    /// computed from the events, and stays as it is stored.
    pub(super) is_incomplete: bool,
    /// The values that were left out of its contents.
    pub(super) unread: Vec<(RawId, ValueReject)>,
}

/// A stored content as it was read.
enum Content {
    Listing {
        hash: ContentHash,
        listing: Box<Listing>,
        url: Option<String>,
        brief: bool,
    },
    Gone,
}

impl History {
    /// Loads what is stored about the listing with this id and key, and the complete crawls of its portal.
    pub(super) async fn load(tx: &mut Tx, id: ListingId, key: &ListingKey) -> Result<Self> {
        let mut unread = Vec::new();
        let (mut contents, mut raws) = (HashMap::new(), Vec::new());
        for (raw_id, raw) in raw_listings::of_listing(tx, id).await? {
            raws.push(raw_id);
            if let Some(content) = read_content(key, raw_id, &raw, &mut unread) {
                contents.insert(raw_id, content);
            }
        }
        let without_body = raw_listings::without_body(tx, id).await?;
        let sightings = observations::of_listing(tx, id).await?;
        let mut events: Vec<Event> = sightings
            .iter()
            .filter_map(|sighting| match sighting.raw {
                Some(raw) => contents
                    .get(&raw)
                    .map(|content| content.seen_at(sighting.at)),
                None => Some(Event::Gone { at: sighting.at }),
            })
            .collect();
        if let Some(first) = events.iter().map(Event::at).min() {
            let crawls = crawls::of_site(tx, &key.site_id, first).await?;
            events.extend(crawls.iter().map(Event::from));
        }
        raws.extend(&without_body);
        Ok(Self {
            events,
            contents: raws,
            is_incomplete: !without_body.is_empty(),
            unread,
        })
    }

    /// The events, in no particular order.
    pub(super) fn into_events(self) -> Vec<Event> {
        self.events
    }

    /// The state after all events. `None` if no sighting can be read any more, or if the body of one was deleted.
    pub(super) fn fold(self) -> Option<ListingState> {
        if self.is_incomplete {
            return None;
        }
        timeline::fold(self.events)
    }
}

/// Reads a stored content. `None` if the adapter cannot read it any more; it stays stored for a later adapter.
fn read_content(
    key: &ListingKey,
    raw_id: RawId,
    raw: &RawListing,
    unread: &mut Vec<(RawId, ValueReject)>,
) -> Option<Content> {
    match read_raw_listing(&key.site_id, raw) {
        Ok(reading) => {
            let Reading {
                listing,
                url,
                brief,
                unread: left_out,
            } = reading;
            unread.extend(left_out.into_iter().map(|value| (raw_id, value)));
            Some(Content::Listing {
                hash: ContentHash::from(raw),
                listing: Box::new(listing),
                url,
                brief,
            })
        }
        Err(ReadError::Payload {
            error: PayloadError::Gone { .. },
            ..
        }) => Some(Content::Gone),
        Err(_unreadable) => {
            tracing::warn!(listing = %key, raw = %raw_id, "the adapter can no longer read this stored content; the listing's state is computed without it");
            None
        }
    }
}

impl Content {
    /// The event of seeing this content at `at`.
    fn seen_at(&self, at: Timestamp) -> Event {
        match self {
            Self::Listing {
                hash,
                listing,
                url,
                brief,
            } => Event::Seen(Box::new(Sighting {
                at,
                content: *hash,
                listing: Listing::clone(listing),
                url: url.clone(),
                brief: *brief,
            })),
            Self::Gone => Event::Gone { at },
        }
    }
}
