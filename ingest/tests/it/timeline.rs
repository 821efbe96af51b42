use ingest::timeline::{ContentHash, Effect, Event, Known, Sighting, apply, fold, step};
use proptest::prelude::*;
use schema::{
    Attributes, Crawl, CrawlScope, Listing, ListingState, OfferType, PricePoint, PropertyType,
    RawForm, RawListing, Taken, Timestamp,
};

fn listing(price: Option<f64>) -> Listing {
    let attributes = Attributes {
        offer_type: Some(OfferType::Sale),
        property_type: Some(PropertyType::Apartment),
        price_total: price,
        ..Attributes::default()
    };
    Listing {
        attributes,
        ..Listing::default()
    }
}

fn content(body: &str) -> ContentHash {
    ContentHash::from(&RawListing {
        form: RawForm::Listing,
        url: None,
        body: body.to_owned(),
    })
}

/// A sighting at `at` with this price.
fn seen(at: i64, price: impl Into<Option<f64>>) -> Event {
    showing(at, listing(price.into()))
}

fn showing(at: i64, listing: Listing) -> Event {
    let content = content(&format!("{listing:?}"));
    Event::Seen(Box::new(Sighting {
        at: Timestamp(at),
        content,
        listing,
        url: None,
        brief: false,
    }))
}

fn gone(at: i64) -> Event {
    Event::Gone { at: Timestamp(at) }
}

fn crawled(started_at: i64, at: i64) -> Event {
    Event::Crawled {
        started_at: Timestamp(started_at),
        at: Timestamp(at),
        scope: CrawlScope::default(),
    }
}

fn state(events: impl Into<Vec<Event>>) -> ListingState {
    fold(events.into()).expect("a sighting among the events")
}

/// The times of a listing: first seen, last seen, last changed, gone.
fn times(state: &ListingState) -> (i64, i64, i64, Option<i64>) {
    (
        state.first_seen_at.0,
        state.last_seen_at.0,
        state.last_changed_at.0,
        state.gone_at.map(|at| at.0),
    )
}

fn prices(state: &ListingState) -> Vec<(i64, f64)> {
    state
        .prices
        .iter()
        .map(|PricePoint { at, price_total }| (at.0, *price_total))
        .collect()
}

#[test]
fn the_first_sighting_is_the_first_change() {
    let state = state([seen(5, 100.0)]);
    assert_eq!(times(&state), (5, 5, 5, None));
    assert_eq!(prices(&state), [(5, 100.0)]);
}

#[test]
fn seeing_the_same_content_again_is_not_a_change() {
    assert_eq!(
        times(&state([seen(5, 100.0), seen(9, 100.0)])),
        (5, 9, 5, None)
    );
}

#[test]
fn a_changed_value_is_a_change() {
    let named = |title: &str| {
        let mut listing = listing(None);
        listing.attributes.title = Some(title.to_owned());
        listing
    };
    assert_eq!(
        times(&state([showing(5, named("a")), showing(9, named("b"))])),
        (5, 9, 9, None)
    );
}

#[test]
fn evidence_that_is_not_served_changes_without_a_change() {
    let mut taken = listing(None);
    taken.evidence.taken = Some(Taken::Reserved);
    let state = state([showing(5, listing(None)), showing(9, taken.clone())]);
    assert_eq!(times(&state), (5, 9, 5, None));
    assert_eq!(state.listing, taken);
}

#[test]
fn a_price_point_is_a_price_that_differs_from_the_one_before() {
    let events = [
        seen(1, 100.0),
        seen(2, 100.0),
        seen(3, 90.0),
        seen(4, 100.0),
        seen(5, 100.0),
    ];
    let state = state(events);
    assert_eq!(prices(&state), [(1, 100.0), (3, 90.0), (4, 100.0)]);
    assert_eq!(times(&state), (1, 5, 4, None));
}

#[test]
fn a_price_on_request_adds_no_point() {
    let state = state([seen(1, 100.0), seen(2, None), seen(3, 100.0)]);
    assert_eq!(prices(&state), [(1, 100.0)]);
    assert_eq!(times(&state), (1, 3, 3, None));
}

#[test]
fn going_and_coming_back_are_changes() {
    assert_eq!(times(&state([seen(1, 1.0), gone(4)])), (1, 1, 4, Some(4)));
    assert_eq!(
        times(&state([seen(1, 1.0), gone(4), gone(6)])),
        (1, 1, 4, Some(4))
    );
    assert_eq!(
        times(&state([seen(1, 1.0), gone(4), seen(7, 1.0)])),
        (1, 7, 7, None)
    );
}

#[test]
fn an_end_before_the_first_sighting_has_no_effect() {
    assert_eq!(fold(vec![gone(1)]), None);
    assert_eq!(times(&state([gone(1), seen(3, 1.0)])), (3, 3, 3, None));
}

#[test]
fn at_one_instant_an_end_overrules_a_sighting() {
    assert_eq!(times(&state([gone(3), seen(3, 1.0)])), (3, 3, 3, Some(3)));
}

