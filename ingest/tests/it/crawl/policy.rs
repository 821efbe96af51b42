//! The crawl policy, robots.txt, retries and redirects.

use std::time::{Duration, Instant};

use schema::store::crawl_runs::RunOutcome;

use super::toy::{CLOSED, Reply, Toy};
use super::{Clock, Scrape, database, live};

#[tokio::test]
async fn requests_keep_the_pace_and_carry_the_contact() {
    let (database, toy, clock) = (database().await, Toy::with(12).await, Clock::new());
    let pace = Duration::from_millis(40);
    let began = Instant::now();
    Scrape::new(&database.db, &toy, &clock)
        .with(|options| options.pace = Some(pace))
        .run()
        .await;
    let requests = std::mem::take(&mut toy.state().requests);
    assert_eq!(requests.len(), 15, "robots.txt, two lists, twelve details");
    for (number, request) in (0..).zip(&requests) {
        assert!(
            request.at - began >= pace * number,
            "request {number} came after {:?}",
            request.at - began
        );
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            request.user_agent,
            format!("jeden/{version} (+crawler@example.org)")
        );
    }
}

#[tokio::test]
async fn a_retry_after_pauses_every_request() {
    let (database, toy, clock) = (database().await, Toy::with(40).await, Clock::new());
    let mut refused = false;
    toy.intercept(move |request| {
        let first = !refused && request.path == "/advert/2";
        refused |= first;
        first.then(|| Reply::new(429, "").with("retry-after", "1"))
    });
    // Without the pause, the other details would be requested in this time, because together they take longer.
    let slow =
        |options: &mut ingest::crawl::CrawlOptions| options.pace = Some(Duration::from_millis(50));
    let report = Scrape::new(&database.db, &toy, &clock)
        .with(slow)
        .run()
        .await;
    assert_eq!(report.outcome(), RunOutcome::Complete);
    let requests = std::mem::take(&mut toy.state().requests);
    let asked: Vec<_> = requests
        .iter()
        .filter(|request| request.path == "/advert/2")
        .map(|request| request.at)
        .collect();
    let [refused, again] = asked.as_slice() else {
        panic!("asked {} times", asked.len())
    };
    assert!(
        *again - *refused >= Duration::from_millis(990),
        "{:?}",
        *again - *refused
    );
    let longest = requests
        .windows(2)
        .map(|pair| pair[1].at - pair[0].at)
        .max();
    assert!(
        longest >= Some(Duration::from_millis(800)),
        "other requests must pause too: {longest:?}"
    );
}

#[tokio::test]
async fn a_retry_after_that_is_too_long_fails_the_crawl() {
    let (database, toy, clock) = (database().await, Toy::with(6).await, Clock::new());
    toy.intercept(|request| {
        request
            .path
            .starts_with("/list")
            .then(|| Reply::new(503, "").with("retry-after", "7200"))
    });
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(report.outcome(), RunOutcome::Failed);
    assert!(
        report.trouble().unwrap().contains("come back in 7200 s"),
        "{:?}",
        report.trouble()
    );
    assert_eq!(toy.asked().len(), 1);
}

#[tokio::test]
async fn errors_and_broken_connections_are_retried() {
    let (database, toy, clock) = (database().await, Toy::with(30).await, Clock::new());
    let mut asked = std::collections::HashMap::<String, u32>::new();
    toy.intercept(move |request| {
        let times = asked.entry(request.path.clone()).or_default();
        *times += 1;
        match *times {
            1 => Some(Reply::new(500, "")),
            2 => Some(Reply {
                cut: true,
                ..Reply::new(200, "")
            }),
            _ => None,
        }
    });
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(
        (report.outcome(), report.counts().new),
        (RunOutcome::Complete, 30)
    );
    assert_eq!(report.counts().requests, 3 * 34, "{:?}", report.counts());
}

#[tokio::test]
async fn robots_txt_is_obeyed() {
    let (database, toy, clock) = (database().await, Toy::with(6).await, Clock::new());
    toy.state().robots = Reply::new(200, "User-agent: *\nDisallow: /advert/\n");
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(report.outcome(), RunOutcome::Alarm);
    assert!(
        report.trouble().unwrap().contains("Disallow: /advert/"),
        "{:?}",
        report.trouble()
    );
    assert_eq!(toy.details_asked(), 0);
    // With the portal's permission, it is ignored.
    let permission =
        |options: &mut ingest::crawl::CrawlOptions| options.permission = Some("ours".to_owned());
    let report = Scrape::new(&database.db, &toy, &clock)
        .with(permission)
        .run()
        .await;
    assert_eq!(report.outcome(), RunOutcome::Complete);
    assert!(
        toy.state()
            .requests
            .iter()
            .all(|request| request.path != "/robots.txt")
    );
}

