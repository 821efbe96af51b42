//! A month of every portal: crawled by schedule while adverts come and go, portals fail, and workers are killed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use ingest::crawl::Access;
use ingest::portals;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use schema::ListingKey;
use schema::store::crawl_runs::{self, RunOutcome};
use schema::store::{Db, listings};
use support::simulator::portals::SIMULATED;
use support::simulator::{Faults, Mood, Simulator, Truth, Visit, sentence};

use super::jeden::Jeden;

const DAYS: u32 = 30;
const ADVERTS: u64 = 30;

/// The pace that the operator agreed on with the simulated portals.
const PACE: Duration = Duration::from_millis(4);
const CONCURRENCY: usize = 2;

/// How long after a kill the simulator has noticed it, for sure.
const SETTLED_AFTER: Duration = Duration::from_secs(2);

/// Requests in a row whose pace is judged.
const ROW: usize = 20;

/// How often it is looked whether the day's crawls are over.
const GLANCE: Duration = Duration::from_millis(50);

/// A worker is killed after at most so many requests, of which a day has some three hundred.
const KILLED_WITHIN: usize = 900;

#[tokio::test]
async fn after_a_month_of_faults_and_kills_the_database_knows_what_is_on_every_portal() {
    let folder = tempfile::tempdir().unwrap();
    let simulator = Simulator::start(SIMULATED, ADVERTS, 30);
    simulator.world().faults = Faults::SOME;
    let database = support::databases().await.swap_remove(0);
    let config = folder.path().join("month.toml");
    std::fs::write(&config, settings(&simulator)).unwrap();
    let mut month = Month {
        jeden: Jeden::on(&database.url),
        db: database.db.clone(),
        config: config.to_str().unwrap().to_owned(),
        simulator,
        rng: StdRng::seed_from_u64(30),
        worker: None,
        doomed_at: 0,
        kills: Vec::new(),
    };
    for portal in SIMULATED {
        // Once a year: what is crawled today is said by hand.
        month.tell(&["schedule", "set", portal.site_id, "0 0 1 1 *"]);
    }
    for day in 1..=DAYS {
        month.simulator.world().pass_a_day();
        if day % 3 == 0 {
            month.let_a_portal_fail(day).await;
        }
        month.crawl_every_portal().await;
        month.simulator.world().close_the_day();
    }
    month.stop();
    for portal in SIMULATED {
        let truth = month.simulator.world().stand(portal.site_id).market.truth();
        assert_known(&month.db, portal.site_id, portal.offer_id, &truth).await;
        month.assert_well_behaved(portal.site_id);
        if is_open(portal.site_id) {
            let visits = &month.simulator.world().visits;
            let visits = visits.iter().filter(|visit| visit.site_id == portal.site_id);
            let forbidden = visits.filter(|visit| forbids(portal.robots, &visit.path));
            assert_eq!(forbidden.map(|visit| &visit.path).collect::<Vec<_>>(), Vec::<&String>::new());
        }
    }
}

/// Every portal is asked at the simulator instead, at the agreed pace; those that forbid programs by permission.
fn settings(simulator: &Simulator) -> String {
    let mut settings = "contact = \"operator@example.cz\"\n".to_owned();
    for portal in SIMULATED {
        let (site_id, pace, base) = (portal.site_id, humantime(PACE), simulator.base_url());
        write!(
            settings,
            "[portals.{site_id}]\npace = \"{pace}\"\nconcurrency = {CONCURRENCY}\nbase_url = \"{base}\"\n"
        )
        .unwrap();
        if !is_open(site_id) {
            settings += "permission = \"it is a simulation\"\n";
        }
    }
    settings
}

fn is_open(site_id: &str) -> bool {
    portals::portal(site_id).unwrap().client.access == Access::Open
}

