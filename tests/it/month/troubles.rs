//! What happens to the portals and the database besides faults of single requests: portals that fail as a whole or in part,
//! days without a crawl, dumps of a wrong clock, and list items after details.

use std::time::{Duration, Instant};

use schema::Timestamp;
use schema::store::crawl_runs::{self, CrawlRun, RunOutcome};
use schema::store::listings;
use serde_json::{Value, json};
use support::simulator::{Condition, PortalRequest};

use super::Simulation;

/// A way in which a portal fails for the first half of a day.
#[derive(Debug, Clone, Copy)]
pub enum Failure {
    /// The whole portal.
    Whole(Condition),
    /// One of its lists answers 404.
    MissingList,
    /// An advert has ended, and its page answers 500.
    RemovedAdvert,
}

/// Every way, in the order in which they occur.
const FAILURES: [Failure; 6] = [
    Failure::Whole(Condition::Blocking),
    Failure::Whole(Condition::Gate),
    Failure::Whole(Condition::Redesigned),
    Failure::MissingList,
    Failure::Whole(Condition::Empty),
    Failure::RemovedAdvert,
];

/// How many ways a day has.
const FAILURES_A_DAY: usize = 2;

/// A portal whose details have pages of their own.
const GATED: &str = "idnes";

/// A portal with a path for each list, and one of these paths.
const LISTS: (&str, &str) = ("realitymix", "/reality/pozemky/prodej");

/// The portal with adverts whose pages are broken.
const BROKEN: &str = "remax";

/// The portal that asks not to be asked for an hour.
const BUSY: &str = "bazos";

/// How many adverts appear on a portal in trouble. From five pages that are no adverts on, a crawl stops.
const NEW_ADVERTS: usize = 6;

/// How many days pass without a crawl.
const PAUSE: usize = 3;

/// How long a worker has to ask a portal that asked not to be asked.
const LISTENED_FOR: Duration = Duration::from_secs(2);

impl Simulation {
    /// Lets portals fail on this day, one after the other. A crawl of such a portal must not be complete.
    pub async fn let_portals_fail(&mut self, number: u32) {
        let first = (number / self.scenario.failing_every) as usize * FAILURES_A_DAY;
        for failure in first..first + FAILURES_A_DAY {
            let way = FAILURES[failure % FAILURES.len()];
            let portals = &self.scenario.portals;
            let site_id = match way {
                Failure::Whole(Condition::Gate) => GATED,
                Failure::Whole(_) => portals[failure % portals.len()].site_id,
                Failure::MissingList => LISTS.0,
                Failure::RemovedAdvert => BROKEN,
            };
            if self.simulates(site_id) {
                self.let_a_portal_fail(site_id, way).await;
            }
        }
    }

    async fn let_a_portal_fail(&mut self, site_id: &'static str, way: Failure) {
        let broken = self.begin(site_id, way);
        self.today().failing.push(site_id);
        let (live_before, run) = self.crawl_from_now(site_id).await;
        {
            let mut world = self.simulator.world();
            let portal = world.portal(site_id);
            (portal.condition, portal.missing_list) = (Condition::Normal, None);
            portal
                .broken_adverts
                .retain(|number| Some(*number) != broken);
        }
        match way {
            Failure::Whole(_) => {
                let live = listings::live_count(&self.db, site_id).await.unwrap();
                assert!(
                    live >= live_before && run.outcome != RunOutcome::Complete,
                    "{way:?} ended {live_before} - {live} listings: {run:?}"
                );
            }
            // What can be crawled is crawled.
            Failure::MissingList | Failure::RemovedAdvert => {
                assert_eq!(run.outcome, RunOutcome::Partial, "{way:?}: {run:?}");
                assert!(run.counts.seen > 0, "{way:?}: {run:?}");
            }
        }
    }

    /// Lets a portal fail from now on. Returns the number of the advert whose page is broken, if it fails in that way.
    fn begin(&self, site_id: &str, way: Failure) -> Option<u64> {
        let mut world = self.simulator.world();
        // So that there are enough pages to read.
        for _ in 0..NEW_ADVERTS {
            world.add_lasting_advert(site_id);
        }
        let portal = world.portal(site_id);
        match way {
            Failure::Whole(condition) => portal.condition = condition,
            Failure::MissingList => portal.missing_list = Some(LISTS.1),
            Failure::RemovedAdvert => {
                let known = portal.market.known_live();
                let number = known.expect("an advert was live at the end of the day before");
                portal.market.end(number);
                portal.broken_adverts.push(number);
                return Some(number);
            }
        }
        None
    }

    /// Lets a portal be crawled by a crawl that starts after this call. One that started before may still run, or be
    /// resumed or tried again at any time. Returns how many listings were live before, and the crawl.
    async fn crawl_from_now(&mut self, site_id: &'static str) -> (u64, CrawlRun) {
        let latest = crawl_runs::latest(&self.db, site_id).await.unwrap();
        let latest = latest.map(|run| run.id);
        loop {
            self.portal_jobs_ended(site_id).await;
            let live_before = listings::live_count(&self.db, site_id).await.unwrap();
            let before = self.last_end(site_id).await;
            self.request_crawl(site_id).await;
            let run = self.next_end(site_id, before).await;
            if Some(run.id) != latest {
                return (live_before, run);
            }
        }
    }

