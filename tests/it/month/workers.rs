//! Worker processes that are killed and frozen again and again. Their number stays the same.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::jeden::{Jeden, Ran};

/// How long a worker is frozen: longer than three heartbeats, after which the queue takes it for dead and hands its jobs
/// to another worker.
const FROZEN_FOR: Duration = Duration::from_millis(4_500);

/// Workers on one database.
pub struct Workers {
    jeden: Jeden,
    config: String,
    places: Vec<Option<Worker>>,
    /// How many were started. Each sends portals another contact, so that requests tell which worker sent them.
    started: usize,
    killed_within: usize,
    rng: StdRng,
    /// When workers were killed.
    pub kills: Vec<Instant>,
    /// How many workers were frozen.
    pub freezes: usize,
}

struct Worker {
    process: Child,
    /// The number of requests to the simulator after which the next step is due.
    until: usize,
    next_step: NextStep,
}

/// What happens next to a worker.
enum NextStep {
    Kill,
    Freeze,
    Thaw { at: Instant },
}

impl Workers {
    /// This many workers, not yet started. If there are several, some are frozen before they are killed.
    pub fn new(jeden: Jeden, config: String, workers: usize, killed_within: usize) -> Self {
        let places = (0..workers).map(|_| None).collect();
        let rng = StdRng::seed_from_u64(31);
        Self {
            jeden,
            config,
            places,
            started: 0,
            killed_within,
            rng,
            kills: Vec::new(),
            freezes: 0,
        }
    }

    /// A command of the operator.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.jeden
            .command(&[arguments, &["--config", &self.config]].concat())
    }

    /// Replays lines from standard input. Nothing thaws a worker meanwhile, so none may be frozen: it could hold the lock
    /// that the replay waits for.
    pub fn replay(&mut self, lines: &str) -> Ran {
        for worker in self.places.iter_mut().flatten() {
            worker.thaw();
        }
        let arguments = ["replay", "-", "--config", &self.config];
        self.jeden.run_with(&arguments, lines)
    }

    /// Starts missing workers, and kills, freezes or thaws the ones that are due after this many requests.
    pub fn step(&mut self, requests: usize) {
        for place in 0..self.places.len() {
            let mut worker = match self.places[place].take() {
                Some(worker) => worker,
                None => self.start(requests),
            };
            assert!(
                worker.process.try_wait().unwrap().is_none(),
                "a worker ended unexpectedly"
            );
            let is_due = requests >= worker.until;
            match worker.next_step {
                NextStep::Kill if is_due => {
                    worker.end();
                    self.kills.push(Instant::now());
                    continue;
                }
                NextStep::Freeze if is_due => {
                    worker.signal("-STOP");
                    self.freezes += 1;
                    worker.next_step = NextStep::Thaw {
                        at: Instant::now() + FROZEN_FOR,
                    };
                }
                NextStep::Thaw { at } if at <= Instant::now() => {
                    worker.thaw();
                    worker.until = requests + self.rng.random_range(10..self.killed_within);
                }
                NextStep::Kill | NextStep::Freeze | NextStep::Thaw { .. } => {}
            }
            self.places[place] = Some(worker);
        }
    }

    fn start(&mut self, requests: usize) -> Worker {
        self.started += 1;
        let contact = format!("worker-{}@example.cz", self.started);
        let mut command = self.command(&["work", "--contact", &contact]);
        // Another worker soon takes the jobs of a dead one.
        command.args(["--poll", "100ms", "--heartbeat", "1s", "--retry", "1s"]);
        let process = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let frozen = self.places.len() > 1 && self.rng.random_bool(0.5);
        let until = requests + self.rng.random_range(10..self.killed_within);
        Worker {
            process,
            until,
            next_step: if frozen {
                NextStep::Freeze
            } else {
                NextStep::Kill
            },
        }
    }

    /// Kills all of them.
    pub fn kill_all(&mut self) {
        self.places
            .iter_mut()
            .filter_map(Option::take)
            .for_each(Worker::end);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.kill_all();
    }
}

impl Worker {
    fn signal(&self, signal: &str) {
        let sent = Command::new("kill")
            .args([signal, &self.process.id().to_string()])
            .status()
            .unwrap();
        assert!(sent.success());
    }

    /// Lets it run on if it is frozen. It is killed next.
    fn thaw(&mut self) {
        if let NextStep::Thaw { .. } = self.next_step {
            self.signal("-CONT");
            self.next_step = NextStep::Kill;
        }
    }

    /// Kills it, as `kill -9` does.
    fn end(mut self) {
        // If it has ended already, the test fails later.
        let _ended = self.process.kill().and_then(|()| self.process.wait());
    }
}
