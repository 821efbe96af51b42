//! Walking sections and reading details.

use std::collections::BTreeMap;
use std::io::Cursor;

use ingest::dumps::{DumpFile, Source};
use ingest::intake;
use schema::ListingState;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::{crawl_lines, listings, lock, raw_listings};

use super::toy::{Reply, Toy, WITH_PAYLOADS, WITH_VALIDATORS};
use super::{Clock, Scrape, crawl, database, live, states};

#[tokio::test]
async fn unchanged_adverts_are_not_requested_again() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(50).await, Clock::new());
        let first = crawl(&db, &toy, &clock).await;
        assert_eq!(
            (
                first.counts().seen,
                first.counts().new,
                first.counts().rejected
            ),
            (50, 50, 0)
        );
        assert_eq!(toy.details_asked(), 50);
        let before = states(&db).await;
        assert_eq!(before.len(), 50);
        assert_eq!(before[&7].listing.attributes.price_total, Some(3_070_000.0));
        assert_eq!(
            before[&7].url.as_deref(),
            Some("https://www.toy.cz/advert/7")
        );
        toy.change(7, |ad| ad.price = 2_900_000);
        let second = crawl(&db, &toy, &clock).await;
        let counts = second.counts();
        assert_eq!(
            (counts.seen, counts.new, counts.changed, counts.gone),
            (50, 0, 1, 0)
        );
        assert_eq!(toy.details_asked(), 1, "only the changed one");
        let after = states(&db).await;
        assert_eq!(after[&7].prices.len(), 2);
        for (number, state) in &after {
            assert!(
                state.last_seen_at >= second.started_at(),
                "{number} was seen again"
            );
            assert_eq!(
                state.last_changed_at == before[number].last_changed_at,
                *number != 7,
                "{number}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn the_steps_of_a_crawl_are_kept_with_it() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(50).await, Clock::new());
        let report = crawl(&db, &toy, &clock).await;
        let lines = crawl_lines::of_run(&db, report.run.id).await.unwrap();
        let words: Vec<&str> = lines.iter().map(|line| line.line.as_str()).collect();
        assert_eq!(words.first(), Some(&"begun"), "{words:?}");
        assert_eq!(words.last(), Some(&"ended: complete"), "{words:?}");
        let of_step = |step: &str| words.iter().filter(|line| line.starts_with(step)).count();
        assert!(of_step("walking section") >= 1, "{words:?}");
        assert_eq!(of_step("reading 50 details"), 1, "{words:?}");
        let last = lines.last().unwrap();
        assert_eq!(
            (last.seen, last.requests),
            (report.counts().seen, report.counts().requests)
        );
    })
    .await;
}