    /// The next crawl of a portal that ends.
    async fn next_end(&mut self, site_id: &str, before: i64) -> CrawlRun {
        let started = Instant::now();
        while self.ended(site_id, before).await.is_none() {
            self.wait(started, &format!("no crawl of {site_id} has failed"))
                .await;
        }
        let run = crawl_runs::latest(&self.db, site_id).await.unwrap();
        run.expect("a crawl has ended")
    }

    /// After its last crawl a portal asks not to be asked for an hour. No worker asks it again, also if they are killed and
    /// a crawl is requested again.
    pub async fn let_a_portal_ask_for_time(&mut self) {
        if !self.simulates(BUSY) {
            return;
        }
        self.portal_jobs_ended(BUSY).await;
        let before = self.last_end(BUSY).await;
        self.simulator.world().portal(BUSY).condition = Condition::Throttling;
        self.today().failing.push(BUSY);
        self.request_crawl(BUSY).await;
        let run = self.next_end(BUSY, before).await;
        assert_eq!(run.outcome, RunOutcome::Failed, "{run:?}");
        let asked = self.requests_to(BUSY);
        self.workers.kill_all();
        let started = Instant::now();
        while started.elapsed() < LISTENED_FOR {
            self.wait(started, "the workers start").await;
        }
        assert_eq!(self.requests_to(BUSY), asked, "{BUSY} was asked again");
        self.simulator.world().portal(BUSY).condition = Condition::Normal;
    }

    fn requests_to(&self, site_id: &str) -> usize {
        let world = self.simulator.world();
        let requests = world.requests.iter();
        requests
            .filter(|request| request.site_id == site_id)
            .count()
    }

    /// Lets days pass on which nothing is crawled, so that many adverts are gone afterwards.
    pub fn pause(&self) {
        for _ in 0..PAUSE {
            self.simulator.world().pass_a_day();
        }
    }

    /// Adds an advert whose page fails from now on.
    pub fn break_an_advert(&self) {
        if self.simulates(BROKEN) {
            let mut world = self.simulator.world();
            let advert = world.add_lasting_advert(BROKEN);
            world.portal(BROKEN).broken_adverts.push(advert);
        }
    }

    /// Lets the page of the advert work again, with another price: an advert that was passed over is asked for again after
    /// an hour, or once a list shows it changed. Its portal was crawled in spite of it, and the advert was noted.
    pub async fn mend_the_advert(&self) {
        if !self.simulates(BROKEN) {
            return;
        }
        let runs = crawl_runs::list(&self.db, Some(BROKEN), 1_000);
        let runs = runs.await.unwrap();
        let passed_over = |run: &CrawlRun| {
            let trouble = run.trouble.as_deref().unwrap_or_default();
            let is_walked = matches!(run.outcome, RunOutcome::Complete | RunOutcome::Partial);
            is_walked && trouble.contains("passed over")
        };
        assert!(runs.iter().any(passed_over), "{runs:?}");
        let mut world = self.simulator.world();
        let portal = world.portal(BROKEN);
        for number in std::mem::take(&mut portal.broken_adverts) {
            portal.market.change_price(number);
        }
    }

    fn simulates(&self, site_id: &str) -> bool {
        let portals = &self.scenario.portals;
        portals.iter().any(|portal| portal.site_id == site_id)
    }

    /// Replays a dump of a computer whose clock is wrong: complete crawls of every portal, far in the future and empty.
    pub fn replay_a_wrong_clock(&mut self) {
        let crawl = |year: u32, site_id: &str| {
            json!({
                "siteId": site_id,
                "observedAt": format!("{year}-05-01T06:00:00Z"),
                "crawl": {"startedAt": format!("{year}-05-01T05:00:00Z"), "complete": true},
            })
        };
        let portals = self.scenario.portals.iter();
        let lines = portals.flat_map(|portal| [2062, 2099].map(|year| crawl(year, portal.site_id)));
        let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
        let ran = self.workers.replay(&lines.join("\n"));
        let rejected = format!("{} rejected", lines.len());
        assert!(
            ran.stdout.contains(&rejected) || ran.stderr.contains(&rejected),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
    }

    /// Replays the items of sreality's list, which leave most of each advert out, as observed after its last crawl.
    pub async fn replay_a_list(&mut self) {
        let observed_at = Timestamp(self.last_end("sreality").await + 1);
        let items: Vec<Value> = {
            let mut world = self.simulator.world();
            let state = world.portal("sreality");
            let ask = PortalRequest::new(
                "https://www.sreality.cz/api/v1/estates/search?limit=500",
                None,
            );
            let list = (state.portal.answer)(&ask, &state.market.live());
            let list: Value = serde_json::from_str(&list.body).unwrap();
            list["results"].as_array().unwrap().clone()
        };
        let lines = items.iter().map(|item| {
            let number = &item["hash_id"];
            let line = json!({
                "siteId": "sreality",
                "offerId": number.as_str().map_or_else(|| number.to_string(), str::to_owned),
                "observedAt": observed_at,
                "payload": item,
            });
            line.to_string()
        });
        let lines: Vec<String> = lines.collect();
        assert!(lines.len() > 10, "{}", lines.len());
        let ran = self.workers.replay(&lines.join("\n"));
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
}
