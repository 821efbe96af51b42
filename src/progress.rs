//! Output: messages and progress on stderr, results on stdout.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often progress is written as a plain line when stderr is not a terminal, whether there is any or not.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// How often a bar on a terminal moves by itself.
const TICK: Duration = Duration::from_millis(200);

/// Prints a message for the person at the terminal.
pub fn say(message: &str) {
    // A closed stderr must not end the command.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Prints a result on stdout.
pub fn result(line: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout().lock(), "{line}")
}

/// The progress of a long step: a bar on a terminal, a plain line every five seconds elsewhere.
#[derive(Debug)]
pub struct Steps {
    bar: ProgressBar,
    unit: Unit,
    step: Arc<Mutex<Step>>,
    /// Ends the plain lines when it is dropped.
    _lines: Option<mpsc::Sender<()>>,
}

/// A step and how far it is.
#[derive(Debug)]
struct Step {
    message: String,
    position: u64,
    /// 0 means that it is unknown.
    total: u64,
    began: Instant,
}

impl Steps {
    /// Starts a step of `total` units; 0 means that the total is unknown.
    pub fn new(total: u64, unit: Unit) -> Self {
        let step = Arc::new(Mutex::new(Step {
            message: String::new(),
            position: 0,
            total,
            began: Instant::now(),
        }));
        let plain = !std::io::stderr().is_terminal();
        let steps = Self {
            bar: if plain {
                ProgressBar::hidden()
            } else {
                ProgressBar::new(total)
            },
            unit,
            _lines: plain.then(|| print_lines(unit, Arc::clone(&step))),
            step,
        };
        steps.set_total(total);
        steps
    }

    /// Shows the position and what is being done.
    pub fn at(&mut self, position: u64, message: &str) {
        self.bar.set_position(position);
        self.message(message);
        if let Ok(mut step) = self.step.lock() {
            step.position = position;
        }
    }

    /// Shows the position in a part of the work with its own total; 0 means that the total is unknown.
    pub fn at_of_total(&mut self, position: u64, total: u64, what: &str) {
        if self.bar.length() != Some(total) {
            self.set_total(total);
        }
        self.bar.set_position(position);
        self.bar.set_message(what.to_owned());
        if let Ok(mut step) = self.step.lock() {
            if step.message != what {
                step.began = Instant::now();
                what.clone_into(&mut step.message);
            }
            (step.position, step.total) = (position, total);
        }
    }

    fn set_total(&self, total: u64) {
        let template = match (self.unit, total) {
            (Unit::Bytes, 0) => "{spinner} {msg} {bytes} {binary_bytes_per_sec}",
            (Unit::Bytes, _) => "{bar:30} {bytes}/{total_bytes} {msg} ({eta})",
            (Unit::Count, 0) => "{spinner} {msg} ({elapsed})",
            (Unit::Count, _) => "{bar:30} {human_pos}/{human_len} {msg} ({eta})",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
        self.bar.reset_eta();
        self.bar.enable_steady_tick(TICK);
    }

    /// Shows what is being done; the position stays.
    pub fn message(&mut self, message: &str) {
        self.bar.set_message(message.to_owned());
        if let Ok(mut step) = self.step.lock() {
            message.clone_into(&mut step.message);
        }
    }

    /// Removes the bar.
    pub fn done(self) {
        self.bar.finish_and_clear();
    }
}

/// Writes a line about the step every five seconds, until the sender is dropped.
fn print_lines(unit: Unit, step: Arc<Mutex<Step>>) -> mpsc::Sender<()> {
    let (sender, ended) = mpsc::channel();
    std::thread::spawn(move || {
        while ended.recv_timeout(PLAIN_EVERY) == Err(mpsc::RecvTimeoutError::Timeout) {
            let Ok(step) = step.lock() else { return };
            if !step.message.is_empty() {
                say(&step.line(unit, step.began.elapsed()));
            }
        }
    });
    sender
}

impl Step {
    /// The step in one line: how far it is, and how long it will take if it goes on at the same pace.
    fn line(&self, unit: Unit, elapsed: Duration) -> String {
        let Self {
            message,
            position,
            total,
            ..
        } = self;
        let done = match (unit, total) {
            (Unit::Count, 0) if *position == 0 => {
                return format!("{message} for {}", rounded(elapsed));
            }
            (_, 0) => return message.clone(),
            (Unit::Count, _) => format!("{position} of {total} {message}"),
            (Unit::Bytes, _) => {
                format!("{message}, {} % of the input", position * 100 / total)
            }
        };
        if *position == 0 || position >= total {
            return done;
        }
        let left = elapsed.mul_f64((total - position) as f64 / *position as f64);
        format!("{done}, about {} left", rounded(left))
    }
}

/// A duration in seconds or, from two minutes on, in minutes.
fn rounded(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

/// The unit of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of input.
    Bytes,
    /// Listings, records or other items.
    Count,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_the_step_how_far_it_is_and_how_long_it_will_take() {
        let line = |(position, total), unit, message: &str, seconds| {
            let step = Step {
                message: message.to_owned(),
                position,
                total,
                began: Instant::now(),
            };
            step.line(unit, Duration::from_secs(seconds))
        };
        assert_eq!(
            line((7, 20), Unit::Count, "records written", 14),
            "7 of 20 records written, about 26 s left"
        );
        assert_eq!(
            line((100, 500), Unit::Bytes, "33 lines read", 60),
            "33 lines read, 20 % of the input, about 4 min left"
        );
        assert_eq!(line((20, 20), Unit::Count, "read", 9), "20 of 20 read");
        assert_eq!(
            line((0, 0), Unit::Count, "comparing", 9),
            "comparing for 9 s"
        );
        assert_eq!(line((9, 0), Unit::Bytes, "9 lines read", 9), "9 lines read");
    }
}