#[tokio::test]
async fn a_detail_is_read_again_within_a_week_and_changes_nothing_if_it_is_the_same() {
    let (database, toy, clock) = (database().await, Toy::with(40).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    let before = states(&database.db).await;
    toy.asked();
    let mut asked = Vec::new();
    for _ in 0..8 {
        clock.pass_hours(24);
        let report = crawl(&database.db, &toy, &clock).await;
        assert_eq!(
            report.counts().changed,
            0,
            "only the view counts have changed"
        );
        asked.push(toy.details_asked());
    }
    assert_eq!(asked[..4].iter().sum::<usize>(), 0, "{asked:?}");
    assert_eq!(asked.iter().sum::<usize>(), 40, "{asked:?}");
    assert!(
        asked.iter().all(|asked| *asked < 40),
        "not all on one day: {asked:?}"
    );
    let changed = |states: BTreeMap<u64, ListingState>| {
        states
            .into_values()
            .map(|state| state.last_changed_at)
            .collect::<Vec<_>>()
    };
    assert_eq!(changed(states(&database.db).await), changed(before));
    let mut tx = database.db.begin_read().await.unwrap();
    for stored in listings::page(&database.db, None, 100).await.unwrap() {
        let contents = raw_listings::of_listing(&mut tx, stored.id).await.unwrap();
        assert_eq!(
            contents.len(),
            1,
            "{}: a new view count is not new content",
            stored.key
        );
    }
    tx.rollback().await.unwrap();
}

#[tokio::test]
async fn a_portal_with_validators_answers_not_modified() {
    let (database, toy, clock) = (database().await, Toy::with(12).await, Clock::new());
    Scrape::new(&database.db, &toy, &clock)
        .at(WITH_VALIDATORS)
        .run()
        .await;
    let first = states(&database.db).await;
    toy.state().requests.clear();
    clock.pass_hours(8 * 24);
    toy.change(3, |ad| ad.text = "Nabídka číslo 3 se slevou".to_owned());
    let report = Scrape::new(&database.db, &toy, &clock)
        .at(WITH_VALIDATORS)
        .run()
        .await;
    assert_eq!(report.outcome(), RunOutcome::Complete);
    let requests = std::mem::take(&mut toy.state().requests);
    let asked = requests
        .iter()
        .filter(|request| request.path.starts_with("/advert/"));
    assert_eq!(asked.clone().count(), 12);
    assert!(
        asked
            .into_iter()
            .all(|request| request.if_none_match.is_some())
    );
    let after = states(&database.db).await;
    let changed: Vec<_> = after
        .iter()
        .filter(|(number, state)| state.listing != first[number].listing)
        .collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(
        after
            .values()
            .all(|state| state.last_seen_at >= report.started_at())
    );
}

#[tokio::test]
async fn index_pages_that_carry_payloads_need_no_details() {
    let (database, toy, clock) = (database().await, Toy::with(50).await, Clock::new());
    for changed in [50, 0] {
        let report = Scrape::new(&database.db, &toy, &clock)
            .at(WITH_PAYLOADS)
            .run()
            .await;
        assert_eq!(report.outcome(), RunOutcome::Complete);
        assert_eq!(report.counts().new, changed);
        assert_eq!(toy.details_asked(), 0);
        clock.pass_hours(1);
    }
    toy.change(2, |ad| ad.text.push_str(" Nově."));
    let report = Scrape::new(&database.db, &toy, &clock)
        .at(WITH_PAYLOADS)
        .run()
        .await;
    assert_eq!((report.counts().changed, toy.details_asked()), (1, 0));
}

#[tokio::test]
async fn a_long_section_is_split() {
    let (database, toy, clock) = (database().await, Toy::with(140).await, Clock::new());
    assert_eq!(crawl(&database.db, &toy, &clock).await.counts().seen, 140);
    let asked = toy.asked();
    assert!(
        asked.iter().any(|path| path.contains("half=1")),
        "{asked:?}"
    );
    assert!(
        !asked.iter().any(|path| path.ends_with("kind=flats&page=1")),
        "{asked:?}"
    );
}

#[tokio::test]
async fn a_stopped_crawl_is_resumed_where_it_was() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(100).await, Clock::new());
        let scrape = Scrape::new(&db, &toy, &clock).with(|options| options.concurrency = Some(1));
        let stop = scrape.stop.clone();
        let mut details = 0;
        toy.intercept(move |request| {
            details += usize::from(request.path.starts_with("/advert/"));
            if details == 70 {
                stop.cancel();
            }
            None
        });
        let stopped = scrape.run().await;
        assert_eq!(stopped.outcome(), RunOutcome::Stopped);
        assert_eq!(toy.details_asked(), 70);
        assert_eq!(states(&db).await.len(), 70, "what had been read is stored");
        toy.stop_intercepting();
        clock.pass_hours(2);
        let report = Scrape::new(&db, &toy, &clock).run().await;
        assert!(report.resumed);
        assert_eq!(report.outcome(), RunOutcome::Complete);
        assert_eq!(report.started_at(), stopped.started_at());
        assert_eq!((report.counts().seen, report.counts().new), (100, 100));
        let (before, here) = (
            stopped.counts_of_this_process(),
            report.counts_of_this_process(),
        );
        assert_eq!((before.seen, before.new, stopped.read), (100, 70, 70));
        assert_eq!((here.seen, here.new, report.read), (0, 30, 30));
        let asked = toy.asked();
        assert_eq!(
            asked.len(),
            30,
            "no section is walked twice and no detail is read twice: {asked:?}"
        );
        assert_eq!(
            crawl_runs::list(&db, Some("sreality"), 10)
                .await
                .unwrap()
                .len(),
            1
        );
    })
    .await;
}

