//! Everything that is stored about a listing, to fold its state anew.

use std::collections::HashMap;

use schema::store::raw_listings::RawId;
use schema::store::{Result, Tx, crawls, observations, raw_listings};
use schema::{Listing, ListingId, ListingKey, ListingState, RawListing, Timestamp};

use super::read::{ReadError, read};
use crate::reading::{PayloadError, Reading, ValueReject};
use crate::timeline::{self, ContentHash, Event, Sighting};

/// Everything that is stored about a listing, its contents read anew.
pub(super) struct History {
    events: Vec<Event>,
    /// What was left out of its contents.
    pub(super) unread: Vec<(RawId, ValueReject)>,
}

/// What a stored content says.
enum Content {
    Listing {
        hash: ContentHash,
        listing: Box<Listing>,
        url: Option<String>,
    },
    Gone,
}

impl History {
    /// Reads what is stored about listing `id`, which is named `key`, and the crawls of its portal.
    pub(super) async fn load(tx: &mut Tx, id: ListingId, key: &ListingKey) -> Result<Self> {
        let mut unread = Vec::new();
        let mut contents = HashMap::new();
        for (raw_id, raw) in raw_listings::of_listing(tx, id).await? {
            if let Some(content) = content(key, raw_id, &raw, &mut unread) {
                contents.insert(raw_id, content);
            }
        }
        let sightings = observations::of_listing(tx, id).await?;
        let mut events: Vec<Event> = sightings
            .iter()
            .filter_map(|sighting| match sighting.raw {
                Some(raw) => contents.get(&raw).map(|content| content.at(sighting.at)),
                None => Some(Event::Gone { at: sighting.at }),
            })
            .collect();
        if let Some(first) = events.iter().map(Event::at).min() {
            let crawls = crawls::of_site(tx, &key.site_id, first).await?;
            events.extend(crawls.iter().map(Event::from));
        }
        Ok(Self { events, unread })
    }

    /// The events, in no order.
    pub(super) fn into_events(self) -> Vec<Event> {
        self.events
    }

    /// The state folded from it; `None` where no sighting is left that can be read.
    pub(super) fn fold(self) -> Option<ListingState> {
        timeline::fold(self.events)
    }
}

/// Reads a stored content. One that no adapter can read any more is passed over: it stays stored, and a later adapter
/// may read it.
fn content(
    key: &ListingKey,
    raw_id: RawId,
    raw: &RawListing,
    unread: &mut Vec<(RawId, ValueReject)>,
) -> Option<Content> {
    match read(&key.site_id, raw) {
        Ok(reading) => {
            let Reading {
                listing,
                url,
                unread: left_out,
            } = reading;
            unread.extend(left_out.into_iter().map(|value| (raw_id, value)));
            Some(Content::Listing {
                hash: ContentHash::of(raw),
                listing: Box::new(listing),
                url,
            })
        }
        Err(ReadError::Payload {
            error: PayloadError::Gone { .. },
            ..
        }) => Some(Content::Gone),
        Err(_unreadable) => {
            tracing::warn!(listing = %key, raw = %raw_id, "a stored content cannot be read any more");
            None
        }
    }
}

impl Content {
    fn at(&self, at: Timestamp) -> Event {
        match self {
            Self::Listing { hash, listing, url } => Event::Seen(Box::new(Sighting {
                at,
                content: *hash,
                listing: Listing::clone(listing),
                url: url.clone(),
            })),
            Self::Gone => Event::Gone { at },
        }
    }
}
