//! What is not believed, and that nothing of it is stored.

use std::collections::BTreeMap;

use schema::ListingState;
use schema::store::crawl_runs::RunOutcome;

use super::toy::{Ad, Reply, Toy, Visit};
use super::{Clock, Scrape, crawl, database, states};

/// What a listing says and since when it lives: without when it was last seen.
fn said(states: &BTreeMap<u64, ListingState>) -> Vec<(u64, ListingState)> {
    let said = |(number, state): (&u64, &ListingState)| {
        (
            *number,
            ListingState {
                last_seen_at: state.first_seen_at,
                ..state.clone()
            },
        )
    };
    states.iter().map(said).collect()
}

/// Crawls a portal of 60 adverts, spoils it, and crawls it again after `days`: the alarm says all of `words`, what is
/// stored is as before, and after the portal has healed the crawl is complete.
async fn alarm(days: i64, words: &[&str], spoil: impl FnOnce(&Toy)) {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    let before = states(&database.db).await;
    let healthy = toy.state().ads.clone();
    clock.pass_hours(days * 24);
    spoil(&toy);
    let report = Scrape::of(&database.db, &toy, &clock).run().await;
    let trouble = report.trouble().unwrap_or_default();
    assert_eq!(report.outcome(), RunOutcome::Alarm, "{trouble}");
    for word in words {
        assert!(trouble.contains(word), "{trouble:?} does not say {word:?}");
    }
    assert_eq!(said(&states(&database.db).await), said(&before));
    toy.untwist();
    toy.state().ads = healthy;
    clock.pass_hours(1);
    crawl(&database.db, &toy, &clock).await;
}

fn details(
    answer: impl Fn(&str) -> Reply + Send + 'static,
) -> impl FnMut(&Visit) -> Option<Reply> + Send {
    move |visit| visit.path.strip_prefix("/advert/").map(&answer)
}

#[tokio::test]
async fn details_that_the_adapter_cannot_read() {
    alarm(8, &["60 of 60 details cannot be read"], |toy| {
        toy.twist(details(|number| {
            Reply::of(200, format!("{{\"id\": {number}}}"))
        }));
    })
    .await;
}

#[tokio::test]
async fn details_that_are_something_else() {
    alarm(
        8,
        &["60 of 60 details are not as they were", "HTTP 403"],
        |toy| {
            toy.twist(details(|_| Reply::of(403, "<h1>Nejste robot?</h1>")));
        },
    )
    .await;
}

#[tokio::test]
async fn a_list_that_is_something_else() {
    alarm(0, &["the list flats is not as it was", "HTTP 403"], |toy| {
        toy.twist(|visit| visit.path.starts_with("/list").then(|| Reply::of(403, "")));
    })
    .await;
}

#[tokio::test]
async fn a_list_that_is_suddenly_empty() {
    alarm(
        0,
        &["the list flats shows 0 adverts", "it showed 45"],
        |toy| {
            toy.change_all(|_, ad| ad.listed = ad.house);
        },
    )
    .await;
}

#[tokio::test]
async fn a_list_that_ends_too_early() {
    alarm(0, &["says that it has 45 adverts and ends after 1"], |toy| {
        toy.twist(|visit| {
            let item = r#"{"items": [{"id": "1", "teaser": [3010000, 41]}], "total": 45, "more": false}"#;
            visit.path.contains("flats").then(|| Reply::of(200, item))
        });
    })
    .await;
}

#[tokio::test]
async fn the_same_page_for_every_number() {
    alarm(0, &["page 1 the same 2 adverts"], |toy| {
        toy.twist(|visit| {
            let items = r#"{"items": [{"id": "1", "teaser": [3010000, 41]}, {"id": "2", "teaser": [3020000, 42]}],
                "total": 45, "more": true}"#;
            visit.path.contains("flats").then(|| Reply::of(200, items))
        });
    })
    .await;
}

#[tokio::test]
async fn a_field_that_is_lost() {
    alarm(8, &["have lost their price"], |toy| {
        toy.change_all(|_, ad| ad.price = 0)
    })
    .await;
}

#[tokio::test]
async fn new_listings_without_a_field_that_the_others_have() {
    alarm(
        0,
        &["0 of ", "details have a area", "of so many stored listings of their kinds 49 would"],
        |toy| {
            let mut state = toy.state();
            let new = (101..150).map(|number| (number, Ad { area: 0, ..state.ads[&1].clone() }));
            let new: Vec<_> =
                new.map(|(number, ad)| (number, Ad { text: format!("Nový {number}"), ..ad })).collect();
            state.ads.extend(new);
            drop(state);
            toy.twist(details(|number| {
                Reply::of(
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
async fn values_that_change_beyond_belief() {
    alarm(8, &["quite another price"], |toy| {
        toy.change_all(|_, ad| ad.price *= 25)
    })
    .await;
    alarm(8, &["quite another area"], |toy| {
        toy.change_all(|_, ad| ad.area *= 3)
    })
    .await;
    alarm(8, &["quite another position"], |toy| {
        toy.change_all(|_, ad| ad.lat += 0.2)
    })
    .await;
}

#[tokio::test]
async fn many_adverts_that_say_the_same() {
    alarm(8, &["say exactly the same"], |toy| {
        let ad = toy.state().ads[&30].clone();
        toy.twist(details(move |_| {
            Reply::of(200, ad.payload(30, 0).to_string())
        }));
    })
    .await;
}

#[tokio::test]
async fn an_operator_may_accept_what_is_not_believed() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    clock.pass_hours(8 * 24);
    toy.change_all(|_, ad| ad.price *= 3);
    let accepted = Scrape::of(&database.db, &toy, &clock)
        .with(|options| options.accept_changes = true)
        .run()
        .await;
    assert_eq!(
        (accepted.outcome(), accepted.counts().changed),
        (RunOutcome::Complete, 60)
    );
}

#[tokio::test]
async fn one_odd_advert_is_no_alarm() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change(1, |ad| ad.price *= 30);
    toy.change(2, |ad| (ad.price, ad.status) = (1, 403));
    toy.change(3, |ad| ad.price = 0);
    let report = crawl(&database.db, &toy, &clock).await;
    assert_eq!(report.counts().changed, 1 + 1);
}