/// Whether the part of a robots.txt that is for everybody forbids a path, by its longest rule; `*` stands for anything.
fn forbids(robots: &str, path: &str) -> bool {
    let for_all = robots.split("User-agent: *\n").nth(1).unwrap_or_default();
    let rules = for_all.lines().take_while(|line| !line.starts_with("User-agent")).filter_map(|line| {
        let line = line.split_once(" #").map_or(line, |(rule, _)| rule);
        let (rule, pattern) = line.split_once(": ")?;
        let mut rest = Some(path);
        for (number, part) in pattern.split('*').enumerate() {
            let found = rest.and_then(|rest| rest.find(part).filter(|at| number > 0 || *at == 0));
            rest = rest.zip(found).and_then(|(rest, at)| rest.get(at + part.len()..));
        }
        rest.is_some().then_some((pattern.len(), rule == "Allow"))
    });
    rules.max().is_some_and(|(_, allowed)| !allowed)
}

fn humantime(duration: Duration) -> String {
    format!("{}ms", duration.as_millis())
}

struct Month {
    jeden: Jeden,
    db: Db,
    config: String,
    simulator: Simulator,
    rng: StdRng,
    worker: Option<Child>,
    /// At which request it is killed.
    doomed_at: usize,
    /// A worker that is killed takes with it what it knew of the portals' patience.
    kills: Vec<Instant>,
}

impl Month {
    fn tell(&self, arguments: &[&str]) {
        self.jeden.run(&[arguments, &["--config", &self.config]].concat()).done();
    }

    /// One portal blocks, is rebuilt, or is empty for the first half of the day: nothing of it may be believed.
    async fn let_a_portal_fail(&mut self, day: u32) {
        let portal = &SIMULATED[(day / 3) as usize % SIMULATED.len()];
        let mood = [Mood::Blocking, Mood::Rebuilt, Mood::Emptied][(day as usize / 3) % 3];
        let before = self.runs(portal.site_id).await;
        self.simulator.world().stand(portal.site_id).mood = mood;
        self.tell(&["schedule", "run", portal.site_id]);
        while self.ended(portal.site_id, before).await.is_none() {
            self.glance().await;
        }
        self.simulator.world().stand(portal.site_id).mood = Mood::Usual;
        let outcome = self.ended(portal.site_id, before).await;
        let believed = outcome == Some(RunOutcome::Complete);
        assert!(!believed, "a crawl of {} believed a portal that was {mood:?}", portal.site_id);
    }

    /// Asks for a crawl of every portal, and waits until each was walked to its end once since.
    async fn crawl_every_portal(&mut self) {
        let mut before = BTreeMap::new();
        for portal in SIMULATED {
            before.insert(portal.site_id, self.runs(portal.site_id).await);
            self.tell(&["schedule", "run", portal.site_id]);
        }
        while let Some((site_id, known)) = before.pop_first() {
            loop {
                match self.ended(site_id, known).await {
                    Some(RunOutcome::Complete) => break,
                    // Faults in a row may end a crawl; an operator has it run again.
                    Some(_) => {
                        before.insert(site_id, self.runs(site_id).await);
                        self.tell(&["schedule", "run", site_id]);
                        break;
                    }
                    None => self.glance().await,
                }
            }
        }
    }

    /// The number of the portal's last crawl.
    async fn runs(&self, site_id: &str) -> i64 {
        crawl_runs::latest(&self.db, site_id).await.unwrap().map_or(0, |run| run.id.0)
    }

    /// How the portal's last crawl ended, if it did and is newer than `known`.
    async fn ended(&self, site_id: &str, known: i64) -> Option<RunOutcome> {
        let run = crawl_runs::latest(&self.db, site_id).await.unwrap()?;
        let ended = !matches!(run.outcome, RunOutcome::Running | RunOutcome::Stopped);
        (run.id.0 > known && ended).then_some(run.outcome)
    }