#[tokio::test]
async fn a_crawl_that_was_killed_within_a_section_is_resumed_at_its_page() {
    let (database, toy, clock) = (database().await, Toy::with(100).await, Clock::new());
    // The process dies while page 2 is requested, and loses what it has in memory.
    let (told, waiting) = tokio::sync::oneshot::channel();
    let mut told = Some(told);
    toy.intercept(move |request| {
        if request.path.ends_with("page=2") {
            let _ = told.take().map(|told| told.send(()));
        }
        None
    });
    tokio::select! {
        biased;
        _ = waiting => {}
        _ = Scrape::new(&database.db, &toy, &clock).run() => panic!("the crawl should have been killed"),
    }
    toy.stop_intercepting();
    toy.asked();
    let lock = lock::try_crawl(&database.db, "sreality").await.unwrap();
    assert!(lock.is_some(), "the lock is free again");
    drop(lock);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert!(report.resumed);
    assert_eq!(
        (report.outcome(), report.counts().seen),
        (RunOutcome::Complete, 100)
    );
    let lists: Vec<_> = toy
        .asked()
        .into_iter()
        .filter(|path| path.starts_with("/list"))
        .collect();
    assert_eq!(
        lists.first().map(String::as_str),
        Some("/list?kind=flats&page=2"),
        "{lists:?}"
    );
    clock.pass_hours(13);
    let runs = crawl_runs::list(&database.db, None, 10).await.unwrap();
    assert_eq!(runs.len(), 1);
}

#[tokio::test]
async fn an_old_interrupted_crawl_is_not_resumed() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    let scrape = Scrape::new(&database.db, &toy, &clock);
    scrape.stop.cancel();
    assert_eq!(scrape.run().await.outcome(), RunOutcome::Stopped);
    clock.pass_hours(13);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert!(!report.resumed);
    assert_eq!(report.outcome(), RunOutcome::Complete);
}

#[tokio::test]
async fn a_limited_crawl_ends_no_listing() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change_all(|number, ad| ad.listed = number != 5);
    let scrape =
        Scrape::new(&database.db, &toy, &clock).with(|options| options.max_listings = Some(10));
    let report = scrape.run().await;
    assert_eq!(
        (report.outcome(), report.counts().seen),
        (RunOutcome::Partial, 10)
    );
    assert_eq!(live(&database.db).await.len(), 30);
    clock.pass_hours(1);
    let next = Scrape::new(&database.db, &toy, &clock).run().await;
    assert!(!next.resumed, "a limited crawl is never resumed");
    assert_eq!(next.outcome(), RunOutcome::Complete);
}

#[tokio::test]
async fn a_portal_is_crawled_by_one_process_at_a_time() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(1).await, Clock::new());
        let lock = lock::try_crawl(&db, "sreality").await.unwrap();
        assert!(lock.is_some());
        let refused = Scrape::new(&db, &toy, &clock)
            .attempt()
            .await
            .unwrap_err()
            .to_string();
        assert!(refused.contains("already"), "{refused}");
        assert!(
            lock::try_crawl(&db, "idnes").await.unwrap().is_some(),
            "another portal is free"
        );
        lock.unwrap().release().await.unwrap();
        crawl(&db, &toy, &clock).await;
    })
    .await;
}

