//! The workers: there are always as many, and none of them lives for long.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::jeden::Jeden;

/// For how long a worker is frozen: longer than three heartbeats, after which the queue holds it for dead and gives its
/// jobs to another one.
const FROZEN_FOR: Duration = Duration::from_millis(4_500);

/// Workers on one database.
pub struct Crew {
    jeden: Jeden,
    config: String,
    places: Vec<Option<Worker>>,
    /// How many were begun. Each tells portals another contact, so that requests say whose they are.
    begun: usize,
    killed_within: usize,
    rng: StdRng,
    /// When workers were killed.
    pub kills: Vec<Instant>,
}

struct Worker {
    process: Child,
    /// At which visit of all it meets its fate.
    until: usize,
    fate: Fate,
}

enum Fate {
    Killed,
    Frozen,
    Thawed { at: Instant },
}

impl Crew {
    /// So many workers, of which none is begun yet. Where there are several, some are frozen before they are killed.
    pub fn of(jeden: Jeden, config: String, workers: usize, killed_within: usize) -> Self {
        let places = (0..workers).map(|_| None).collect();
        let rng = StdRng::seed_from_u64(31);
        Self {
            jeden,
            config,
            places,
            begun: 0,
            killed_within,
            rng,
            kills: Vec::new(),
        }
    }

    /// A command of the operator.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.jeden
            .command(&[arguments, &["--config", &self.config]].concat())
    }

    /// Fills empty places, and lets those meet their fate whose time has come: there were so many visits.
    pub fn glance(&mut self, visits: usize) {
        for place in 0..self.places.len() {
            let mut worker = match self.places[place].take() {
                Some(worker) => worker,
                None => self.begin(visits),
            };
            assert!(
                worker.process.try_wait().unwrap().is_none(),
                "a worker ended by itself"
            );
            let is_due = visits >= worker.until;
            match worker.fate {
                Fate::Killed if is_due => {
                    worker.end();
                    self.kills.push(Instant::now());
                    continue;
                }
                Fate::Frozen if is_due => {
                    worker.signal("-STOP");
                    worker.fate = Fate::Thawed {
                        at: Instant::now() + FROZEN_FOR,
                    };
                }
                Fate::Thawed { at } if at <= Instant::now() => {
                    worker.signal("-CONT");
                    worker.fate = Fate::Killed;
                    worker.until = visits + self.rng.random_range(10..self.killed_within);
                }
                Fate::Killed | Fate::Frozen | Fate::Thawed { .. } => {}
            }
            self.places[place] = Some(worker);
        }
    }

    fn begin(&mut self, visits: usize) -> Worker {
        self.begun += 1;
        let contact = format!("worker-{}@example.cz", self.begun);
        let mut command = self.command(&["work", "--contact", &contact]);
        // What a worker left undone is soon somebody else's.
        command.args(["--poll", "100ms", "--heartbeat", "1s", "--retry", "1s"]);
        let process = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let frozen = self.places.len() > 1 && self.rng.random_bool(0.5);
        let until = visits + self.rng.random_range(10..self.killed_within);
        Worker {
            process,
            until,
            fate: if frozen { Fate::Frozen } else { Fate::Killed },
        }
    }

    /// Ends all of them.
    pub fn dismiss(&mut self) {
        self.places
            .iter_mut()
            .filter_map(Option::take)
            .for_each(Worker::end);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.dismiss();
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

    /// Kills it, as `kill -9` does.
    fn end(mut self) {
        // It has ended already where the test fails because of that.
        let _ended = self.process.kill().and_then(|()| self.process.wait());
    }
}