#[test]
fn of_two_contents_at_one_instant_the_same_one_always_wins() {
    let (one, other) = (seen(3, 1.0), seen(3, 2.0));
    let forth = state([seen(1, 5.0), one.clone(), other.clone()]);
    let back = state([other, one, seen(1, 5.0)]);
    assert_eq!(forth, back);
    assert_eq!(
        forth.prices.len(),
        2,
        "one price per instant: {:?}",
        forth.prices
    );
}

#[test]
fn a_complete_crawl_ends_the_listings_that_it_missed() {
    assert_eq!(
        times(&state([seen(1, 1.0), crawled(3, 5)])),
        (1, 1, 5, Some(5))
    );
    assert_eq!(
        times(&state([seen(1, 1.0), crawled(3, 5), seen(7, 1.0)])),
        (1, 7, 7, None)
    );
}

#[test]
fn a_sighting_during_a_crawl_keeps_a_listing() {
    for at in [3, 4, 5] {
        assert_eq!(
            state([seen(1, 1.0), seen(at, 1.0), crawled(3, 5)]).gone_at,
            None,
            "seen at {at}"
        );
    }
}

#[test]
fn a_crawl_does_not_end_a_listing_first_seen_after_it_began() {
    assert_eq!(state([seen(4, 1.0), crawled(3, 5)]).gone_at, None);
    assert_eq!(state([seen(6, 1.0), crawled(3, 5)]).gone_at, None);
}

#[test]
fn a_crawl_ends_listings_of_its_scope_only() {
    let crawl = |offer_type, property_type| {
        let scope = CrawlScope {
            offer_type,
            property_type,
        };
        Event::Crawled {
            started_at: Timestamp(3),
            at: Timestamp(5),
            scope,
        }
    };
    let ended = |crawl| state([seen(1, 1.0), crawl]).gone_at.is_some();
    assert!(ended(crawl(
        Some(OfferType::Sale),
        Some(PropertyType::Apartment)
    )));
    assert!(ended(crawl(Some(OfferType::Sale), None)));
    assert!(!ended(crawl(Some(OfferType::Rent), None)));
    assert!(!ended(crawl(None, Some(PropertyType::Land))));
    let unstated = showing(1, Listing::default());
    assert_eq!(
        state([unstated.clone(), crawl(Some(OfferType::Sale), None)]).gone_at,
        None
    );
    assert!(state([unstated, crawl(None, None)]).gone_at.is_some());
}

#[test]
fn the_scope_is_that_of_the_content_at_the_time_of_the_crawl() {
    let rented = || {
        let mut listing = listing(Some(1.0));
        listing.attributes.offer_type = Some(OfferType::Rent);
        listing
    };
    let rents = CrawlScope {
        offer_type: Some(OfferType::Rent),
        property_type: None,
    };
    let crawl = Event::Crawled {
        started_at: Timestamp(3),
        at: Timestamp(5),
        scope: rents,
    };
    let back = state([
        showing(1, rented()),
        crawl.clone(),
        seen(7, 1.0),
        seen(8, 1.0),
    ]);
    assert_eq!(
        times(&back),
        (1, 8, 7, None),
        "it was gone at 5 and came back at 7"
    );
    assert_eq!(state([seen(1, 1.0), crawl]).gone_at, None);
}

#[test]
fn a_page_url_is_kept_if_a_later_sighting_has_none() {
    let at = |at: i64, url: Option<&str>| {
        let url = url.map(str::to_owned);
        Event::Seen(Box::new(Sighting {
            at: Timestamp(at),
            content: content("x"),
            listing: listing(None),
            url,
            brief: false,
        }))
    };
    let named = state([at(1, Some("https://a")), at(2, None)]);
    assert_eq!(
        (named.url.as_deref(), named.last_changed_at.0),
        (Some("https://a"), 1)
    );
    let moved = state([at(1, Some("https://a")), at(2, Some("https://b"))]);
    assert_eq!(
        (moved.url.as_deref(), moved.last_changed_at.0),
        (Some("https://b"), 2)
    );
}

/// Nothing is known beyond the state.
const NOTHING: Known<'static> = Known {
    crawls: &[],
    latest_end: None,
};

#[test]
fn a_step_in_order_says_what_it_did() {
    let mut life = None;
    assert_eq!(apply(&mut life, gone(0)), Effect::None);
    assert_eq!(apply(&mut life, seen(1, 1.0)), Effect::Appeared);
    let mut life = life.expect("seen");
    assert_eq!(step(&mut life, seen(2, 1.0), NOTHING), Some(Effect::None));
    assert_eq!(
        step(&mut life, seen(3, 2.0), NOTHING),
        Some(Effect::Changed)
    );
    assert_eq!(step(&mut life, gone(4), NOTHING), Some(Effect::Ended));
    assert_eq!(step(&mut life, gone(5), NOTHING), Some(Effect::None));
    let known = Known {
        latest_end: Some(Timestamp(5)),
        ..NOTHING
    };
    assert_eq!(
        step(&mut life, seen(6, 2.0), known),
        Some(Effect::Changed),
        "it came back"
    );
    assert_eq!(life.gone_at, None);
}