    /// A moment goes by, in which a worker may die; there is always one.
    async fn glance(&mut self) {
        let visits = self.simulator.world().visits.len();
        let worker = if let Some(worker) = &mut self.worker {
            worker
        } else {
            self.doomed_at = visits + self.rng.random_range(10..KILLED_WITHIN);
            let mut command = self.jeden.command(&["work", "--config", &self.config]);
            // What a worker left undone is soon somebody else's.
            command.args(["--poll", "100ms", "--heartbeat", "1s", "--retry", "1s"]);
            self.worker.insert(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
        };
        tokio::time::sleep(GLANCE).await;
        if visits >= self.doomed_at {
            worker.kill().unwrap();
            self.kills.push(Instant::now());
        }
        if worker.try_wait().unwrap().is_some() {
            self.worker = None;
        }
    }

    /// No request to a portal broke the pace, was under way beside too many others, or came before it was asked to.
    fn assert_well_behaved(&self, site_id: &str) {
        let world = self.simulator.world();
        let visits: Vec<&Visit> = world.visits.iter().filter(|visit| visit.site_id == site_id).collect();
        assert!(visits.len() > DAYS as usize, "{site_id} was hardly asked");
        assert!(visits.iter().all(|visit| visit.user_agent.contains("operator@example.cz")), "{site_id}");
        // What a killed worker asked for may still be under way when the next one asks.
        let is_settled = |visit: &&&Visit| {
            !self.kills.iter().any(|kill| (*kill..*kill + SETTLED_AFTER).contains(&visit.came))
        };
        let most = visits.iter().filter(is_settled).map(|visit| visit.under_way).max().unwrap_or_default();
        assert!(most <= CONCURRENCY, "{most} requests to {site_id} were under way at once");
        let undisturbed =
            |from: Instant, to: Instant| !self.kills.iter().any(|kill| (from..to).contains(kill));
        // A request may be late on its way, those that wait for its end are not ahead of their time for it.
        let shortest = PACE * (ROW - 1 - CONCURRENCY) as u32;
        for row in visits.windows(ROW) {
            let (first, last) = (row[0].came, row[ROW - 1].came);
            let took = last.duration_since(first);
            assert!(
                took >= shortest || !undisturbed(first, last),
                "{ROW} requests to {site_id} within {took:?}"
            );
        }
        for (number, refused) in visits.iter().enumerate().filter(|(_, visit)| visit.status == 429) {
            let answered = refused.answered.unwrap_or(refused.came);
            let same = |visit: &&&Visit| (&visit.path, &visit.body) == (&refused.path, &refused.body);
            let Some(again) = visits.iter().skip(number + 1).find(same) else { continue };
            let waited = again.came.duration_since(answered);
            let in_time = waited >= Duration::from_secs(1) || !undisturbed(answered, again.came);
            assert!(in_time, "{site_id}: {} came again after {waited:?}", again.path);
        }
    }

    fn stop(&mut self) {
        if let Some(mut worker) = self.worker.take() {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
    }
}

impl Drop for Month {
    fn drop(&mut self) {
        if let Some(worker) = &mut self.worker {
            let _ended = worker.kill().and_then(|()| worker.wait());
        }
    }
}

/// The database knows of a portal what is true, and nothing else.
async fn assert_known(db: &Db, site_id: &str, offer_id: fn(u64) -> String, truth: &[Truth]) {
    let mut tx = db.begin_read().await.unwrap();
    let keys: Vec<_> =
        truth.iter().map(|truth| ListingKey::new(site_id, offer_id(truth.advert.number))).collect();
    let stored = listings::load(&mut tx, &keys).await.unwrap();
    for (key, truth) in keys.iter().zip(truth) {
        let listing = stored.get(key).unwrap_or_else(|| panic!("{key} is not known: {truth:?}"));
        let state = &listing.state;
        assert_eq!(state.is_live(), truth.live, "{key}");
        let prices: Vec<u64> = state.prices.iter().map(|point| point.price_total as u64).collect();
        assert_eq!(prices, truth.prices, "{key}");
        let text = state.listing.attributes.description.as_deref().unwrap_or_default();
        assert!(text.contains(&sentence(&truth.advert)), "{key} does not say {:?}", sentence(&truth.advert));
    }
    drop(tx);
    let live = truth.iter().filter(|truth| truth.live).count() as u64;
    assert_eq!(listings::live_count(db, site_id).await.unwrap(), live, "{site_id}");
}

#[test]
fn rules_of_robots_are_read_by_the_longest() {
    let robots = "User-agent: x\nDisallow: /\n\nUser-agent: *\nDisallow: /search*\nDisallow: /a/*/b\nAllow: /search/all # as of old\n";
    for (path, forbidden) in [
        ("/", false),
        ("/search?x=1", true),
        ("/search/all", false),
        ("/a/c/b", true),
        ("/a/c", false),
        ("/x/search", false),
    ] {
        assert_eq!(forbids(robots, path), forbidden, "{path}");
    }
}
