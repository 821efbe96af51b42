//! The state of a portal listing, computed from everything that was observed of it.
//!
//! The state is a function of the set of events, not of the order in which they arrived: [`fold`] sorts them by time
//! first. [`step`] applies one more event to a state without the other events, if that gives the same result as the
//! fold, and says so if it does not.
//!
//! Events at the same instant always have the same order: sightings by the hash of their content, then ends, then crawls.
//! A sighting at the instant at which a crawl ended belongs to the crawl.

use std::cmp::Ordering;

use schema::{Crawl, CrawlScope, Listing, ListingState, PricePoint, RawListing, Timestamp};

use crate::brief_form::with_brief_form;

/// Something that was observed of one portal listing at one time.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// It was there.
    Seen(Box<Sighting>),
    /// It was gone.
    Gone {
        /// When.
        at: Timestamp,
    },
    /// A complete crawl of its portal ended.
    Crawled {
        /// When the crawl started.
        started_at: Timestamp,
        /// When the crawl was complete.
        at: Timestamp,
        /// The kinds of listing that the crawl covered.
        scope: CrawlScope,
    },
}

/// A listing as it was at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// When.
    pub at: Timestamp,
    /// The hash of the content. It decides the order of several contents at one instant.
    pub content: ContentHash,
    /// What the listing said.
    pub listing: Listing,
    /// The URL of its page on the portal, if this content states one.
    pub url: Option<String>,
    /// Whether the content is a brief form of the advert: what it leaves out stays as it was.
    pub brief: bool,
}

/// The hash of a raw listing's form, address and text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The bytes of the hash.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }
}

impl From<&RawListing> for ContentHash {
    fn from(raw: &RawListing) -> Self {
        Self(raw.content_hash())
    }
}

impl From<[u8; 32]> for ContentHash {
    fn from(hash: [u8; 32]) -> Self {
        Self(hash)
    }
}

impl From<&Crawl> for Event {
    fn from(crawl: &Crawl) -> Self {
        Self::Crawled {
            started_at: crawl.started_at,
            at: crawl.observed_at,
            scope: crawl.scope,
        }
    }
}

impl Event {
    /// When it happened.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Seen(sighting) => sighting.at,
            Self::Gone { at } | Self::Crawled { at, .. } => *at,
        }
    }

    /// The content that was seen; `None` if the event is not a sighting.
    pub(crate) fn content(&self) -> Option<ContentHash> {
        match self {
            Self::Seen(sighting) => Some(sighting.content),
            Self::Gone { .. } | Self::Crawled { .. } => None,
        }
    }

    /// The order of events in a timeline. Two events that compare equal have the same effect.
    pub fn chronological(&self, other: &Self) -> Ordering {
        self.at()
            .cmp(&other.at())
            .then_with(|| match (self, other) {
                (Self::Seen(left), Self::Seen(right)) => left.content.cmp(&right.content),
                _ => self.rank().cmp(&other.rank()),
            })
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Seen(_) => 0,
            Self::Gone { .. } => 1,
            Self::Crawled { .. } => 2,
        }
    }
}

/// What an event did to a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It was seen for the first time.
    Appeared,
    /// A value changed, or the listing came back.
    Changed,
    /// It ended.
    Ended,
    /// Nothing that the interface shows.
    None,
}

/// The state after all `events`, which may be given in any order. `None` if none of them is a sighting.
pub fn fold(mut events: Vec<Event>) -> Option<ListingState> {
    events.sort_by(Event::chronological);
    let mut state = None;
    for event in events {
        apply(&mut state, event);
    }
    state
}

/// Applies the next event in order of time to the state, and returns its effect. The state is `None` until the listing is
/// seen for the first time.
pub fn apply(state: &mut Option<ListingState>, event: Event) -> Effect {
    match state {
        Some(state) => advance(state, event),
        None => match event {
            Event::Seen(sighting) => {
                *state = Some(first_state(*sighting));
                Effect::Appeared
            }
            Event::Gone { .. } | Event::Crawled { .. } => Effect::None,
        },
    }
}

