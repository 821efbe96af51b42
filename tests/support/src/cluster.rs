//! A private PostgreSQL cluster.

use std::io::{Error, Result};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::folder;
use crate::programs::Programs;

/// A PostgreSQL cluster in a temporary folder. When it is dropped, or when the process that started it ends in any way, the
/// server stops and the folder is deleted.
#[derive(Debug)]
pub struct PostgresCluster {
    programs: Programs,
    folder: PathBuf,
    watchdog: Child,
}

/// Waits until the pipe from the test process closes, then stops the server and deletes the folder; it repeats this while
/// the server is still starting. It ignores the signals of the tests' terminal.
const WATCHDOG: &str = r#"trap '' INT TERM HUP; cat > /dev/null
kill -CONT "$(head -n 1 "$2/data/postmaster.pid")"
while "$1" -D "$2/data" stop -m immediate; rm -rf "$2"; [ -e "$2" ]; do sleep 0.1; done"#;

impl PostgresCluster {
    /// Starts a cluster. `None`, with a notice, if PostgreSQL is not installed.
    ///
    /// # Panics
    /// If PostgreSQL is installed but does not start, or if `JEDEN_TEST_REQUIRE` names it and it is not installed.
    pub fn start() -> Option<Self> {
        let Some(programs) = Programs::find() else {
            assert!(
                !crate::required("postgres"),
                "JEDEN_TEST_REQUIRE names postgres, but PostgreSQL is not installed"
            );
            crate::notice(
                "skipped: PostgreSQL is not installed, and the test needs a private cluster",
            );
            return None;
        };
        Some(Self::start_with(programs).expect("PostgreSQL is installed but does not start"))
    }

    pub(crate) fn start_with(programs: Programs) -> Result<Self> {
        let cluster = Self::in_new_folder(programs)?;
        let data = cluster.data();
        let data = data.to_string_lossy();
        let initdb = [
            "-D",
            &data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        ];
        cluster.run("initdb", &initdb)?;
        cluster.run_server()?;
        Ok(cluster)
    }

    /// A folder without a cluster yet, and what deletes it in the end.
    fn in_new_folder(programs: Programs) -> Result<Self> {
        let folder = folder::for_databases()?;
        programs.hand_over(folder.path())?;
        let watchdog = programs
            .command("/bin/sh")
            .args(["-c", WATCHDOG, "watchdog"])
            .arg(programs.path("pg_ctl"))
            .arg(folder.path())
            .stdin(Stdio::piped())
            .process_group(0)
            .spawn()?;
        // From here on the watchdog deletes the folder.
        Ok(Self {
            programs,
            folder: folder.keep(),
            watchdog,
        })
    }

    /// Starts a streaming replica of the cluster, made with `pg_basebackup`.
    ///
    /// # Panics
    /// If it cannot be made or does not start.
    #[must_use]
    pub fn replica(&self) -> Self {
        let replica = Self::in_new_folder(self.programs.clone()).expect("a folder for a replica");
        let (data, primary) = (replica.data(), self.folder.to_string_lossy());
        let copy = [
            "-h",
            &primary,
            "-U",
            "postgres",
            "-D",
            &data.to_string_lossy(),
            "-R",
        ];
        let quick = ["-X", "stream", "-c", "fast", "--no-sync"];
        replica
            .run("pg_basebackup", &[&copy[..], &quick].concat())
            .expect("a copy of the cluster");
        replica.run_server().expect("the replica starts");
        replica
    }

    /// Waits until a replica has what the primary has committed.
    ///
    /// # Panics
    /// If one of them does not answer.
    pub async fn catch_up_with(&self, primary: &Self) {
        let end = "SELECT CAST(pg_current_wal_flush_lsn() AS TEXT)";
        let end = crate::databases::text(&primary.url("postgres"), end.to_owned()).await;
        let reached = format!("SELECT CAST(pg_last_wal_replay_lsn() >= '{end}' AS TEXT)");
        while crate::databases::text(&self.url("postgres"), reached.clone()).await != "true" {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    /// Makes a replica a primary.
    ///
    /// # Panics
    /// If it is not a replica.
    pub fn promote(&self) {
        let data = self.data();
        self.run("pg_ctl", &["-D", &data.to_string_lossy(), "-w", "promote"])
            .expect("the replica is promoted");
    }

    /// Stops the server immediately, as a crash would: clients lose their connections.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn stop(&self) {
        let data = self.data();
        self.run(
            "pg_ctl",
            &["-D", &data.to_string_lossy(), "stop", "-m", "immediate"],
        )
        .expect("PostgreSQL does not stop");
    }

    /// Starts the server again after [`PostgresCluster::stop`], with its data.
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&self) {
        self.run_server().expect("PostgreSQL does not start again");
    }

