//! What happened to the records: computed from two states, and as the store keeps it.

use std::collections::BTreeSet;

use proptest::prelude::*;
use schema::record_event::{events_between, splits_between};
use schema::store::offers::{self, OfferRow};
use schema::store::record_events::{self, KnownChanges, LoggedEvents};
use schema::store::{Db, Tx, listings, purges};
use schema::{OfferDetail, OfferId, PortalLink, PricePoint, PriceSeries, PriceStep, RecordEvent};

use crate::samples::{an_offer, day, offer_id, stored};

fn link(number: &str) -> PortalLink {
    PortalLink {
        offer_id: number.to_owned(),
        site_id: "sreality".to_owned(),
        url: None,
        is_live: true,
        first_seen_at: day(10),
    }
}

fn series(number: &str, prices: &[f64]) -> PriceSeries {
    let points = prices.iter().zip(10..).map(|(price, number)| PricePoint {
        at: day(number),
        price_total: *price,
    });
    PriceSeries {
        offer_id: number.to_owned(),
        site_id: "sreality".to_owned(),
        points: points.collect(),
    }
}

fn step(number: &str, (from, to): (Option<f64>, f64), at: i64) -> RecordEvent {
    RecordEvent::Price(PriceStep {
        site_id: "sreality".to_owned(),
        offer_id: number.to_owned(),
        from,
        to,
        at: day(at),
    })
}

fn changed(fields: &[&str]) -> RecordEvent {
    RecordEvent::Changed(fields.iter().map(|name| (*name).to_owned()).collect())
}

/// A record with two listings and their prices.
fn a_detail() -> OfferDetail {
    OfferDetail {
        offer: an_offer("a").offer,
        portal_links: vec![link("1"), link("2")],
        price_history: vec![series("1", &[5e6]), series("2", &[])],
    }
}

#[test]
fn what_happened_follows_from_two_states() {
    let before = a_detail();
    assert_eq!(events_between(None, &before), [RecordEvent::Appeared]);
    assert_eq!(events_between(Some(&before), &before), []);
    let after = |change: &dyn Fn(&mut OfferDetail)| {
        let mut after = before.clone();
        change(&mut after);
        events_between(Some(&before), &after)
    };
    let dropped = after(&|it| {
        it.offer.attributes.price_total = Some(4.8e6);
        it.price_history[0] = series("1", &[5e6, 4.9e6, 4.8e6]);
    });
    let steps = [
        step("1", (Some(5e6), 4.9e6), 11),
        step("1", (Some(4.9e6), 4.8e6), 12),
        changed(&["priceTotal", "priceHistory"]),
    ];
    assert_eq!(dropped, steps);
    let first = after(&|it| it.price_history[1] = series("2", &[5.1e6]));
    assert_eq!(
        first,
        [step("2", (None, 5.1e6), 10), changed(&["priceHistory"])]
    );
    let rewritten = after(&|it| it.price_history[0] = series("1", &[6e6, 4.7e6]));
    assert_eq!(
        rewritten,
        [
            step("1", (Some(5e6), 4.7e6), 11),
            changed(&["priceHistory"])
        ]
    );
    let joined = after(&|it| {
        it.portal_links.push(link("3"));
        it.price_history.push(series("3", &[5.2e6]));
    });
    assert_eq!(
        joined,
        [changed(&["portalLinks", "priceHistory"])],
        "another advert is no change of a price"
    );
    let gone = after(&|it| it.offer.is_live = false);
    assert_eq!(gone, [RecordEvent::Gone]);
    let touched = after(&|it| it.offer.last_changed_at = day(21));
    assert_eq!(touched, [changed(&["lastChangedAt"])]);
    let mut live = before.clone();
    live.offer.attributes.location = None;
    let mut hidden = live.clone();
    hidden.offer.is_live = false;
    hidden.offer.attributes.location = before.offer.attributes.location;
    assert_eq!(
        events_between(Some(&hidden), &live),
        [RecordEvent::Back, changed(&["location"])]
    );
}

