//! Which answers and crawls end a listing, and which do not.

use schema::store::crawl_runs::RunOutcome;
use schema::store::{Db, listings, observations};
use schema::{ListingKey, Timestamp};

use super::toy::{Reply, Toy, WITH_PAGES};
use super::{Clock, Scrape, crawl, database, live, states};

/// How the portal said that a listing was gone.
async fn reason(db: &Db, number: u64) -> Option<(Timestamp, String)> {
    let mut tx = db.begin_read().await.unwrap();
    let key = ListingKey::new("sreality", number.to_string());
    let stored = listings::load(&mut tx, std::slice::from_ref(&key))
        .await
        .unwrap()
        .remove(&key)?;
    let reasons = observations::reasons_of_disappearances(&mut tx, stored.id)
        .await
        .unwrap();
    tx.rollback().await.unwrap();
    reasons.into_iter().max()
}

#[tokio::test]
async fn the_portals_answer_ends_a_listing() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(40).await, Clock::new());
        crawl(&db, &toy, &clock).await;
        // In no section: one gone, one still there. In a section and changed: one gone.
        toy.change(1, |ad| (ad.listed, ad.status) = (false, 410));
        toy.change(2, |ad| ad.listed = false);
        toy.change(3, |ad| (ad.price, ad.status) = (1_000_000, 404));
        let report = crawl(&db, &toy, &clock).await;
        assert_eq!(report.counts().gone, 2);
        let states = states(&db).await;
        assert!(!states[&1].is_live() && states[&2].is_live() && !states[&3].is_live());
        assert!(
            states[&2].last_seen_at >= report.started_at(),
            "its own page shows it"
        );
        assert_eq!(
            reason(&db, 1).await,
            states[&1].gone_at.map(|at| (at, "HTTP 410".to_owned()))
        );
        assert_eq!(reason(&db, 3).await.unwrap().1, "HTTP 404");
        // A listing that returns is live again.
        toy.change(1, |ad| (ad.listed, ad.status) = (true, 200));
        let back = crawl(&db, &toy, &clock).await;
        assert_eq!((back.counts().changed, back.counts().new), (1, 0));
        assert!(live(&db).await.contains(&1));
    })
    .await;
}

#[tokio::test]
async fn many_ends_in_one_crawl_raise_an_alarm_until_an_operator_accepts_them() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    let db = &database.db;
    crawl(db, &toy, &clock).await;
    toy.asked();
    toy.change_all(|number, ad| {
        (ad.listed, ad.status) = if number > 39 {
            (false, 404)
        } else {
            (true, 200)
        }
    });
    let report = Scrape::new(db, &toy, &clock).run().await;
    assert_eq!(report.outcome(), RunOutcome::Alarm);
    let trouble = report.trouble().unwrap();
    assert!(
        trouble.contains("of 60 live listings, the portal says that 0 are gone and 21 more are in no section; one crawl ends at most 20"),
        "{trouble}"
    );
    assert_eq!(toy.details_asked(), 0, "no detail is requested");
    assert_eq!(live(db).await.len(), 60);
    clock.pass_hours(1);
    let accepted = Scrape::new(db, &toy, &clock)
        .with(|options| options.accept_withdrawals = true)
        .run()
        .await;
    assert_eq!(
        (accepted.outcome(), accepted.counts().gone),
        (RunOutcome::Complete, 21)
    );
    assert_eq!(live(db).await.len(), 39);
}

#[tokio::test]
async fn pages_that_all_say_gone_raise_an_alarm() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    clock.pass_hours(8 * 24);
    toy.intercept(|request| {
        request
            .path
            .starts_with("/advert/")
            .then(|| Reply::new(404, ""))
    });
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        report.outcome(),
        RunOutcome::Alarm,
        "{:?}",
        report.trouble()
    );
    assert_eq!(live(&database.db).await.len(), 60);
    // Once the portal is repaired, the crawl is complete again.
    toy.stop_intercepting();
    clock.pass_hours(1);
    crawl(&database.db, &toy, &clock).await;
}

