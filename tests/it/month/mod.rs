//! A month of every portal: crawled by schedule while adverts come and go, portals fail, and workers are killed. And some
//! days of several workers at once, which are frozen, too.

mod crew;
mod manners;
mod robots;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::jobs::{self, Job, Task};
use schema::store::{Db, listings};
use schema::{ListingKey, Timestamp};
use support::TestDatabase;
use support::simulator::portals::SIMULATED;
use support::simulator::{Faults, Mood, SimulatedPortal, Simulator, Truth, sentence};
use tempfile::TempDir;

use super::jeden::{Jeden, ran};
use crew::Crew;

/// The pace that the operator agreed on with the simulated portals.
const PACE: Duration = Duration::from_millis(4);

/// How often it is looked whether the day's crawls are over.
const GLANCE: Duration = Duration::from_millis(50);

/// A day that is not over by then never is: the test fails rather than hangs.
const FOR_EVER: Duration = Duration::from_mins(5);

#[tokio::test]
async fn after_a_month_of_faults_and_kills_the_database_knows_what_is_on_every_portal() {
    let database = support::databases().await.swap_remove(0);
    let month = Span {
        portals: SIMULATED.to_vec(),
        adverts: 30,
        days: 30,
        concurrency: 2,
        workers: 1,
    };
    Month::on(&database, month, 900).pass().await;
}

#[tokio::test]
async fn of_two_workers_that_are_killed_and_frozen_never_two_crawl_a_portal_and_nothing_is_missed()
{
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
    let days = Span {
        portals,
        adverts: 30,
        days: 8,
        concurrency: 1,
        workers: 2,
    };
    Month::on(&database, days, 300).pass().await;
}

/// What is simulated, and who works.
struct Span {
    portals: Vec<SimulatedPortal>,
    /// On each portal, on the first day.
    adverts: u64,
    days: u32,
    /// Requests to a portal at once.
    concurrency: usize,
    /// Processes at once.
    workers: usize,
}

/// A day of the span, as far as it matters for how portals were treated on it.
#[derive(Debug, Default)]
struct Day {
    /// How many visits there had been before.
    visits_before: usize,
    /// The portal that failed for a while.
    failing: Option<&'static str>,
    /// How often a crawl of each portal was asked for.
    asked: BTreeMap<&'static str, usize>,
    /// How many workers were killed.
    kills: usize,
}

struct Month {
    span: Span,
    db: Db,
    simulator: Simulator,
    crew: Crew,
    days: Vec<Day>,
    _folder: TempDir,
}

impl Month {
    /// The span on a database; a worker is killed after at most `killed_within` requests.
    fn on(database: &TestDatabase, span: Span, killed_within: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let simulator = Simulator::start(&span.portals, span.adverts, 30);
        simulator.world().faults = Faults::SOME;
        let config = folder.path().join("month.toml");
        std::fs::write(&config, settings(&simulator, &span)).unwrap();
        let config = config.to_str().unwrap().to_owned();
        let crew = Crew::of(
            Jeden::on(&database.url),
            config,
            span.workers,
            killed_within,
        );
        Self {
            span,
            db: database.db.clone(),
            simulator,
            crew,
            days: Vec::new(),
            _folder: folder,
        }
    }

    /// Lets the days go by, and holds what is known and how portals were treated against the truth.
    async fn pass(mut self) {
        // Once a year: what is crawled today is said by hand.
        self.tell_of_all(|site_id| vec!["schedule", "set", site_id, "0 0 1 1 *"]);
        for number in 1..=self.span.days {
            let visits_before = self.visits();
            self.days.push(Day {
                visits_before,
                ..Day::default()
            });
            let killed_before = self.crew.kills.len();
            self.simulator.world().pass_a_day();
            if number % 3 == 0 {
                self.let_a_portal_fail(number).await;
            }
            self.crawl_every_portal().await;
            self.simulator.world().close_the_day();
            self.today().kills = self.crew.kills.len() - killed_before;
        }
        self.crew.dismiss();
        for portal in &self.span.portals {
            let truth = self.simulator.world().stand(portal.site_id).market.truth();
            assert_known(&self.db, portal.site_id, portal.offer_id, &truth).await;
            self.assert_well_behaved(portal.site_id);
            self.assert_crawled_once_at_a_time(portal.site_id).await;
            self.assert_robots_obeyed(portal);
        }
    }

    fn today(&mut self) -> &mut Day {
        self.days.last_mut().expect("it is a day of the span")
    }

    fn visits(&self) -> usize {
        self.simulator.world().visits.len()
    }

