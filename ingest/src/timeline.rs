//! The life of a portal listing, folded from everything that was learned about it.
//!
//! The state is a function of the set of events, not of the order in which they arrived: [`fold`] sorts them by time
//! first. [`step`] takes one more event into a state without the others, wherever that gives what the fold would give,
//! and says so where it does not.
//!
//! Ties at one instant are broken the same way everywhere: contents in the order of their hash, then that the listing
//! was gone, then crawls. What was seen at the instant a crawl ended lies within the crawl.

use std::cmp::Ordering;

use schema::{Crawl, CrawlScope, Listing, ListingState, PricePoint, RawListing, Timestamp};

/// Something that was learned about one portal listing at one time.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// It was there.
    Seen(Box<Sighting>),
    /// It was no longer there.
    Gone {
        /// When.
        at: Timestamp,
    },
    /// A complete walk of its portal ended.
    Crawled {
        /// When the walk began.
        started_at: Timestamp,
        /// When it was complete.
        at: Timestamp,
        /// What it walked.
        scope: CrawlScope,
    },
}

/// A listing as it was at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// When.
    pub at: Timestamp,
    /// Which of several contents at one instant comes first.
    pub content: ContentHash,
    /// What it said.
    pub listing: Listing,
    /// Its page on the portal; `None` where this content names none.
    pub url: Option<String>,
}

/// The hash of a raw listing: form, address and text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// The hash of `raw`.
    pub fn of(raw: &RawListing) -> Self {
        Self(raw.content_hash())
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
    /// When it was learned.
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Seen(sighting) => sighting.at,
            Self::Gone { at } | Self::Crawled { at, .. } => *at,
        }
    }

    /// The order of a timeline. Two events that compare equal are the same in effect.
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
    /// A value changed, or it came back.
    Changed,
    /// It ended.
    Ended,
    /// Nothing that a reader of the listing could tell.
    None,
}

/// The state after all `events`, in whatever order they are given; `None` where none of them saw the listing.
pub fn fold(mut events: Vec<Event>) -> Option<ListingState> {
    events.sort_by(Event::chronological);
    let mut state = None;
    for event in events {
        apply(&mut state, event);
    }
    state
}

/// Takes the next event in the order of time into the state, and says what it did. `None` is a listing that has not
/// been seen yet.
pub fn apply(state: &mut Option<ListingState>, event: Event) -> Effect {
    match state {
        Some(state) => advance(state, event),
        None => match event {
            Event::Seen(sighting) => {
                *state = Some(appear(*sighting));
                Effect::Appeared
            }
            Event::Gone { .. } | Event::Crawled { .. } => Effect::None,
        },
    }
}

/// What is known of a listing that its state does not show.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The complete crawls of its portal, by their end. Those that ended before an event are of no consequence for it.
    pub crawls: &'a [Crawl],
    /// When it was last said to be gone. While it lives that lies before its latest sighting, and need not be told.
    pub latest_end: Option<Timestamp>,
}

/// Takes `event` into `state`, and says what it did. `None`, with the state left as it was, where the event came late
/// and only a fold of everything known tells.
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
    // Crawls that ended later may have missed what was seen now.
    let ended = is_sighting
        && known
            .crawls
            .iter()
            .filter(|crawl| crawl.observed_at >= at)
            .any(|crawl| advance(state, Event::from(crawl)) == Effect::Ended);
    Some(if ended { Effect::Ended } else { effect })
}

fn appear(
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

/// Whether a complete crawl that began at `started_at` should have shown the listing and did not.
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
        at, listing, url, ..
    }: Sighting,
) -> Effect {
    // Evidence is not part of the interface: what nobody is shown does not change for them.
    let changed = state.listing.attributes != listing.attributes
        || url.is_some() && state.url != url
        || !state.is_live();
    if let Some(price_total) = listing.attributes.price_total {
        ask(&mut state.prices, PricePoint { at, price_total });
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

/// Adds a price that differs from the one before. Of several at one instant the last stands.
fn ask(prices: &mut Vec<PricePoint>, point: PricePoint) {
    prices.pop_if(|last| last.at == point.at);
    let repeated = prices
        .last()
        .is_some_and(|last| same_price(last.price_total, point.price_total));
    if !repeated {
        prices.push(point);
    }
}

/// Prices are taken over as published, so that equal ones are equal to the bit.
fn same_price(left: f64, right: f64) -> bool {
    left.total_cmp(&right).is_eq()
}