#[tokio::test]
async fn a_replay_of_the_dump_ends_where_the_crawls_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (crawled, replayed) = (database().await, database().await);
    let (toy, clock) = (Toy::with(60).await, Clock::new());
    let mut dumps = Vec::new();
    for (day, name) in ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst"]
        .into_iter()
        .enumerate()
    {
        let path = folder.path().join(name);
        let mut scrape = Scrape::new(&crawled.db, &toy, &clock);
        scrape.dump = Some(DumpFile::open(&path).unwrap());
        assert_eq!(scrape.run().await.outcome(), RunOutcome::Complete);
        dumps.push(path);
        let day = day as u64;
        toy.change_all(|number, ad| {
            ad.price += u64::from(number % 7 == day) * 50_000;
            (ad.listed, ad.status) = if number % 9 == day {
                (false, 404)
            } else {
                (true, 200)
            };
        });
        clock.pass_hours(24);
    }
    let sources = ingest::dumps::find_sources(&dumps).unwrap();
    let report = intake::replay(&replayed.db, sources, clock.now(), &mut |_| ())
        .await
        .unwrap();
    assert!(report.is_complete());
    let states_of_crawl = states(&crawled.db).await;
    assert!(
        states_of_crawl.values().any(|state| !state.is_live())
            && states_of_crawl.values().any(|state| state.prices.len() > 1)
    );
    assert_eq!(states(&replayed.db).await, states_of_crawl);
    let again = Source::stream("-", Cursor::new(std::fs::read(&dumps[2]).unwrap()));
    intake::replay(&crawled.db, vec![again], clock.now(), &mut |_| ())
        .await
        .unwrap();
    assert_eq!(
        states(&crawled.db).await,
        states_of_crawl,
        "the dump has nothing that the crawl did not store"
    );
}

#[tokio::test]
async fn an_unreadable_detail_is_rejected_and_the_advert_still_counts_as_seen() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change(4, |ad| ad.price += 1_000);
    toy.intercept(|request| {
        (request.path == "/advert/4").then(|| Reply::new(200, r#"{"nonsense": 1}"#))
    });
    let report = crawl(&database.db, &toy, &clock).await;
    assert_eq!(report.counts().rejected, 1);
    let state = states(&database.db).await.remove(&4).unwrap();
    assert!(
        state.is_live() && state.last_seen_at >= report.started_at(),
        "{state:?}"
    );
}

#[tokio::test]
async fn new_and_changed_adverts_are_read_before_those_that_are_only_old() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    clock.pass_hours(8 * 24);
    toy.change(25, |ad| ad.price += 10_000);
    let new = toy.state().ads[&30].clone();
    toy.state().ads.insert(99, new);
    toy.asked();
    let report = Scrape::new(&database.db, &toy, &clock)
        .with(|options| options.concurrency = Some(1))
        .run()
        .await;
    assert_eq!(report.outcome(), RunOutcome::Complete);
    let details = toy.asked();
    let mut details = details
        .iter()
        .filter_map(|path| path.strip_prefix("/advert/"));
    assert_eq!((details.next(), details.next()), (Some("25"), Some("99")));
    assert_eq!(details.count(), 29);
}

#[tokio::test]
async fn the_operator_sets_how_long_a_detail_is_valid() {
    let (database, toy, clock) = (database().await, Toy::with(12).await, Clock::new());
    let crawl = async || {
        let monthly = |options: &mut ingest::crawl::CrawlOptions| {
            options.reread_after = Some(std::time::Duration::from_hours(30 * 24));
        };
        let scrape = Scrape::new(&database.db, &toy, &clock).with(monthly);
        assert_eq!(scrape.run().await.outcome(), RunOutcome::Complete);
        toy.details_asked()
    };
    assert_eq!(crawl().await, 12);
    clock.pass_hours(20 * 24);
    assert_eq!(crawl().await, 0);
    clock.pass_hours(10 * 24);
    assert_eq!(crawl().await, 12);
}

#[tokio::test]
async fn a_crawl_may_take_longer_than_twelve_hours() {
    let (database, toy, clock) = (database().await, Toy::with(90).await, Clock::new());
    let mut started_at = None;
    for limit in [20, 50] {
        let scrape =
            Scrape::new(&database.db, &toy, &clock).with(|options| options.concurrency = Some(1));
        let stop = scrape.stop.clone();
        let mut requests = 0;
        toy.intercept(move |_| {
            requests += 1;
            if requests == limit {
                stop.cancel();
            }
            None
        });
        let report = scrape.run().await;
        assert_eq!(report.outcome(), RunOutcome::Stopped);
        assert!(started_at.is_none_or(|at| at == report.started_at()));
        started_at = Some(report.started_at());
        clock.pass_hours(11);
    }
    toy.stop_intercepting();
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert!(report.resumed);
    assert_eq!(
        (report.outcome(), Some(report.started_at())),
        (RunOutcome::Complete, started_at)
    );
}
