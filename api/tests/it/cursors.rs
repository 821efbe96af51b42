//! Following cursors from page to page.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::{Location, Plan};

use crate::support::{Account, Answer, TestApi, TestOffer, on_each, retire, save, save_all};

pub fn offers(count: usize) -> Vec<TestOffer> {
    // Several offers with the same instant, so that ties occur.
    (0..count)
        .map(|number| {
            TestOffer::new(&format!("offer-{number:03}"))
                .changed_at(&format!("2026-07-01T00:00:{:02}Z", number / 7 % 60))
        })
        .collect()
}

async fn next(api: &TestApi, account: &Account, query: &str, page: &Answer) -> Option<Answer> {
    let cursor = page.next_cursor()?;
    Some(
        api.get_as(account, &format!("/v1/offers?{query}&cursor={cursor}"))
            .await,
    )
}

/// Spec, Purpose 4: searching filters by category, place, price, areas and floors, the newest change first, in pages.
/// Spec, search 15: sending nextCursor until hasMore is false shows every match once.
#[tokio::test]
async fn following_cursors_shows_every_offer_once_in_order() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(120)).await;
        let mut page = api.get_as(&account, "/v1/offers?limit=7").await;
        let (mut ids, mut last) = (Vec::new(), String::from("9"));
        loop {
            ids.extend(page.ids().into_iter().map(str::to_owned));
            for offer in page.body["data"].as_array().unwrap() {
                let changed = offer["lastChangedAt"].as_str().unwrap().to_owned();
                assert!(changed <= last);
                last = changed;
            }
            assert_eq!(
                page.body["pagination"]["hasMore"].as_bool(),
                Some(page.next_cursor().is_some())
            );
            match next(&api, &account, "limit=7", &page).await {
                Some(following) => page = following,
                None => break,
            }
        }
        assert_eq!(ids.len(), 120);
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 120);
    })
    .await;
}

/// Spec, Silent 15: a cursor is bound to its filters, not to limit.
#[tokio::test]
async fn the_page_size_may_change_between_pages() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(30)).await;
        let first = api.get_as(&account, "/v1/offers?limit=4").await;
        let second = next(&api, &account, "limit=50", &first).await.unwrap();
        assert_eq!((second.ids().len(), second.next_cursor()), (26, None));
        let all = api.get_as(&account, "/v1/offers?limit=30").await;
        let walked: Vec<&str> = first.ids().into_iter().chain(second.ids()).collect();
        assert_eq!(walked, all.ids());
    })
    .await;
}

/// Spec, search 13: cursor is the nextCursor of the page before, with the same filters.
/// Spec, Silent 15: a cursor is bound to its filters, not to limit.
#[tokio::test]
async fn a_cursor_is_bound_to_its_filters() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(10)).await;
        let first = api
            .get_as(&account, "/v1/offers?type=apartment&limit=2")
            .await;
        let cursor = first.next_cursor().unwrap();
        for other in [
            "",
            "type=house&",
            "type=apartment&offerType=sale&",
            "type=apartment&includeInactive=true&",
        ] {
            let answer = api
                .get_as(&account, &format!("/v1/offers?{other}cursor={cursor}"))
                .await;
            assert_eq!(
                (answer.status, answer.faulty()),
                (400, vec!["cursor"]),
                "{other}"
            );
        }
        // The same filters, written differently.
        for same in [
            "type=apartment&includeInactive=false&",
            "limit=5&%74ype=apartment&",
        ] {
            assert_eq!(
                api.get_as(&account, &format!("/v1/offers?{same}cursor={cursor}"))
                    .await
                    .status,
                200,
                "{same}"
            );
        }
    })
    .await;
}

/// Spec, Silent 17: a cursor is stateless: every process reads it.
#[tokio::test]
async fn processes_read_each_others_cursors_and_catch_up() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        // The index of the second process is empty, and only a request makes it catch up.
        let behind = api.beside(|_| ()).await;
        save_all(&api.db, &offers(20)).await;
        let first = api.get_as(&account, "/v1/offers?limit=5").await;
        let second = next(&behind, &account, "limit=50", &first).await.unwrap();
        let walked: BTreeSet<&str> = first.ids().into_iter().chain(second.ids()).collect();
        assert_eq!((walked.len(), second.ids().len()), (20, 15));
    })
    .await;
}

