//! Adverts and sections for which the portal fails, and portals that ask for time.

use std::time::Duration;

use ingest::crawl::CrawlReport;
use schema::store::crawl_runs::RunOutcome;

use super::toy::{Reply, Toy};
use super::{Clock, Scrape, crawl, database, live, states};

/// The portal fails for these adverts.
fn fail(toy: &Toy, numbers: &'static [u64]) {
    toy.intercept(|request| {
        let number = request.path.strip_prefix("/advert/")?.parse().ok()?;
        numbers.contains(&number).then(|| Reply::new(500, ""))
    });
}

#[tokio::test]
async fn an_advert_that_always_fails_is_passed_over() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    fail(&toy, &[10]);
    let first = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        (first.outcome(), first.counts().new),
        (RunOutcome::Complete, 29)
    );
    let trouble = first.trouble().unwrap();
    assert!(
        trouble.contains("for 1 adverts, which were passed over")
            && trouble.contains("/advert/10 failed"),
        "{trouble}"
    );
    // It is asked for again in the next crawl.
    toy.stop_intercepting();
    clock.pass_hours(24);
    assert_eq!(crawl(&database.db, &toy, &clock).await.counts().new, 1);
}

#[tokio::test]
async fn a_removed_advert_that_fails_does_not_keep_others_from_ending() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change(1, |ad| ad.listed = false);
    toy.change(2, |ad| (ad.listed, ad.status) = (false, 404));
    fail(&toy, &[1]);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        (report.outcome(), report.counts().gone),
        (RunOutcome::Partial, 1)
    );
    let live = live(&database.db).await;
    assert!(live.contains(&1) && !live.contains(&2));
}

async fn one_by_one(scrape: Scrape<'_>) -> CrawlReport {
    scrape
        .with(|options| options.concurrency = Some(1))
        .run()
        .await
}

#[tokio::test]
async fn five_failures_in_a_row_stop_a_crawl_and_the_next_one_gets_past_them() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    // Adverts are requested in the order of their numbers as texts.
    fail(&toy, &[10, 11, 12, 13, 14]);
    let stopped = one_by_one(Scrape::new(&database.db, &toy, &clock)).await;
    assert_eq!(stopped.outcome(), RunOutcome::Failed);
    let trouble = stopped.trouble().unwrap();
    assert!(trouble.contains("5 in a row"), "{trouble}");
    let next = one_by_one(Scrape::new(&database.db, &toy, &clock)).await;
    assert!(next.resumed);
    assert_eq!(
        (next.outcome(), states(&database.db).await.len()),
        (RunOutcome::Complete, 25)
    );
}

#[tokio::test]
async fn a_section_that_does_not_exist_leaves_the_others_going() {
    let (database, toy, clock) = (database().await, Toy::with(40).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    // A flat and a house are gone, and the portal has no list of houses.
    for number in [1, 4] {
        toy.change(number, |ad| (ad.listed, ad.status) = (false, 404));
    }
    toy.intercept(|request| request.path.contains("houses").then(|| Reply::new(404, "")));
    clock.pass_hours(1);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        (report.outcome(), report.counts().gone),
        (RunOutcome::Partial, 1)
    );
    let trouble = report.trouble().unwrap();
    assert!(
        trouble.contains("section houses does not exist"),
        "{trouble}"
    );
    let still = live(&database.db).await;
    assert!(!still.contains(&1) && still.contains(&4));
    assert_eq!(still.len(), 39, "no house ends for being absent");
    toy.stop_intercepting();
    clock.pass_hours(1);
    assert_eq!(crawl(&database.db, &toy, &clock).await.counts().gone, 1);
}

#[tokio::test]
async fn a_portal_without_any_section_raises_an_alarm() {
    let (database, toy, clock) = (database().await, Toy::with(40).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.intercept(|request| {
        request
            .path
            .starts_with("/list")
            .then(|| Reply::new(404, ""))
    });
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        report.outcome(),
        RunOutcome::Alarm,
        "{:?}",
        report.trouble()
    );
    assert_eq!(live(&database.db).await.len(), 40);
}