    /// Pauses every process of the server until the returned value is dropped. The server keeps its connections but does
    /// not answer.
    ///
    /// # Panics
    /// If it is not running.
    pub fn pause(&self) -> Paused {
        let file = self.data().join("postmaster.pid");
        let server = std::fs::read_to_string(file).expect("a running server notes its process");
        let server: u32 = server
            .lines()
            .next()
            .and_then(|id| id.parse().ok())
            .expect("the number of a process");
        // First the process that starts the others.
        signal("-STOP", &[server]);
        let paused = Paused {
            processes: [vec![server], children_of(server)].concat(),
        };
        signal("-STOP", &paused.processes);
        paused
    }

    /// Runs one statement in a database of the cluster.
    ///
    /// # Panics
    /// If it fails.
    pub async fn execute(&self, database: &str, text: &str) {
        crate::faults::execute(&self.url(database), text).await;
    }

    /// The address of a database in the cluster.
    pub fn url(&self, database: &str) -> String {
        format!(
            "postgres://postgres@localhost/{database}?host={}",
            self.folder.display()
        )
    }

    /// Creates an empty database and returns its address.
    ///
    /// # Panics
    /// If it exists already, or the server is stopped.
    pub async fn create_database(&self, database: &str) -> String {
        crate::databases::statement(&self.url("postgres"), format!("CREATE DATABASE {database}"))
            .await
            .expect("the database can be created");
        self.url(database)
    }

    /// A migrated database of the cluster.
    ///
    /// # Panics
    /// If it exists already, or the server is stopped.
    pub async fn migrated_database(&self, database: &str) -> crate::TestDatabase {
        let url = self.create_database(database).await;
        crate::TestDatabase::migrated(&url, &self.url("postgres"), database).await
    }

    fn run_server(&self) -> Result<()> {
        let data = self.data();
        // No data needs to survive a power failure, so nothing is synced to disk.
        let options = format!(
            "-c listen_addresses= -c unix_socket_directories={} -c fsync=off -c full_page_writes=off \
             -c max_connections=200 -c shared_buffers=64MB",
            self.folder.display()
        );
        let log = self.folder.join("log");
        let log = log.to_string_lossy();
        let started = self.run(
            "pg_ctl",
            &[
                "-D",
                &data.to_string_lossy(),
                "-l",
                &log,
                "-o",
                &options,
                "-w",
                "start",
            ],
        );
        started.map_err(|error| {
            let log = std::fs::read_to_string(&*log).unwrap_or_default();
            Error::other(format!("{error}\n{log}"))
        })
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        let mut command = self.programs.command(self.programs.path(program));
        let status = command.args(arguments).status()?;
        if status.success() {
            Ok(())
        } else {
            Err(Error::other(format!("{program}: {status}")))
        }
    }

    /// The folder that holds all of it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for PostgresCluster {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        // A failure does no harm: the next run has its own folder.
        let _ = self.watchdog.wait();
    }
}

/// A paused server. It continues when this is dropped.
#[derive(Debug)]
pub struct Paused {
    processes: Vec<u32>,
}

impl Drop for Paused {
    fn drop(&mut self) {
        signal("-CONT", &self.processes);
    }
}

fn signal(name: &str, processes: &[u32]) {
    let processes = processes.iter().map(u32::to_string);
    // A process that has ended by now needs no signal.
    let _ = Command::new("kill")
        .arg(name)
        .args(processes)
        .stderr(Stdio::null())
        .status();
}

fn children_of(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_child = |process: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        // After the name, which may contain anything, follow the state and the parent.
        let parent_of = stat
            .rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        parent_of == Some(parent)
    };
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(is_child)
        .collect()
}
