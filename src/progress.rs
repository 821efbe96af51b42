//! Output: messages and progress on stderr, results on stdout.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often progress is written as a plain line when stderr is not a terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// Prints a message for the person at the terminal.
pub fn say(message: &str) {
    // A closed stderr must not end the command.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Prints a result on stdout.
pub fn result(line: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout().lock(), "{line}")
}

/// The progress of a long step: a bar on a terminal, a plain line every few seconds elsewhere.
#[derive(Debug)]
pub struct Steps {
    bar: ProgressBar,
    unit: Unit,
    last_line: Instant,
    plain: bool,
}

impl Steps {
    /// Starts a step of `total` units; 0 means that the total is unknown.
    pub fn new(total: u64, unit: Unit) -> Self {
        let plain = !std::io::stderr().is_terminal();
        let bar = if plain {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(total)
        };
        let steps = Self {
            bar,
            unit,
            last_line: Instant::now(),
            plain,
        };
        steps.set_total(total);
        steps
    }

    /// Shows the position and what is being done.
    pub fn at(&mut self, position: u64, message: &str) {
        self.bar.set_position(position);
        self.bar.set_message(message.to_owned());
        self.say_periodically(message);
    }

    /// Shows the position in a part of the work with its own total; 0 means that the total is unknown.
    pub fn at_of_total(&mut self, position: u64, total: u64, what: &str) {
        if self.bar.length() != Some(total) {
            self.set_total(total);
        }
        self.bar.set_position(position);
        self.bar.set_message(what.to_owned());
        self.say_periodically(&plain_line(position, total, what));
    }

    fn set_total(&self, total: u64) {
        let template = match (self.unit, total) {
            (Unit::Bytes, 0) => "{spinner} {msg} {bytes} {binary_bytes_per_sec}",
            (Unit::Bytes, _) => "{bar:30} {bytes}/{total_bytes} {msg} ({eta})",
            (Unit::Count, 0) => "{spinner} {msg}",
            (Unit::Count, _) => "{bar:30} {human_pos}/{human_len} {msg} ({eta})",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_length(total);
    }

    fn say_periodically(&mut self, line: &str) {
        if self.plain && self.last_line.elapsed() >= PLAIN_EVERY {
            self.last_line = Instant::now();
            say(line);
        }
    }

    /// Shows what is being done; the position stays.
    pub fn message(&mut self, message: &str) {
        self.bar.set_message(message.to_owned());
    }

    /// Removes the bar.
    pub fn done(self) {
        self.bar.finish_and_clear();
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

fn plain_line(position: u64, total: u64, what: &str) -> String {
    if total == 0 {
        what.to_owned()
    } else {
        format!("{position} of {total} {what}")
    }
}

#[cfg(test)]
mod tests {
    use super::plain_line;

    #[test]
    fn a_plain_line_says_how_much_of_what_is_done() {
        assert_eq!(
            plain_line(7, 20, "records written"),
            "7 of 20 records written"
        );
        assert_eq!(plain_line(0, 0, "comparing"), "comparing");
    }
}