#[tokio::test]
async fn an_error_does_not_end_listings() {
    let (database, toy, clock) = (database().await, Toy::with(60).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change(1, |ad| (ad.listed, ad.status) = (false, 404));
    toy.intercept(|request| request.path.contains("houses").then(|| Reply::new(503, "")));
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(report.outcome(), RunOutcome::Failed);
    assert!(
        report.trouble().unwrap().contains("HTTP 503"),
        "{:?}",
        report.trouble()
    );
    assert_eq!(live(&database.db).await.len(), 60);
    toy.stop_intercepting();
    clock.pass_hours(1);
    let next = Scrape::new(&database.db, &toy, &clock).run().await;
    assert!(next.resumed);
    assert_eq!(
        (next.outcome(), next.counts().gone),
        (RunOutcome::Complete, 1)
    );
}

#[tokio::test]
async fn an_unclear_answer_leaves_its_listing_alone() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    toy.change(1, |ad| (ad.listed, ad.status) = (false, 403));
    toy.change(2, |ad| (ad.listed, ad.status) = (false, 404));
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        (report.outcome(), report.counts().gone),
        (RunOutcome::Partial, 1)
    );
    assert!(
        report.trouble().unwrap().starts_with("1 listings"),
        "{:?}",
        report.trouble()
    );
    assert!(live(&database.db).await.contains(&1));
}

/// Replays a dump of sales without addresses, seen now. Each has a number and a kind.
async fn replay(db: &Db, clock: &Clock, sales: &[(u64, &str)]) {
    let now = clock.now();
    let line = |(number, kind): &(u64, &str)| {
        format!(
            r#"{{"siteId":"sreality","offerId":"{number}","observedAt":"{now}","url":null,
            "listing":{{"offerType":"sale"{kind}}}}}"#
        )
        .replace('\n', " ")
    };
    let lines = sales.iter().map(line).collect::<Vec<_>>().join("\n");
    let source = ingest::dumps::Source::stream("-", std::io::Cursor::new(lines));
    ingest::intake::replay(db, vec![source], clock.now(), &mut |_| ())
        .await
        .unwrap();
}

const FLAT: &str = r#","type":"apartment""#;
const LAND: &str = r#","type":"land""#;

#[tokio::test]
async fn a_listing_without_an_address_ends_with_the_complete_crawl_that_does_not_show_it() {
    let (database, toy, clock) = (database().await, Toy::with(10).await, Clock::new());
    let db = &database.db;
    let by_address = || Scrape::new(db, &toy, &clock).at(WITH_PAGES);
    by_address().run().await;
    toy.asked();
    replay(db, &clock, &[(900, FLAT), (901, LAND), (902, "")]).await;
    toy.intercept(|request| request.path.contains("houses").then(|| Reply::new(503, "")));
    clock.pass_hours(1);
    assert_eq!(by_address().run().await.outcome(), RunOutcome::Failed);
    assert!(live(db).await.contains(&900), "the crawl was not complete");
    toy.stop_intercepting();
    let report = by_address().run().await;
    assert_eq!(
        (report.outcome(), report.counts().gone),
        (RunOutcome::Complete, 1)
    );
    assert_eq!(toy.details_asked(), 0, "no address can be requested");
    let live_now = live(db).await;
    assert!(!live_now.contains(&900) && live_now.contains(&901) && live_now.contains(&902));
    // The limit on ends counts these too.
    let many: Vec<(u64, &str)> = (1_000..1_021).map(|number| (number, FLAT)).collect();
    replay(db, &clock, &many).await;
    clock.pass_hours(1);
    assert_eq!(by_address().run().await.outcome(), RunOutcome::Alarm);
    assert!(live(db).await.contains(&1_000));
}

#[tokio::test]
async fn a_listing_of_a_dump_that_no_section_shows_is_requested() {
    let (database, toy, clock) = (database().await, Toy::with(10).await, Clock::new());
    replay(&database.db, &clock, &[(900, ""), (901, LAND)]).await;
    let report = crawl(&database.db, &toy, &clock).await;
    assert_eq!(report.counts().gone, 1);
    let states = states(&database.db).await;
    assert!(
        !states[&900].is_live(),
        "it may be of a kind that the sections show"
    );
    assert!(states[&901].is_live(), "no section shows land");
}
