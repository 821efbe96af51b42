//! Crawls that only walk the lists.

use ingest::crawl::CrawlReport;
use ingest::dumps::DumpFile;
use ingest::intake;
use schema::store::Db;
use schema::store::crawl_runs::RunOutcome;

use super::toy::{Ad, Reply, Toy};
use super::{Clock, Scrape, crawl, database, live, states};

fn of_lists<'a>(db: &'a Db, toy: &'a Toy, clock: &'a Clock) -> Scrape<'a> {
    Scrape::new(db, toy, clock).with(|options| options.lists_only = true)
}

async fn crawl_of_lists(db: &Db, toy: &Toy, clock: &Clock) -> CrawlReport {
    let report = of_lists(db, toy, clock).run().await;
    assert_eq!(
        (report.outcome().as_str(), report.trouble()),
        ("complete", None)
    );
    assert!(report.run.lists_only);
    clock.pass_hours(1);
    report
}

/// An advert goes, another changes its price, and a new one appears.
fn change(toy: &Toy) {
    toy.change(5, |ad| (ad.listed, ad.status) = (false, 404));
    toy.change(3, |ad| ad.price += 100_000);
    let new = toy.state().ads[&2].clone();
    toy.state().ads.insert(
        21,
        Ad {
            text: "Nový.".to_owned(),
            ..new
        },
    );
}

#[tokio::test]
async fn a_crawl_of_lists_finds_ends_and_reads_no_details() {
    support::on_each_database(async |db| {
        let (toy, clock) = (Toy::with(20).await, Clock::new());
        crawl(&db, &toy, &clock).await;
        change(&toy);
        toy.asked();
        let report = crawl_of_lists(&db, &toy, &clock).await;
        let details: Vec<String> = toy
            .asked()
            .into_iter()
            .filter(|path| path.starts_with("/advert/"))
            .collect();
        assert_eq!(details, ["/advert/5"], "only the missing one is asked for");
        let between = states(&db).await;
        assert!(!between[&5].is_live());
        assert!(between[&3].is_live() && between[&3].last_seen_at >= report.started_at());
        assert_eq!(between[&3].prices.len(), 1, "its detail was not read");
        assert!(!between.contains_key(&21));
        crawl(&db, &toy, &clock).await;
        let after = states(&db).await;
        assert_eq!(after[&3].prices.len(), 2);
        assert!(after[&21].is_live());
        assert_eq!(live(&db).await.len(), 20);
    })
    .await;
}

#[tokio::test]
async fn a_replay_of_the_dump_of_a_crawl_of_lists_ends_where_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (crawled, replayed) = (database().await, database().await);
    let (toy, clock) = (Toy::with(20).await, Clock::new());
    let mut dumps = Vec::new();
    for lists_only in [false, true, false, true] {
        let path = folder.path().join(format!("{}.jsonl", dumps.len()));
        let mut scrape = Scrape::new(&crawled.db, &toy, &clock);
        scrape.options.lists_only = lists_only;
        scrape.dump = Some(DumpFile::open(&path).unwrap());
        assert_eq!(scrape.run().await.outcome(), RunOutcome::Complete);
        dumps.push(path);
        clock.pass_hours(6);
        change(&toy);
    }
    let sources = ingest::dumps::find_sources(&dumps).unwrap();
    intake::replay(&replayed.db, sources, clock.now(), &mut |_| ())
        .await
        .unwrap();
    assert_eq!(states(&replayed.db).await, states(&crawled.db).await);
}

#[tokio::test]
async fn what_a_crawl_of_lists_finds_changed_is_read_before_what_is_only_old() {
    let (database, toy, clock) = (database().await, Toy::with(20).await, Clock::new());
    crawl(&database.db, &toy, &clock).await;
    clock.pass_hours(8 * 24);
    toy.change(19, |ad| ad.price += 100_000);
    crawl_of_lists(&database.db, &toy, &clock).await;
    crawl_of_lists(&database.db, &toy, &clock).await;
    toy.asked();
    crawl(&database.db, &toy, &clock).await;
    let asked = toy.asked();
    let first = asked.iter().find(|path| path.starts_with("/advert/"));
    assert_eq!(first.map(String::as_str), Some("/advert/19"));
}

#[tokio::test]
async fn a_crawl_of_lists_continues_an_interrupted_crawl_with_its_details() {
    let (database, toy, clock) = (database().await, Toy::with(20).await, Clock::new());
    let scrape = Scrape::new(&database.db, &toy, &clock);
    let stop = scrape.stop.clone();
    toy.intercept(move |request| {
        if request.path.starts_with("/advert/") {
            stop.cancel();
        }
        None::<Reply>
    });
    assert_eq!(scrape.run().await.outcome(), RunOutcome::Stopped);
    toy.stop_intercepting();
    let report = of_lists(&database.db, &toy, &clock).run().await;
    assert!(report.resumed && !report.run.lists_only);
    assert_eq!(live(&database.db).await.len(), 20);
}