/// A record of one of a few values in each place, so that equal ones occur.
fn any_detail() -> impl Strategy<Value = OfferDetail> {
    let prices = prop::collection::vec(prop::sample::select(vec![4e6, 5e6]), 0..4);
    let listings = prop::collection::btree_map("[123]", prices, 0..3);
    let facts = (
        prop::option::of("[ab]"),
        prop::option::of(0..2_i16),
        prop::option::of(prop::bool::ANY),
    );
    let instants = (0..2_i64, 0..2_i64, prop::bool::ANY);
    (listings, facts, instants).prop_map(|(listings, (title, floor, lift), (first, last, live))| {
        let mut detail = a_detail();
        let it = &mut detail.offer;
        (it.first_seen_at, it.last_changed_at) = (day(first), day(last));
        it.is_live = live;
        it.attributes.title = title;
        it.attributes.floor = floor;
        it.attributes.elevator = lift;
        detail.portal_links = listings.keys().map(|number| link(number)).collect();
        detail.price_history = listings
            .iter()
            .map(|(number, prices)| series(number, prices))
            .collect();
        detail
    })
}

/// The top-level fields of the JSON that differ.
fn differing(before: &OfferDetail, after: &OfferDetail) -> BTreeSet<String> {
    let object = |detail: &OfferDetail| {
        let json = serde_json::to_value(detail).unwrap();
        json.as_object().unwrap().clone()
    };
    let (before, after) = (object(before), object(after));
    let names = before.keys().chain(after.keys());
    names
        .filter(|name| before.get(*name) != after.get(*name))
        .cloned()
        .collect()
}

proptest! {
    #[test]
    fn the_events_name_exactly_what_differs_in_the_json(before in any_detail(), after in any_detail()) {
        let events = events_between(Some(&before), &after);
        let mut expected = differing(&before, &after);
        prop_assert_eq!(events.is_empty(), expected.is_empty());
        let mut named: BTreeSet<String> = BTreeSet::new();
        for event in &events {
            match event {
                RecordEvent::Changed(fields) => {
                    prop_assert!(!fields.is_empty());
                    named.extend(fields.iter().cloned());
                }
                RecordEvent::Gone => prop_assert!(before.offer.is_live && !after.offer.is_live),
                RecordEvent::Back => prop_assert!(!before.offer.is_live && after.offer.is_live),
                RecordEvent::Price(_) => prop_assert!(expected.contains("priceHistory")),
                other => prop_assert!(false, "{:?}", other),
            }
        }
        let state = events.iter().any(|one| matches!(one, RecordEvent::Gone | RecordEvent::Back));
        prop_assert_eq!(expected.remove("isLive"), state);
        if !named.contains("lastChangedAt") {
            expected.remove("lastChangedAt");
        }
        prop_assert_eq!(named, expected);
    }

    #[test]
    fn the_steps_of_a_price_lead_from_the_old_last_price_to_the_new(before in any_detail(), after in any_detail()) {
        let events = events_between(Some(&before), &after);
        for old in &before.price_history {
            let Some(new) = after.price_history.iter().find(|one| one.offer_id == old.offer_id) else {
                continue;
            };
            let mut at = old.points.last().map(|point| point.price_total);
            for event in &events {
                if let RecordEvent::Price(step) = event && step.offer_id == old.offer_id {
                    prop_assert_eq!(step.from, at);
                    at = Some(step.to);
                }
            }
            let last = new.points.last().map(|point| point.price_total);
            prop_assert!(at == last || last.is_none(), "{:?} is not {:?}", at, last);
        }
    }

    #[test]
    fn events_are_stored_as_they_are(before in any_detail(), after in any_detail()) {
        let events = events_between(Some(&before), &after);
        let text = serde_json::to_string(&events).unwrap();
        prop_assert_eq!(serde_json::from_str::<Vec<RecordEvent>>(&text).unwrap(), events);
    }
}

#[test]
fn a_split_is_of_a_record_that_remains() {
    let (a, b, c) = (offer_id("a"), offer_id("b"), offer_id("c"));
    let [one, two, three] = ["1", "2", "3"].map(|number| [link(number)]);
    let before = [[link("1"), link("2")], [link("3"), link("4")]];
    let before = [(&a, before[0].as_slice()), (&b, before[1].as_slice())];
    let after = [
        (&a, one.as_slice()),
        (&c, two.as_slice()),
        (&c, three.as_slice()),
    ];
    let found: Vec<(OfferId, OfferId)> = splits_between(before, after).into_iter().collect();
    assert_eq!(found, [(a, c)], "the record b no longer exists");
}

/// Stores a record.
async fn save(tx: &mut Tx, row: &OfferRow) -> i64 {
    let change = offers::next_change(tx, 1).await.unwrap();
    offers::save(tx, row, change).await.unwrap();
    change
}