#[tokio::test]
async fn a_robots_txt_that_cannot_be_fetched_forbids_everything() {
    let (database, toy, clock) = (database().await, Toy::with(6).await, Clock::new());
    toy.state().robots = Reply::new(500, "");
    let report = Scrape::new(&database.db, &toy, &clock).run().await;
    assert_eq!(report.outcome(), RunOutcome::Failed);
    assert!(
        report
            .trouble()
            .unwrap()
            .contains("robots.txt cannot be fetched"),
        "{:?}",
        report.trouble()
    );
    assert_eq!(toy.asked(), Vec::<String>::new());
}

#[tokio::test]
async fn the_crawl_delay_of_robots_txt_is_obeyed() {
    let (database, toy, clock) = (database().await, Toy::with(4).await, Clock::new());
    toy.state().robots = Reply::new(200, "User-agent: jeden\nCrawl-delay: 0.1\n");
    Scrape::new(&database.db, &toy, &clock).run().await;
    let requests = std::mem::take(&mut toy.state().requests);
    let took = requests[requests.len() - 1].at - requests[1].at;
    let least = Duration::from_millis(100) * (requests.len() as u32 - 3);
    assert!(took >= least, "{} requests in {took:?}", requests.len() - 1);
}

#[tokio::test]
async fn a_forbidden_portal_needs_permission_or_another_host() {
    let (database, toy, clock) = (database().await, Toy::with(3).await, Clock::new());
    let refused = async |set: fn(&mut ingest::crawl::CrawlOptions)| {
        let scrape = Scrape::new(&database.db, &toy, &clock)
            .at(CLOSED)
            .with(|options| {
                options.base_url = None;
                set(options);
            });
        scrape.attempt().await.unwrap_err().to_string()
    };
    let forbidden = refused(|_| ()).await;
    assert!(
        forbidden.contains("its terms") && forbidden.contains("[portals.sreality]"),
        "{forbidden}"
    );
    let blank = refused(|options| options.permission = Some(" ".to_owned())).await;
    assert!(blank.contains("its terms"), "{blank}");
    let nameless = refused(|options| options.contact.clear()).await;
    assert!(nameless.contains("JEDEN_CONTACT"), "{nameless}");
    let report = Scrape::new(&database.db, &toy, &clock)
        .at(CLOSED)
        .run()
        .await;
    assert_eq!(
        report.outcome(),
        RunOutcome::Complete,
        "another host is asked"
    );
    assert_eq!(live(&database.db).await.len(), 3);
}

#[tokio::test]
async fn exceeding_the_policy_needs_permission() {
    let (database, toy, clock) = (database().await, Toy::with(3).await, Clock::new());
    for set in [
        (|options| options.pace = Some(Duration::from_millis(99)))
            as fn(&mut ingest::crawl::CrawlOptions),
        |options| options.concurrency = Some(3),
        |options| options.concurrency = Some(0),
    ] {
        let scrape = Scrape::new(&database.db, &toy, &clock).with(|options| {
            (options.base_url, options.pace, options.concurrency) = (None, None, None);
            set(options);
        });
        let refused = scrape.attempt().await.unwrap_err().to_string();
        assert!(refused.contains("permission"), "{refused}");
    }
    assert!(toy.asked().is_empty());
}

#[tokio::test]
async fn redirects_are_followed_within_the_portal() {
    let (database, toy, clock) = (database().await, Toy::with(2).await, Clock::new());
    toy.state().robots = Reply::new(200, "User-agent: *\nDisallow: /private/\n");
    toy.intercept(|request| match request.path.as_str() {
        "/list?kind=flats&page=0" => {
            Some(Reply::new(301, "").with("location", "/www.toy.cz/list?kind=flats&page=0&new"))
        }
        "/advert/1" => Some(Reply::new(302, "").with("location", "https://www.toy.cz/private/1")),
        "/advert/2" => Some(Reply::new(302, "").with("location", "https://elsewhere.example/2")),
        _ => None,
    });
    let report = Scrape::new(&database.db, &toy, &clock)
        .with(|options| options.concurrency = Some(1))
        .run()
        .await;
    assert_eq!((report.counts().seen, report.counts().new), (2, 0));
    let asked = toy.asked();
    assert!(
        asked.contains(&"/list?kind=flats&page=0&new".to_owned()),
        "{asked:?}"
    );
    assert!(
        !asked
            .iter()
            .any(|path| path.contains("private") || path.contains("elsewhere")),
        "{asked:?}"
    );
}
