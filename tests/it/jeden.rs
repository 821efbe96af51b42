//! Runs the program.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// The standard output of a run that must have succeeded.
    pub fn done(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }
}

/// The program on one database, without the settings in the caller's environment.
#[derive(Debug, Clone)]
pub struct Jeden {
    url: String,
}

impl Jeden {
    /// The program on the database at `url`.
    pub fn on(url: &str) -> Self {
        Self {
            url: url.to_owned(),
        }
    }

    /// A command with these arguments, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(arguments).env("JEDEN_DATABASE_URL", &self.url);
        command
    }

    /// Runs to the end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(&mut self.command(arguments))
    }

    /// Runs to the end with `input` on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("the program ends");
        writer
            .join()
            .expect("the writer ends")
            .expect("the program reads its input");
        as_ran(&output)
    }

    /// Replays dumps, which must be valid.
    pub fn replay(&self, paths: &[&Path]) {
        let paths = paths
            .iter()
            .map(|path| path.to_str().expect("a path in UTF-8"));
        self.run(&[&["replay"], &*paths.collect::<Vec<_>>()].concat())
            .done();
    }

    /// Like [`Jeden::serve`], but started by another program, which receives the command line as its last arguments.
    pub fn serve_under(&self, wrapper: &[&str], arguments: &[&str]) -> Server {
        let inner = self.command(arguments);
        let mut command = Command::new(wrapper[0]);
        command
            .args(&wrapper[1..])
            .arg(inner.get_program())
            .args(inner.get_args())
            .stdin(Stdio::null());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.current_dir(env!("CARGO_TARGET_TMPDIR"));
        Server::start(command.arg("--listen").arg("127.0.0.1:0"))
    }

    /// Starts a command that serves, and waits until it accepts requests.
    pub fn serve(&self, arguments: &[&str]) -> Server {
        Server::start(self.command(arguments).arg("--listen").arg("127.0.0.1:0"))
    }
}

/// The program without any settings.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jeden"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("JEDEN_") {
            command.env_remove(name);
        }
    }
    // In a folder without a `jeden.toml`.
    command
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::null());
    command
}

/// Runs a command to the end.
pub fn ran(command: &mut Command) -> Ran {
    as_ran(&command.output().expect("the program starts"))
}

fn as_ran(output: &std::process::Output) -> Ran {
    Ran {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8(output.stdout.clone()).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(output.stderr.clone()).expect("UTF-8 on stderr"),
    }
}

/// A running server; it is killed when dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Its address, `http://…`.
    pub base: String,
    stderr: Arc<Mutex<String>>,
    reader: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a command that serves, and waits until it accepts requests.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stderr = Arc::new(Mutex::new(String::new()));
        let (told, listening) = std::sync::mpsc::channel();
        let lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let written = Arc::clone(&stderr);
        let reader = std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some(rest) = line.strip_prefix("Serving on ") {
                    // The first such line is enough.
                    let _ = told.send(rest.split(' ').next().unwrap_or_default().to_owned());
                }
                written
                    .lock()
                    .expect("no writer panics")
                    .push_str(&(line + "\n"));
            }
        });
        let base = listening.recv();
        let mut server = Self {
            child,
            base: base.clone().unwrap_or_default(),
            stderr,
            reader: Some(reader),
        };
        assert!(
            base.is_ok(),
            "the server does not start: {}",
            server.stop().1
        );
        server
    }

    /// Its process id.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The rest of the first line on stderr that begins so.
    pub fn line_with(&self, start: &str) -> Option<String> {
        let stderr = self.stderr.lock().expect("no writer panics");
        let mut lines = stderr.lines().filter_map(|line| line.strip_prefix(start));
        lines.next().map(str::to_owned)
    }

    /// Kills it with SIGKILL.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Asks it to stop and waits until it has ended. Returns the exit code, stderr and stdout.
    pub fn stop(&mut self) -> (Option<i32>, String, String) {
        let asked = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status();
        asked.expect("kill is there");
        let code = self.child.wait().expect("the server ends").code();
        if let Some(reader) = self.reader.take() {
            reader.join().expect("the reader ends");
        }
        let mut stdout = String::new();
        if let Some(mut pipe) = self.child.stdout.take() {
            pipe.read_to_string(&mut stdout).expect("UTF-8 on stdout");
        }
        (
            code,
            self.stderr.lock().expect("no writer panics").clone(),
            stdout,
        )
    }

    /// What it has written to stderr so far.
    pub fn said(&self) -> String {
        self.stderr.lock().expect("no writer panics").clone()
    }

    /// The first lines of stdout, while it runs.
    pub fn stdout_lines(&mut self, count: usize) -> Vec<String> {
        let pipe = self.child.stdout.take().expect("a pipe");
        let mut reader = BufReader::new(pipe);
        let mut line = || {
            let mut line = String::new();
            reader.read_line(&mut line).expect("UTF-8 on stdout");
            line.trim_end().to_owned()
        };
        (0..count).map(|_| line()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // If the test stopped it, it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A folder of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