/// All events after a change.
async fn events_after(db: &Db, change: i64) -> Vec<LoggedEvents> {
    let mut tx = record_events::begin(db).await.unwrap();
    let events = record_events::after(&mut tx, change, 1000).await.unwrap();
    tx.rollback().await.unwrap();
    events
}

async fn known(db: &Db) -> KnownChanges {
    let mut tx = record_events::begin(db).await.unwrap();
    let known = record_events::known(&mut tx).await.unwrap();
    tx.rollback().await.unwrap();
    known
}

fn row(id: &str, numbers: &[&str]) -> OfferRow {
    let mut row = an_offer(id);
    row.portal_links = numbers.iter().map(|number| link(number)).collect();
    row
}

#[tokio::test]
async fn a_save_writes_what_it_does_and_nothing_if_it_does_nothing() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        let first = save(&mut tx, &row("a", &["1"])).await;
        save(&mut tx, &row("a", &["1"])).await;
        let mut dearer = row("a", &["1"]);
        dearer.offer.attributes.price_total = Some(4.9e6);
        let last = save(&mut tx, &dearer).await;
        tx.commit().await.unwrap();
        let logged = |change, events| LoggedEvents {
            change,
            id: offer_id("a"),
            events: vec![events],
        };
        assert_eq!(
            events_after(&db, 0).await,
            [
                logged(first, RecordEvent::Appeared),
                logged(last, changed(&["priceTotal"]))
            ]
        );
        assert_eq!(events_after(&db, first).await.len(), 1);
        assert_eq!(
            known(&db).await,
            KnownChanges {
                after: 0,
                newest: last
            }
        );
    })
    .await;
}

#[tokio::test]
async fn merging_splitting_and_purging_are_written() {
    support::on_each_database(async |db| {
        let mut tx = db.begin().await.unwrap();
        save(&mut tx, &row("a", &["1"])).await;
        save(&mut tx, &row("b", &["2"])).await;
        let from = save(&mut tx, &row("c", &["3", "4"])).await;
        let change = offers::next_change(&mut tx, 4).await.unwrap();
        offers::retire(&mut tx, &offer_id("b"), &offer_id("a"), change)
            .await
            .unwrap();
        let (merged, rest, part) = (row("a", &["1", "2"]), row("c", &["3"]), row("d", &["4"]));
        let saved = [
            (&merged, change + 1),
            (&rest, change + 2),
            (&part, change + 3),
        ];
        offers::save_all(&mut tx, &saved).await.unwrap();
        let listing = stored(&mut tx, "1").await;
        listings::assign(&mut tx, &[(listing, &offer_id("a"))])
            .await
            .unwrap();
        purges::delete_listings(&mut tx, &[listing]).await.unwrap();
        tx.commit().await.unwrap();
        let found: Vec<(String, Vec<RecordEvent>)> = events_after(&db, from)
            .await
            .into_iter()
            .map(|one| (one.id.to_string(), one.events))
            .collect();
        let links = changed(&["portalLinks"]);
        assert_eq!(
            found,
            [
                ("b".to_owned(), vec![RecordEvent::Merged(offer_id("a"))]),
                ("a".to_owned(), vec![links.clone()]),
                (
                    "c".to_owned(),
                    vec![links, RecordEvent::Split(offer_id("d"))]
                ),
                ("d".to_owned(), vec![RecordEvent::Appeared]),
                ("a".to_owned(), vec![RecordEvent::Removed]),
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn what_is_older_than_it_is_kept_is_deleted_and_its_last_number_stays_known() {
    support::on_each_database(async |db| {
        let mut last = Vec::new();
        for (number, id) in (1..).zip(["a", "b", "c"]) {
            let mut tx = db.begin().await.unwrap();
            last.push(save(&mut tx, &row(id, &[])).await);
            tx.commit().await.unwrap();
            let deleted = record_events::delete_old(&db, day(number), day(number - 90)).await;
            assert_eq!(deleted.unwrap(), 0, "each is younger");
        }
        let deleted = record_events::delete_old(&db, day(92), day(2)).await;
        assert_eq!(deleted.unwrap(), 2);
        let after = last[1];
        let newest = last[2];
        assert_eq!(known(&db).await, KnownChanges { after, newest });
        assert_eq!(events_after(&db, 0).await.len(), 1);
        let deleted = record_events::delete_old(&db, day(400), day(310)).await;
        assert_eq!(deleted.unwrap(), 1, "the mark of day 92 is the last before");
        let after = newest;
        assert_eq!(known(&db).await, KnownChanges { after, newest });
    })
    .await;
}