/// What is known about a listing beyond its state.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The complete crawls of its portal, in order of their ends. Crawls that ended before an event do not affect it.
    pub crawls: &'a [Crawl],
    /// When it was last observed to be gone. Not needed while the listing is live, because it was seen after that.
    pub latest_end: Option<Timestamp>,
}

/// Applies `event` to `state` and returns its effect. `None`, with the state unchanged, if the event arrived late: then
/// only a fold of all events gives the state.
pub fn step(state: &mut ListingState, event: Event, known: Known<'_>) -> Option<Effect> {
    let at = event.at();
    let is_sighting = matches!(event, Event::Seen(_));
    let in_order = if !is_sighting {
        at >= state.last_seen_at && state.gone_at.is_none_or(|gone_at| gone_at <= at)
    } else if state.is_live() {
        at > state.last_seen_at
    } else {
        known.latest_end.max(state.gone_at) < Some(at)
    };
    if !in_order {
        return None;
    }
    let effect = advance(state, event);
    // A later crawl that is already known may have missed the listing.
    let ended = is_sighting
        && known
            .crawls
            .iter()
            .filter(|crawl| crawl.observed_at >= at)
            .any(|crawl| advance(state, Event::from(crawl)) == Effect::Ended);
    Some(if ended { Effect::Ended } else { effect })
}

fn first_state(
    Sighting {
        at, listing, url, ..
    }: Sighting,
) -> ListingState {
    let price = listing
        .attributes
        .price_total
        .map(|price_total| PricePoint { at, price_total });
    ListingState {
        listing,
        url,
        first_seen_at: at,
        last_seen_at: at,
        last_changed_at: at,
        gone_at: None,
        prices: price.into_iter().collect(),
    }
}

fn advance(state: &mut ListingState, event: Event) -> Effect {
    match event {
        Event::Seen(sighting) => see(state, *sighting),
        Event::Gone { at } if state.is_live() => end(state, at),
        Event::Crawled {
            started_at,
            at,
            scope,
        } if state.is_live() && missed(state, started_at, scope) => end(state, at),
        Event::Gone { .. } | Event::Crawled { .. } => Effect::None,
    }
}

/// Whether a complete crawl that started at `started_at` should have shown the listing and did not.
fn missed(state: &ListingState, started_at: Timestamp, scope: CrawlScope) -> bool {
    let attributes = &state.listing.attributes;
    state.last_seen_at < started_at && scope.covers(attributes.offer_type, attributes.property_type)
}

fn end(state: &mut ListingState, at: Timestamp) -> Effect {
    state.gone_at = Some(at);
    state.last_changed_at = at;
    Effect::Ended
}

fn see(
    state: &mut ListingState,
    Sighting {
        at,
        listing,
        url,
        brief,
        ..
    }: Sighting,
) -> Effect {
    let listing = if brief {
        with_brief_form(&state.listing, listing)
    } else {
        listing
    };
    // Evidence does not count, because the interface does not show it.
    let changed = state.listing.attributes != listing.attributes
        || url.is_some() && state.url != url
        || !state.is_live();
    if let Some(price_total) = listing.attributes.price_total {
        add_price(&mut state.prices, PricePoint { at, price_total });
    }
    state.listing = listing;
    state.url = url.or(state.url.take());
    state.last_seen_at = at;
    state.gone_at = None;
    if changed {
        state.last_changed_at = at;
        Effect::Changed
    } else {
        Effect::None
    }
}

/// Adds a price, unless it repeats the one before. Of several prices at one instant, the last one stays.
fn add_price(prices: &mut Vec<PricePoint>, point: PricePoint) {
    prices.pop_if(|last| last.at == point.at);
    let repeated = prices
        .last()
        .is_some_and(|last| same_price(last.price_total, point.price_total));
    if !repeated {
        prices.push(point);
    }
}

/// Prices are stored as published, so equal prices are bit-identical.
fn same_price(left: f64, right: f64) -> bool {
    left.total_cmp(&right).is_eq()
}