    /// Runs a command for every portal, all at once.
    fn tell_of_all(&self, command: impl Fn(&'static str) -> Vec<&'static str>) {
        std::thread::scope(|scope| {
            for portal in &self.span.portals {
                let mut command = self.crew.command(&command(portal.site_id));
                scope.spawn(move || ran(&mut command).done());
            }
        });
    }

    /// Has a portal crawled, as an operator does.
    fn ask_for(&mut self, site_id: &'static str) {
        ran(&mut self.crew.command(&["schedule", "run", site_id])).done();
        *self.today().asked.entry(site_id).or_default() += 1;
    }

    /// One portal blocks, is rebuilt, or is empty for the first half of the day: nothing of it may be believed.
    async fn let_a_portal_fail(&mut self, number: u32) {
        let site_id = self.span.portals[(number / 3) as usize % self.span.portals.len()].site_id;
        let mood = [Mood::Blocking, Mood::Rebuilt, Mood::Emptied][(number as usize / 3) % 3];
        let before = self.last_end(site_id).await;
        self.simulator.world().stand(site_id).mood = mood;
        self.today().failing = Some(site_id);
        self.ask_for(site_id);
        let began = Instant::now();
        let outcome = loop {
            match self.ended(site_id, before).await {
                Some(outcome) => break outcome,
                None => self.glance(began).await,
            }
        };
        self.simulator.world().stand(site_id).mood = Mood::Usual;
        assert!(
            outcome != RunOutcome::Complete,
            "a crawl of {site_id} believed a portal that was {mood:?}"
        );
    }

    /// Asks for a crawl of every portal, and waits until each was walked to its end once since.
    async fn crawl_every_portal(&mut self) {
        let mut before = BTreeMap::new();
        for portal in &self.span.portals {
            before.insert(portal.site_id, self.last_end(portal.site_id).await);
        }
        self.tell_of_all(|site_id| vec!["schedule", "run", site_id]);
        for site_id in before.keys() {
            *self.today().asked.entry(*site_id).or_default() += 1;
        }
        if self.span.workers > 1 {
            self.queue_once_more().await;
        }
        let began = Instant::now();
        while let Some((site_id, known)) = before.pop_first() {
            loop {
                match self.ended(site_id, known).await {
                    Some(RunOutcome::Complete) => break,
                    // Faults in a row may end a crawl; an operator has it run again.
                    Some(_) => {
                        before.insert(site_id, self.last_end(site_id).await);
                        self.ask_for(site_id);
                        break;
                    }
                    None => self.glance(began).await,
                }
            }
        }
    }

    /// Every crawl that waits is queued a second time under another name, so that two workers begin it at once.
    async fn queue_once_more(&self) {
        let waiting = jobs::unfinished(&self.db).await.unwrap();
        let mut tx = self.db.begin().await.unwrap();
        for one in waiting {
            let is_new = one.job.turn == 0 && !one.job.key.ends_with("once more");
            if is_new && matches!(one.job.task, Task::Crawl { .. }) {
                let job = Job {
                    key: format!("{} once more", one.job.key),
                    ..one.job
                };
                jobs::push(&mut tx, &job, one.run_at).await.unwrap();
            }
        }
        tx.commit().await.unwrap();
    }

    /// When the portal's last crawl ended, in milliseconds; 0 where it has not.
    async fn last_end(&self, site_id: &str) -> i64 {
        let run = crawl_runs::latest(&self.db, site_id).await.unwrap();
        run.and_then(|run| run.finished_at)
            .map_or(0, Timestamp::millis)
    }

    /// How the portal's last crawl ended, if it did after `known`.
    async fn ended(&self, site_id: &str, known: i64) -> Option<RunOutcome> {
        let run = crawl_runs::latest(&self.db, site_id).await.unwrap()?;
        let ended = !matches!(run.outcome, RunOutcome::Running | RunOutcome::Stopped);
        (run.finished_at?.millis() > known && ended).then_some(run.outcome)
    }

    /// A moment goes by of what began at `began`.
    async fn glance(&mut self, began: Instant) {
        assert!(
            began.elapsed() < FOR_EVER,
            "day {} never ends",
            self.days.len()
        );
        let visits = self.visits();
        self.crew.glance(visits);
        tokio::time::sleep(GLANCE).await;
    }
}

/// Every portal is asked at the simulator instead, at the agreed pace; those that forbid programs by permission.
fn settings(simulator: &Simulator, span: &Span) -> String {
    let mut settings = "contact = \"operator@example.cz\"\n".to_owned();
    for portal in &span.portals {
        let (site_id, pace, base) = (portal.site_id, PACE.as_millis(), simulator.base_url());
        let concurrency = span.concurrency;
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

/// The database knows of a portal what is true, and nothing else.
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