#[tokio::test]
async fn adverts_that_a_list_has_just_shown_and_that_are_all_gone_raise_an_alarm() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    toy.change_all(|_, ad| ad.status = 404);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(report.outcome(), RunOutcome::Alarm);
    let trouble = report.trouble().unwrap();
    assert!(
        trouble.starts_with("60 of 60 adverts that the lists showed"),
        "{trouble}"
    );
    assert!(trouble.contains("https://www.toy.cz/advert/"), "{trouble}");
}

/// A portal of 200 adverts of which 47 are gone, crawled again after this time.
async fn with_many_gone_after(hours: i64) -> (RunOutcome, String, usize) {
    let (database, toy, clock) = (database().await, Toy::with(200).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change_all(|number, ad| {
        if number <= 47 {
            (ad.listed, ad.status) = (false, 404);
        }
    });
    clock.pass_hours(hours);
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    let trouble = report.trouble().unwrap_or_default().to_owned();
    (report.outcome(), trouble, live(&database.db).await.len())
}

#[tokio::test]
async fn the_longer_no_crawl_was_complete_the_more_listings_may_end() {
    let (outcome, trouble, live) = with_many_gone_after(1).await;
    assert_eq!((outcome, live), (RunOutcome::Alarm, 200));
    assert!(
        trouble.contains("at most 30, a day after")
            && trouble.contains("For example: sreality/1, "),
        "{trouble}"
    );
    let (outcome, _, live) = with_many_gone_after(3 * 24).await;
    assert_eq!((outcome, live), (RunOutcome::Complete, 153));
}

#[tokio::test]
async fn a_portal_that_asks_for_time_is_not_asked_before() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(6).await, Clock::new());
        toy.intercept(|request| {
            request
                .path
                .starts_with("/list")
                .then(|| Reply::new(429, "").with("retry-after", "3600"))
        });
        let refused = Scrape::new(&db, &toy, &clock).run().await;
        assert_eq!(refused.outcome(), RunOutcome::Failed);
        let until = refused.not_before.expect("the portal said when");
        let wait = until.millis() - refused.started_at().millis();
        assert!((3_600_000..3_601_000).contains(&wait), "{wait}");
        toy.stop_intercepting();
        toy.asked();
        // Every process knows it, also after a restart.
        let too_early = Scrape::new(&db, &toy, &clock).attempt().await.unwrap_err();
        assert!(
            too_early.to_string().contains(&until.to_string()),
            "{too_early}"
        );
        assert_eq!(toy.asked(), Vec::<String>::new());
        clock.pass_hours(1);
        let report = Scrape::new(&db, &toy, &clock).run().await;
        assert_eq!(
            (report.outcome(), report.not_before),
            (RunOutcome::Complete, None)
        );
    })
    .await;
}

#[tokio::test]
async fn a_crawl_that_ends_while_the_portal_asks_for_time_passes_that_on() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(6).await, Clock::new());
        let scrape = Scrape::new(&db, &toy, &clock);
        let stop = scrape.stop.clone();
        toy.intercept(move |request| {
            let is_list = request.path.starts_with("/list");
            if is_list {
                // The crawl is stopped while it waits.
                let stop = stop.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    stop.cancel();
                });
            }
            is_list.then(|| Reply::new(429, "").with("retry-after", "600"))
        });
        let stopped = scrape.run().await;
        assert_eq!(stopped.outcome(), RunOutcome::Stopped);
        assert!(stopped.not_before.is_some());
        toy.stop_intercepting();
        toy.asked();
        let too_early = Scrape::new(&db, &toy, &clock).attempt().await;
        assert!(too_early.is_err(), "{too_early:?}");
        assert_eq!(toy.asked(), Vec::<String>::new());
        clock.pass_hours(1);
        let report = Scrape::new(&db, &toy, &clock).run().await;
        assert_eq!(report.outcome(), RunOutcome::Complete);
    })
    .await;
}
