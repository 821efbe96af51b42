//! Implausible answers raise an alarm, and nothing of them is stored.

use std::collections::BTreeMap;

use schema::ListingState;
use schema::store::crawl_runs::RunOutcome;

use super::toy::{Ad, ReceivedRequest, Reply, Toy};
use super::{Clock, Scrape, crawl, database, states};

/// The states without the time of the last sighting.
fn without_last_seen(states: &BTreeMap<u64, ListingState>) -> Vec<(u64, ListingState)> {
    let without = |(number, state): (&u64, &ListingState)| {
        (
            *number,
            ListingState {
                last_seen_at: state.first_seen_at,
                ..state.clone()
            },
        )
    };
    states.iter().map(without).collect()
}

/// Crawls a portal of 60 adverts, spoils it, and crawls it again after `days`. The alarm must contain all of `words`, the
/// stored listings must not change, and once the portal is repaired, the next crawl must be complete.
async fn assert_alarm(days: i64, words: &[&str], spoil: impl FnOnce(&Toy)) {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    let before = states(&database.db).await;
    let healthy = toy.state().ads.clone();
    clock.pass_hours(days * 24);
    spoil(&toy);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    let trouble = report.trouble().unwrap_or_default();
    assert_eq!(report.outcome(), RunOutcome::Alarm, "{trouble}");
    for word in words {
        assert!(trouble.contains(word), "{trouble:?} does not say {word:?}");
    }
    assert_eq!(
        without_last_seen(&states(&database.db).await),
        without_last_seen(&before)
    );
    toy.stop_intercepting();
    toy.state().ads = healthy;
    clock.pass_hours(1);
    crawl(&database.db, &toy, &clock).await;
}

fn details(
    answer: impl Fn(&str) -> Reply + Send + 'static,
) -> impl FnMut(&ReceivedRequest) -> Option<Reply> + Send {
    move |request| request.path.strip_prefix("/advert/").map(&answer)
}

#[tokio::test]
async fn details_that_the_adapter_cannot_read() {
    assert_alarm(8, &["60 of 60 details cannot be read"], |toy| {
        toy.intercept(details(|number| {
            Reply::new(200, format!("{{\"id\": {number}}}"))
        }));
    })
    .await;
}

#[tokio::test]
async fn details_that_are_not_details() {
    assert_alarm(8, &["60 of 60 details have changed", "HTTP 403"], |toy| {
        toy.intercept(details(|_| Reply::new(403, "<h1>Nejste robot?</h1>")));
    })
    .await;
}

#[tokio::test]
async fn a_section_that_is_not_an_index() {
    assert_alarm(0, &["section flats has changed", "HTTP 403"], |toy| {
        toy.intercept(|request| {
            request
                .path
                .starts_with("/list")
                .then(|| Reply::new(403, ""))
        });
    })
    .await;
}

#[tokio::test]
async fn a_section_that_is_suddenly_empty() {
    assert_alarm(
        0,
        &[
            "section flats shows 0 adverts",
            "the last complete crawl saw 45",
        ],
        |toy| {
            toy.change_all(|_, ad| ad.listed = ad.house);
        },
    )
    .await;
}

#[tokio::test]
async fn a_section_that_ends_early() {
    assert_alarm(0, &["claims 45 adverts but ends after 1"], |toy| {
        toy.intercept(|request| {
            let item =
                r#"{"items": [{"id": "1", "teaser": [3010000, 41]}], "total": 45, "more": false}"#;
            request
                .path
                .contains("flats")
                .then(|| Reply::new(200, item))
        });
    })
    .await;
}

#[tokio::test]
async fn the_same_page_for_every_number() {
    assert_alarm(0, &["the same 2 adverts on page 1"], |toy| {
        toy.intercept(|request| {
            let items = r#"{"items": [{"id": "1", "teaser": [3010000, 41]}, {"id": "2", "teaser": [3020000, 42]}],
                "total": 45, "more": true}"#;
            request.path.contains("flats").then(|| Reply::new(200, items))
        });
    })
    .await;
}

#[tokio::test]
async fn a_field_that_is_lost() {
    assert_alarm(8, &["have lost their price"], |toy| {
        toy.change_all(|_, ad| ad.price = 0);
    })
    .await;
}

#[tokio::test]
async fn new_listings_without_a_field_that_the_others_have() {
    assert_alarm(
        0,
        &["0 of ", "details have area", "the stored listings of the same kinds, 49 should"],
        |toy| {
            let mut state = toy.state();
            let new = (101..150).map(|number| (number, Ad { area: 0, ..state.ads[&1].clone() }));
            let new: Vec<_> =
                new.map(|(number, ad)| (number, Ad { text: format!("Nový {number}"), ..ad })).collect();
            state.ads.extend(new);
            drop(state);
            toy.intercept(details(|number| {
                Reply::new(
                200,
                serde_json::json!({
                    "hash_id": number.parse::<u64>().unwrap(), "advert_name": format!("Prodej bytu {number}"),
                    "category_main_cb": 1, "category_type_cb": 1, "price_summary_czk": 5_000_000,
                    "locality": {"city": "Olomouc"},
                })
                .to_string(),
            )
            }));
        },
    )
    .await;
}

#[tokio::test]
async fn values_that_change_implausibly() {
    assert_alarm(8, &["the price has changed implausibly"], |toy| {
        toy.change_all(|_, ad| ad.price *= 25);
    })
    .await;
    assert_alarm(8, &["the area has changed implausibly"], |toy| {
        toy.change_all(|_, ad| ad.area *= 3);
    })
    .await;
    assert_alarm(8, &["the position has changed implausibly"], |toy| {
        toy.change_all(|_, ad| ad.lat += 0.2);
    })
    .await;
}

#[tokio::test]
async fn many_adverts_with_the_same_content() {
    assert_alarm(8, &["have the same content"], |toy| {
        let ad = toy.state().ads[&30].clone();
        toy.intercept(details(move |_| {
            Reply::new(200, ad.payload(30, 0).to_string())
        }));
    })
    .await;
}

#[tokio::test]
async fn an_operator_may_accept_implausible_changes() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    clock.pass_hours(8 * 24);
    toy.change_all(|_, ad| ad.price *= 3);
    let accepted = Scrape::new(&database.db, &toy, &clock)
        .with(|options| options.accept_changes = true)
        .run()
        .await;
    assert_eq!(
        (accepted.outcome(), accepted.counts().changed),
        (RunOutcome::Complete, 60)
    );
}

#[tokio::test]
async fn one_odd_advert_raises_no_alarm() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change(1, |ad| ad.price *= 30);
    toy.change(2, |ad| (ad.price, ad.status) = (1, 403));
    toy.change(3, |ad| ad.price = 0);
    let report = crawl(&database.db, &toy, &clock).await;
    assert_eq!(report.counts().changed, 1 + 1);
}