#[test]
fn a_step_to_a_sighting_includes_the_crawl_that_missed_it() {
    let crawl = |started_at, observed_at| Crawl {
        site_id: "idnes".to_owned(),
        started_at: Timestamp(started_at),
        observed_at: Timestamp(observed_at),
        scope: CrawlScope::default(),
    };
    let crawls = [crawl(2, 3), crawl(5, 7), crawl(9, 11), crawl(13, 14)];
    let known = Known {
        crawls: &crawls,
        latest_end: None,
    };
    let mut life = state([seen(1, 1.0), seen(2, 1.0)]);
    assert_eq!(step(&mut life, seen(6, 1.0), known), Some(Effect::Ended));
    assert_eq!(times(&life), (1, 6, 11, Some(11)));
}

#[test]
fn a_step_that_came_late_changes_nothing_and_says_so() {
    let live = state([seen(5, 1.0), seen(9, 2.0)]);
    let ended = state([seen(5, 1.0), gone(9), gone(12)]);
    let known = Known {
        latest_end: Some(Timestamp(12)),
        ..NOTHING
    };
    for (before, late) in [
        (&live, seen(7, 3.0)),
        (&live, seen(9, 3.0)),
        (&live, gone(7)),
        (&live, crawled(6, 8)),
        (&ended, seen(9, 1.0)),
        (&ended, seen(11, 1.0)),
        (&ended, gone(8)),
    ] {
        let mut after = before.clone();
        assert_eq!(step(&mut after, late.clone(), known), None, "{late:?}");
        assert_eq!(&after, before);
    }
}

/// An event with one of few instants, prices and kinds, so that simultaneous and repeated events are common.
fn any_event() -> impl Strategy<Value = Event> {
    let at = 0..12_i64;
    let offer_type = prop_oneof![
        Just(None),
        Just(Some(OfferType::Sale)),
        Just(Some(OfferType::Rent))
    ];
    let sighting = (
        at.clone(),
        proptest::option::of(1..4_i32),
        offer_type.clone(),
    )
        .prop_map(|(at, price, kind)| {
            let mut listing = listing(price.map(f64::from));
            listing.attributes.offer_type = kind;
            showing(at, listing)
        });
    let crawl = (at.clone(), 0..4_i64, offer_type).prop_map(|(started_at, took, offer_type)| {
        Event::Crawled {
            started_at: Timestamp(started_at),
            at: Timestamp(started_at + took),
            scope: CrawlScope {
                offer_type,
                property_type: None,
            },
        }
    });
    prop_oneof![4 => sighting, 2 => at.prop_map(gone), 2 => crawl]
}

/// The state after the events arrived one by one. Each event is applied by a step if that is possible, and otherwise by
/// folding all events again. Known events are skipped, as in the store.
fn arrived(events: &[Event]) -> Option<ListingState> {
    let mut events_so_far: Vec<Event> = Vec::new();
    let mut crawls: Vec<Crawl> = Vec::new();
    let mut latest_end = None;
    let mut state: Option<ListingState> = None;
    for event in events {
        if events_so_far.contains(event) {
            continue;
        }
        events_so_far.push(event.clone());
        let known = Known {
            crawls: &crawls,
            latest_end,
        };
        let stepped = state
            .as_mut()
            .and_then(|state| step(state, event.clone(), known));
        if stepped.is_none() {
            state = fold(events_so_far.clone());
        }
        match event {
            Event::Seen(_) => {}
            Event::Gone { at } => latest_end = latest_end.max(Some(*at)),
            Event::Crawled {
                started_at,
                at,
                scope,
            } => {
                let site_id = "idnes".to_owned();
                crawls.push(Crawl {
                    site_id,
                    started_at: *started_at,
                    observed_at: *at,
                    scope: *scope,
                });
                crawls.sort_by_key(|crawl| crawl.observed_at);
            }
        }
    }
    state
}

proptest! {
    #[test]
    fn the_order_of_arrival_does_not_matter(
        (sorted, shuffled) in proptest::collection::vec(any_event(), 0..14).prop_flat_map(|events| {
            let mut sorted = events.clone();
            sorted.sort_by(Event::chronological);
            (Just(sorted), Just(events).prop_shuffle())
        })
    ) {
        let expected = fold(sorted.clone());
        prop_assert_eq!(&fold(shuffled.clone()), &expected);
        prop_assert_eq!(&arrived(&sorted), &expected);
        prop_assert_eq!(&arrived(&shuffled), &expected);
    }

    #[test]
    fn repeated_events_change_nothing(events in proptest::collection::vec(any_event(), 0..10)) {
        let once = arrived(&events);
        let twice: Vec<_> = events.iter().chain(&events).cloned().collect();
        prop_assert_eq!(&arrived(&twice), &once);
        prop_assert_eq!(&fold(twice), &once);
    }
}
