//! Simulated days of every portal: the portals are crawled while adverts appear and end, portals fail, and workers are
//! killed. A second test runs two workers, which are also frozen.
//!
//! The short form has a few days with at least one fault of every kind. `JEDEN_TEST_LONG=1` runs the long form: a month.

mod conduct;
mod robots;
mod troubles;
mod workers;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::jobs::{self, Job, Task};
use schema::store::{Db, index_entries, listings};
use schema::{ListingKey, Timestamp};
use support::simulator::portals::SIMULATED;
use support::simulator::{Fault, Faults, SimulatedPortal, Simulator, Truth, sentence};
use support::{TestDatabase, long_form};
use tempfile::TempDir;

use super::jeden::{Jeden, ran};
use workers::Workers;

/// The pace for the simulated portals.
const PACE: Duration = Duration::from_millis(4);

/// How often the test checks whether the day's crawls are over.
const POLL: Duration = Duration::from_millis(50);

/// A day in milliseconds.
const DAY: i64 = 86_400_000;

/// The day on which the database and single adverts get into trouble.
const FIRST_TROUBLE: u32 = 2;

/// How long a day may take before the test fails.
const DAY_TIMEOUT: Duration = Duration::from_mins(5);

#[tokio::test]
async fn after_days_of_faults_and_kills_the_database_matches_every_portal() {
    let database = support::sqlite().await;
    let (days, failing_every, killed_within) = if long_form() {
        (30, 3, 900)
    } else {
        (4, 1, 500)
    };
    let scenario = Scenario {
        portals: SIMULATED.to_vec(),
        adverts: 30,
        days,
        failing_every,
        concurrency: 2,
        workers: 1,
        killed_within,
    };
    Simulation::new(&database, scenario).run().await;
}

#[tokio::test]
async fn two_workers_that_are_killed_and_frozen_never_crawl_a_portal_together_and_miss_nothing() {
    let Some(database) = support::databases()
        .await
        .into_iter()
        .find(|one| one.name == "PostgreSQL")
    else {
        return;
    };
    let few = ["sreality", "idnes", "bazos", "realingo"];
    let portals = SIMULATED
        .iter()
        .filter(|portal| few.contains(&portal.site_id))
        .copied()
        .collect();
    let (days, failing_every, killed_within) = if long_form() {
        (8, 3, 300)
    } else {
        (3, 3, 120)
    };
    let scenario = Scenario {
        portals,
        adverts: 30,
        days,
        failing_every,
        concurrency: 1,
        workers: 2,
        killed_within,
    };
    Simulation::new(&database, scenario).run().await;
}

/// What is simulated, and with how many workers.
struct Scenario {
    portals: Vec<SimulatedPortal>,
    /// How many adverts each portal has on the first day.
    adverts: u64,
    days: u32,
    /// After how many days the next portal fails.
    failing_every: u32,
    /// The most requests in flight to a portal.
    concurrency: usize,
    /// How many worker processes run at once.
    workers: usize,
    /// After at most this many requests a worker is killed.
    killed_within: usize,
}

/// What is known about a simulated day, to check how portals were treated on it.
#[derive(Debug, Default)]
struct Day {
    /// How many requests had been sent before.
    requests_before: usize,
    /// The portals that failed for some time.
    failing: Vec<&'static str>,
    /// How often a crawl of each portal was requested.
    requested: BTreeMap<&'static str, usize>,
    /// How many workers were killed.
    kills: usize,
}

struct Simulation {
    scenario: Scenario,
    db: Db,
    simulator: Simulator,
    workers: Workers,
    days: Vec<Day>,
    _folder: TempDir,
}