/// Spec, search 15: sending nextCursor until hasMore is false shows every match once.
/// Spec, Silent 18: while records change, paging shows none twice and misses no unchanged one.
#[tokio::test]
async fn changing_records_never_appear_twice_and_unchanged_ones_are_never_missed() {
    on_each(async |api| {
        let account = api.account(Plan::Investor).await;
        let other = api.beside(|_| ()).await;
        let mut rng = StdRng::seed_from_u64(5);
        save_all(&api.db, &offers(90)).await;
        for round in 0..6 {
            let before = api.get_as(&account, "/v1/offers?limit=50").await;
            let rest = next(&api, &account, "limit=50", &before).await;
            let all: BTreeSet<String> = before
                .ids()
                .into_iter()
                .chain(rest.iter().flat_map(Answer::ids))
                .map(str::to_owned)
                .collect();
            let (mut touched, mut seen) = (BTreeSet::new(), Vec::new());
            let mut page = api.get_as(&account, "/v1/offers?limit=9").await;
            loop {
                seen.extend(page.ids().into_iter().map(str::to_owned));
                for _ in 0..rng.random_range(0..4) {
                    let id = format!("offer-{:03}", rng.random_range(0..90));
                    let second = rng.random_range(0..60);
                    if rng.random_bool(0.1) && all.contains(&id) && !touched.contains(&id) {
                        let into = all
                            .iter()
                            .find(|other| **other != id && !touched.contains(*other))
                            .unwrap()
                            .clone();
                        retire(&api.db, &id, &into).await;
                        save(&api.db, TestOffer::new(&id)).await;
                        touched.insert(into);
                    } else {
                        let offer = TestOffer::new(&id)
                            .changed_at(&format!("2026-07-{:02}T00:00:{second:02}Z", 2 + round));
                        save(&api.db, offer).await;
                    }
                    touched.insert(id);
                }
                let server = if rng.random_bool(0.5) { &api } else { &other };
                match next(server, &account, "limit=9", &page).await {
                    Some(following) => page = following,
                    None => break,
                }
            }
            assert_eq!(
                seen.iter().collect::<BTreeSet<_>>().len(),
                seen.len(),
                "round {round}: twice"
            );
            for id in all.difference(&touched) {
                assert!(seen.contains(id), "round {round}: {id} was missed");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn all_pages_keep_the_centre_that_the_address_had_on_the_first() {
    support::on_each_database(async |db| {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let api = TestApi::start(db, move |config| {
            config.outside_geocoder = Some(Arc::new(move |_: String| {
                let lat = 50.0
                    + if counter.fetch_add(1, Ordering::SeqCst) == 0 {
                        0.0
                    } else {
                        1.0
                    };
                Box::pin(async move { Some(Location { lat, lng: 15.0 }) })
            }));
        })
        .await;
        let account = api.account(Plan::Pro).await;
        let there: Vec<TestOffer> = offers(10)
            .into_iter()
            .map(|offer| {
                offer.with(|facts| {
                    facts.location = Some(Location {
                        lat: 50.0,
                        lng: 15.0,
                    });
                })
            })
            .collect();
        save_all(&api.db, &there).await;
        let query = "address=Qwxzkj&limit=6";
        let first = api.get_as(&account, &format!("/v1/offers?{query}")).await;
        let second = next(&api, &account, query, &first).await.unwrap();
        assert_eq!((first.ids().len(), second.ids().len()), (6, 4));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        let answer = api
            .get_as(
                &account,
                &format!(
                    "/v1/offers?address=Qwxzk&cursor={}",
                    first.next_cursor().unwrap()
                ),
            )
            .await;
        assert_eq!((answer.status, answer.faulty()), (400, vec!["cursor"]));
    })
    .await;
}

#[tokio::test]
async fn all_pages_of_a_search_for_expired_offers_keep_the_first_pages_window() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        let expired: Vec<TestOffer> = offers(4)
            .into_iter()
            .map(|offer| offer.expired_at("2026-04-15T12:00:30Z"))
            .collect();
        save_all(&api.db, &expired).await;
        let query = "includeInactive=true&limit=2";
        let first = api.get_as(&account, &format!("/v1/offers?{query}")).await;
        api.advance(60);
        let second = next(&api, &account, query, &first).await.unwrap();
        assert_eq!((first.ids().len(), second.ids().len()), (2, 2));
        assert!(
            api.get_as(&account, &format!("/v1/offers?{query}"))
                .await
                .ids()
                .is_empty()
        );
        // An old cursor must not extend the plan's window.
        api.advance(3 * 24 * 3600);
        assert!(
            next(&api, &account, query, &first)
                .await
                .unwrap()
                .ids()
                .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn a_search_for_expired_offers_ends_at_the_plans_window() {
    on_each(async |api| {
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(4)).await;
        let query = "includeInactive=true&limit=2";
        let first = api.get_as(&account, &format!("/v1/offers?{query}")).await;
        schema::store::accounts::set_plan(&api.db, &account.name, Plan::Free)
            .await
            .unwrap();
        api.advance(60);
        assert_eq!(
            next(&api, &account, query, &first).await.unwrap().code(),
            "plan-limit-exceeded"
        );
    })
    .await;
}

/// Cursors that version 0.1.0 wrote for [`offers`]`(6)` with the key [`WRITTEN_WITH`], each with its query and the offers
/// that follow. Every later version must read them.
const WRITTEN_WITH: [u8; 32] = [7; 32];
const WRITTEN: [(&str, &str); 3] = [
    (
        "limit=2",
        "Aa8TSbn1-aGmoEBN6jbcyUkAAAAAAAAABgAAAZ8a-bQAAAAAAAAAAAWAAAAAAAAAAPmaau9mFYrg6uGpAKfMads",
    ),
    (
        "type=apartment&offerType=sale&priceMin=1.5&district=Praha&limit=2",
        "AbUCRTGsnj6-lElo-AV2OBsAAAAAAAAABgAAAZ8a-bQAAAAAAAAAAAWAAAAAAAAAABOYe8uIEg3-VYmxakmKD6Y",
    ),
    (
        "includeInactive=true&lat=50.0755&lng=14.4378&radiusMeters=100000&limit=2",
        "AeqsvOnesbKwsK09QywkrJwAAAAAAAAABgAAAZ8a-bQAAAAAAAAAAAUAAAGfZaXqAERjrMQRGn7uQnWWILa0Nts",
    ),
];

/// Spec, Silent 17: a cursor is stateless: every process reads it.
#[tokio::test]
async fn a_cursor_of_an_older_version_continues_at_its_position() {
    support::on_each_database(async |db| {
        schema::store::secrets::get_or_create(&db, "cursor-key", WRITTEN_WITH)
            .await
            .unwrap();
        let api = TestApi::start(db, |_| ()).await;
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(6)).await;
        let mut written = Vec::new();
        for (query, _) in WRITTEN {
            let first = api.get_as(&account, &format!("/v1/offers?{query}")).await;
            written.push(first.next_cursor().unwrap().to_owned());
        }
        assert_eq!(
            written,
            WRITTEN.map(|(_, cursor)| cursor),
            "the format changed: these cursors must stay readable"
        );
        for (query, cursor) in WRITTEN {
            let first = api.get_as(&account, &format!("/v1/offers?{query}")).await;
            let second = api
                .get_as(&account, &format!("/v1/offers?{query}&cursor={cursor}"))
                .await;
            let third = next(&api, &account, query, &second).await.unwrap();
            let walked = [first.ids(), second.ids(), third.ids()].concat();
            assert_eq!((walked.len(), third.next_cursor()), (6, None), "{query}");
            assert_eq!(walked.iter().collect::<BTreeSet<_>>().len(), 6, "{query}");
        }
    })
    .await;
}

/// Spec, Silent 17: a cursor is stateless: every process reads it.
#[tokio::test]
async fn cursors_work_after_every_process_was_replaced() {
    for database in support::databases().await {
        let mut api = TestApi::start(database.db.clone(), |_| ()).await;
        let account = api.account(Plan::Pro).await;
        save_all(&api.db, &offers(20)).await;
        let first = api.get_as(&account, "/v1/offers?limit=5").await;
        api.stop();
        api.serving.take().unwrap().await.unwrap().unwrap();
        drop(api);
        // Another process draws other random bytes and opens the database again.
        let db = schema::store::Db::open(&schema::store::DatabaseSettings::new(&database.url))
            .await
            .unwrap();
        let later = TestApi::start_with(db, [1; 32]).await;
        let second = next(&later, &account, "limit=50", &first).await.unwrap();
        let walked: BTreeSet<&str> = first.ids().into_iter().chain(second.ids()).collect();
        assert_eq!(
            (walked.len(), second.ids().len()),
            (20, 15),
            "{}",
            database.name
        );
        later.db.close().await;
    }
}
