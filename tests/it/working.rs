//! Workers under test: a simulated portal, the settings to crawl it by permission, and processes that work.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use schema::store::crawl_runs::{self, CrawlRun, RunOutcome};
use schema::store::{Db, jobs, listings};
use support::TestDatabase;
use support::simulator::Simulator;
use support::simulator::portals::SIMULATED;
use tempfile::TempDir;

use super::jeden::{Jeden, Ran};

/// The portal that is crawled.
pub const SITE: &str = "sreality";

/// What has not come by then never does: a test fails rather than hangs.
const FOR_EVER: Duration = Duration::from_mins(5);

/// A simulated portal, and the program on one database with the settings to crawl it.
pub struct Works {
    pub simulator: Simulator,
    pub db: Db,
    jeden: Jeden,
    config: String,
    _folder: TempDir,
}

impl Works {
    /// The portal with so many adverts, which is asked once in `pace`.
    pub fn on(database: &TestDatabase, adverts: u64, pace: Duration) -> Self {
        let portal = SIMULATED
            .iter()
            .find(|portal| portal.site_id == SITE)
            .expect("it is simulated");
        let simulator = Simulator::start(&[*portal], adverts, 1);
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("jeden.toml");
        let base = simulator.base_url();
        let pace = pace.as_millis();
        let settings = format!(
            "contact = \"operator@example.cz\"\n[portals.{SITE}]\npermission = \"it is a simulation\"\n\
             pace = \"{pace}ms\"\nconcurrency = 1\nbase_url = \"{base}\"\n"
        );
        std::fs::write(&config, settings).unwrap();
        let config = config.to_str().unwrap().to_owned();
        Self {
            simulator,
            db: database.db.clone(),
            jeden: Jeden::on(&database.url),
            config,
            _folder: folder,
        }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.jeden
            .command(&[arguments, &["--config", &self.config]].concat())
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        super::jeden::ran(&mut self.command(arguments))
    }

    /// Starts a worker that does not wait long for anything.
    pub fn work(&self) -> Process {
        self.work_with(&[])
    }

    /// As [`Works::work`], with settings of its own.
    pub fn work_with(&self, settings: &[&str]) -> Process {
        let quick = [
            "work",
            "--poll",
            "50ms",
            "--heartbeat",
            "1s",
            "--retry",
            "1s",
            "--dedup-every",
            "1s",
        ];
        let mut command = self.command(&[&quick[..], settings].concat());
        Process(
            command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap(),
        )
    }

    /// The portal's last crawl, once there is one that is as is waited for.
    pub async fn until(&self, is_so: impl Fn(&CrawlRun) -> bool) -> CrawlRun {
        let began = Instant::now();
        loop {
            match crawl_runs::latest(&self.db, SITE).await.unwrap() {
                Some(run) if is_so(&run) => return run,
                last => assert!(began.elapsed() < FOR_EVER, "it never comes: {last:?}"),
            }
            glance().await;
        }
    }

    /// Waits until nothing is left to do.
    pub async fn until_idle(&self) {
        let began = Instant::now();
        loop {
            let unfinished = jobs::unfinished(&self.db).await.unwrap();
            if unfinished.is_empty() && listings::pending_count(&self.db).await.unwrap() == 0 {
                return;
            }
            assert!(began.elapsed() < FOR_EVER, "it never ends: {unfinished:#?}");
            glance().await;
        }
    }
}

/// A moment goes by.
pub async fn glance() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

pub fn is_complete(run: &CrawlRun) -> bool {
    run.outcome == RunOutcome::Complete
}

/// A process; it is killed when dropped.
pub struct Process(Child);

impl Process {
    /// What was started.
    pub fn of(child: Child) -> Self {
        Self(child)
    }

    /// Kills it, as `kill -9` does.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Asks it to stop, and waits until it has: its exit code.
    pub fn stop(mut self) -> Option<i32> {
        Command::new("kill")
            .args(["-TERM", &self.0.id().to_string()])
            .status()
            .unwrap();
        self.0.wait().unwrap().code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended already where the test ended it.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
