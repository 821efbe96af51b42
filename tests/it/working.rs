//! A simulated portal, the settings to crawl it, and worker processes, for tests of workers.

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

/// How long a test waits before it fails.
const TIMEOUT: Duration = Duration::from_mins(5);

/// A simulated portal, and the program with a database and the settings to crawl it.
pub struct Works {
    pub simulator: Simulator,
    pub db: Db,
    jeden: Jeden,
    config: String,
    _folder: TempDir,
}

impl Works {
    /// A portal with this many adverts, crawled at this pace.
    pub fn on(database: &TestDatabase, adverts: u64, pace: Duration) -> Self {
        let portal = SIMULATED
            .iter()
            .find(|portal| portal.site_id == SITE)
            .expect("the portal is simulated");
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

    /// Starts a worker with short intervals.
    pub fn work(&self) -> Process {
        self.work_with(&[])
    }

    /// Like [`Works::work`], with additional settings.
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

    /// Like [`Works::work`], with additional settings; the worker's log goes to a file.
    pub fn work_logged(&self, settings: &[&str], log: &std::path::Path) -> Process {
        let quick = [
            "work",
            "--poll",
            "50ms",
            "--heartbeat",
            "1s",
            "--retry",
            "1s",
        ];
        let mut command = self.command(&[&quick[..], settings].concat());
        let log = std::fs::File::create(log).unwrap();
        Process(command.stdout(Stdio::null()).stderr(log).spawn().unwrap())
    }

    /// Waits until the portal's last crawl satisfies the condition, and returns it.
    pub async fn until(&self, is_so: impl Fn(&CrawlRun) -> bool) -> CrawlRun {
        let began = Instant::now();
        loop {
            match crawl_runs::latest(&self.db, SITE).await.unwrap() {
                Some(run) if is_so(&run) => return run,
                last => assert!(
                    began.elapsed() < TIMEOUT,
                    "timed out; the last crawl is {last:?}"
                ),
            }
            poll().await;
        }
    }

    /// Waits until no job is queued and no listing waits for deduplication.
    pub async fn until_idle(&self) {
        let began = Instant::now();
        loop {
            let unfinished = jobs::unfinished(&self.db).await.unwrap();
            if unfinished.is_empty() && listings::pending_count(&self.db).await.unwrap() == 0 {
                return;
            }
            assert!(
                began.elapsed() < TIMEOUT,
                "timed out; unfinished: {unfinished:#?}"
            );
            poll().await;
        }
    }
}

/// Waits for a moment before the next check.
pub async fn poll() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

pub fn is_complete(run: &CrawlRun) -> bool {
    run.outcome == RunOutcome::Complete
}

/// A process; it is killed when dropped.
pub struct Process(Child);

impl Process {
    /// A process that was started.
    pub fn new(child: Child) -> Self {
        Self(child)
    }

    /// Kills it, as `kill -9` does.
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Asks it to stop, waits until it has ended, and returns its exit code.
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
        // The test may have ended it already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