impl Simulation {
    fn new(database: &TestDatabase, scenario: Scenario) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let simulator = Simulator::start(&scenario.portals, scenario.adverts, 30);
        simulator.world().faults = Faults::SOME;
        let config = folder.path().join("month.toml");
        std::fs::write(&config, settings(&simulator, &scenario)).unwrap();
        let config = config.to_str().unwrap().to_owned();
        let workers = Workers::new(
            Jeden::on(&database.url),
            config,
            scenario.workers,
            scenario.killed_within,
        );
        Self {
            scenario,
            db: database.db.clone(),
            simulator,
            workers,
            days: Vec::new(),
            _folder: folder,
        }
    }

    /// Runs all days, then checks what the database knows and how the portals were treated.
    async fn run(mut self) {
        // The schedule is due once a year. The test requests every crawl itself.
        self.command_for_every_portal(|site_id| vec!["schedule", "set", site_id, "0 0 1 1 *"]);
        for number in 1..=self.scenario.days {
            let requests_before = self.requests();
            self.days.push(Day {
                requests_before,
                ..Day::default()
            });
            let killed_before = self.workers.kills.len();
            self.simulator.world().pass_a_day();
            self.bring_details_a_day_nearer().await;
            if number == FIRST_TROUBLE {
                self.break_an_advert();
            }
            if number == self.scenario.days {
                self.mend_the_advert().await;
                self.pause();
            }
            // A portal can only be known to fail after the first day.
            if number > 1 && number % self.scenario.failing_every == 0 {
                self.let_portals_fail(number).await;
            }
            self.crawl_every_portal().await;
            if number == FIRST_TROUBLE {
                self.replay_a_wrong_clock();
                self.replay_a_list().await;
            }
            self.simulator.world().close_the_day();
            if number == self.scenario.days {
                self.let_a_portal_ask_for_time().await;
            }
            self.today().kills = self.workers.kills.len() - killed_before;
        }
        self.workers.kill_all();
        self.assert_faults_happened();
        for portal in &self.scenario.portals {
            let truth = self.simulator.world().portal(portal.site_id).market.truth();
            assert_known(&self.db, portal.site_id, portal.offer_id, &truth).await;
            self.assert_policy_kept(portal.site_id);
            self.assert_one_crawl_at_a_time(portal.site_id).await;
            self.assert_robots_obeyed(portal);
        }
    }

    /// Lets a day pass for the details that are due later: the clock of the workers cannot be set.
    async fn bring_details_a_day_nearer(&self) {
        let mut tx = self.db.begin().await.unwrap();
        for portal in &self.scenario.portals {
            let numbers: Vec<String> = {
                let mut world = self.simulator.world();
                let market = &world.portal(portal.site_id).market;
                market.numbers().map(portal.offer_id).collect()
            };
            let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
            let known = index_entries::load(&mut tx, portal.site_id, &numbers);
            let known = known.await.unwrap().into_values();
            let due_after = Timestamp(self.last_end(portal.site_id).await);
            let mut later: Vec<_> = known.filter(|entry| entry.due_at > due_after).collect();
            for entry in &mut later {
                entry.due_at = Timestamp(entry.due_at.millis() - DAY);
            }
            index_entries::save_all(&mut tx, portal.site_id, &later)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
    }

    fn today(&mut self) -> &mut Day {
        self.days.last_mut().expect("a day has started")
    }

    fn requests(&self) -> usize {
        self.simulator.world().requests.len()
    }

    /// Runs a command for every portal, all at the same time.
    fn command_for_every_portal(&self, command: impl Fn(&'static str) -> Vec<&'static str>) {
        std::thread::scope(|scope| {
            for portal in &self.scenario.portals {
                let mut command = self.workers.command(&command(portal.site_id));
                scope.spawn(move || ran(&mut command).done());
            }
        });
    }

    /// Waits until no job crawls the portal any more. A job ends a little after its crawl, and until then a request to
    /// crawl the portal is answered that a crawl is running.
    async fn portal_jobs_ended(&mut self, portal: &str) {
        let started = Instant::now();
        loop {
            let jobs = jobs::unfinished(&self.db).await.unwrap();
            let is_running = |one: &jobs::Unfinished| {
                one.worker.is_some() && one.job.task.site_id() == Some(portal)
            };
            if !jobs.iter().any(is_running) {
                return;
            }
            self.wait(started, &format!("a job crawls {portal}")).await;
        }
    }

    /// Requests a crawl of a portal, as an operator does.
    async fn request_crawl(&mut self, site_id: &'static str) {
        self.portal_jobs_ended(site_id).await;
        ran(&mut self.workers.command(&["schedule", "run", site_id])).done();
        *self.today().requested.entry(site_id).or_default() += 1;
    }

    /// Requests a crawl of every portal, and waits until each has had a complete one.
    async fn crawl_every_portal(&mut self) {
        let mut before = BTreeMap::new();
        let site_ids: Vec<_> = self
            .scenario
            .portals
            .iter()
            .map(|one| one.site_id)
            .collect();
        for site_id in site_ids {
            self.portal_jobs_ended(site_id).await;
            before.insert(site_id, self.last_end(site_id).await);
        }
        self.command_for_every_portal(|site_id| vec!["schedule", "run", site_id]);
        for site_id in before.keys() {
            *self.today().requested.entry(*site_id).or_default() += 1;
        }
        if self.scenario.workers > 1 {
            self.queue_crawls_again().await;
        }
        let started = Instant::now();
        while let Some((site_id, known)) = before.pop_first() {
            loop {
                match self.ended(site_id, known).await {
                    Some(RunOutcome::Complete) => break,
                    // Several faults in a row may fail a crawl. An operator then requests another one.
                    Some(_) => {
                        before.insert(site_id, self.last_end(site_id).await);
                        self.request_crawl(site_id).await;
                        break;
                    }
                    None => {
                        let what = format!("no crawl of {site_id} ended after {known}");
                        self.wait(started, &what).await;
                    }
                }
            }
        }
    }

    /// Queues every waiting crawl a second time with another key, so that two workers start it at once.
    async fn queue_crawls_again(&self) {
        let waiting = jobs::unfinished(&self.db).await.unwrap();
        let mut tx = self.db.begin().await.unwrap();
        for one in waiting {
            let is_new = one.job.requeues == 0 && !one.job.key.ends_with("again");
            if is_new && matches!(one.job.task, Task::Crawl { .. }) {
                let job = Job {
                    key: format!("{} again", one.job.key),
                    ..one.job
                };
                jobs::push(&mut tx, &job, one.run_at).await.unwrap();
            }
        }
        tx.commit().await.unwrap();
    }

    /// Every kind of fault occurred and workers were killed. With several workers, which send fewer requests, some were
    /// frozen instead.
    fn assert_faults_happened(&self) {
        let world = self.simulator.world();
        let mut faults: Vec<Fault> = world
            .requests
            .iter()
            .filter_map(|request| request.fault)
            .collect();
        faults.sort_unstable();
        faults.dedup();
        if self.scenario.workers == 1 {
            assert_eq!(faults, Fault::ALL);
            assert!(!self.workers.kills.is_empty(), "no worker was killed");
        } else {
            let disturbed = self.workers.freezes + self.workers.kills.len();
            assert!(disturbed > 0, "no worker was frozen or killed");
        }
    }

    /// When the portal's last crawl ended, in milliseconds. 0 if none has ended.
    async fn last_end(&self, site_id: &str) -> i64 {
        let run = crawl_runs::latest(&self.db, site_id).await.unwrap();
        run.and_then(|run| run.finished_at)
            .map_or(0, Timestamp::millis)
    }

    /// The outcome of the portal's last crawl, if it ended after `known`.
    async fn ended(&self, site_id: &str, known: i64) -> Option<RunOutcome> {
        let run = crawl_runs::latest(&self.db, site_id).await.unwrap()?;
        let ended = !matches!(run.outcome, RunOutcome::Running | RunOutcome::Stopped);
        (run.finished_at?.millis() > known && ended).then_some(run.outcome)
    }

    /// Waits for a moment while `what` is awaited since `started`.
    async fn wait(&mut self, started: Instant, what: &str) {
        assert!(
            started.elapsed() < DAY_TIMEOUT,
            "day {} does not end: {what}",
            self.days.len()
        );
        let requests = self.requests();
        self.workers.step(requests);
        tokio::time::sleep(POLL).await;
    }
}

/// Settings that send the requests for every portal to the simulator, with permission for the portals that need it.
fn settings(simulator: &Simulator, scenario: &Scenario) -> String {
    let mut settings = "contact = \"operator@example.cz\"\n".to_owned();
    for portal in &scenario.portals {
        let (site_id, pace, base) = (portal.site_id, PACE.as_millis(), simulator.base_url());
        let concurrency = scenario.concurrency;
        write!(
            settings,
            "[portals.{site_id}]\npace = \"{pace}ms\"\nconcurrency = {concurrency}\nbase_url = \"{base}\"\n"
        )
        .unwrap();
        if !robots::is_open(site_id) {
            settings += "permission = \"it is a simulation\"\n";
        }
    }
    settings
}

/// The database knows exactly the portal's adverts, with their states, prices and texts.
async fn assert_known(db: &Db, site_id: &str, offer_id: fn(u64) -> String, truth: &[Truth]) {
    let mut tx = db.begin_read().await.unwrap();
    let keys: Vec<_> = truth
        .iter()
        .map(|truth| ListingKey::new(site_id, offer_id(truth.advert.number)))
        .collect();
    let stored = listings::load(&mut tx, &keys).await.unwrap();
    for (key, truth) in keys.iter().zip(truth) {
        let listing = stored
            .get(key)
            .unwrap_or_else(|| panic!("{key} is not known: {truth:?}"));
        let state = &listing.state;
        assert_eq!(state.is_live(), truth.live, "{key}");
        let prices: Vec<u64> = state
            .prices
            .iter()
            .map(|point| point.price_total as u64)
            .collect();
        assert_eq!(prices, truth.prices, "{key}");
        let text = state
            .listing
            .attributes
            .description
            .as_deref()
            .unwrap_or_default();
        assert!(
            text.contains(&sentence(&truth.advert)),
            "{key} does not say {:?}",
            sentence(&truth.advert)
        );
    }
    drop(tx);
    let live = truth.iter().filter(|truth| truth.live).count() as u64;
    assert_eq!(
        listings::live_count(db, site_id).await.unwrap(),
        live,
        "{site_id}"
    );
}
