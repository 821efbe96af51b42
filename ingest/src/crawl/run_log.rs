//! The lines of a crawl that are kept with it, for the operator who looks at it later.

use schema::Timestamp;
use schema::store::crawl_lines::CrawlLine;
use schema::store::crawl_runs::RunCounts;

/// How many lines of a crawl are kept, the first ones.
const MOST: u32 = 300;

/// The lines of a crawl: those that are stored, and those that the next transaction stores.
#[derive(Debug, Default)]
pub(super) struct RunLog {
    stored: u32,
    pending: Vec<CrawlLine>,
    step: String,
}

impl RunLog {
    /// The log of a crawl of which `stored` lines are stored already.
    pub(super) fn with_stored(stored: u32) -> Self {
        Self {
            stored,
            ..Self::default()
        }
    }

    /// Notes a step, unless it is the same as the last one.
    pub(super) fn step(&mut self, at: Timestamp, step: String, counts: RunCounts) {
        if self.step != step {
            self.note(at, step.clone(), counts);
            self.step = step;
        }
    }

    /// Notes something.
    pub(super) fn note(&mut self, at: Timestamp, line: String, counts: RunCounts) {
        let kept = self.stored + self.pending.len() as u32;
        let line = match kept {
            ..MOST => line,
            MOST => "further lines are only in the log of the process".to_owned(),
            _ => return,
        };
        self.pending.push(CrawlLine {
            at,
            line,
            seen: counts.seen,
            requests: counts.requests,
        });
    }

    /// How many lines are stored, and the lines to store.
    pub(super) fn pending(&self) -> (u32, &[CrawlLine]) {
        (self.stored, &self.pending)
    }

    /// The pending lines are stored.
    pub(super) fn saved(&mut self) {
        self.stored += self.pending.len() as u32;
        self.pending.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_noted_once_and_the_lines_are_bounded() {
        let mut log = RunLog::with_stored(MOST - 2);
        let counts = RunCounts::default();
        for (at, step) in [
            (1, "one"),
            (2, "one"),
            (3, "two"),
            (4, "three"),
            (5, "four"),
        ] {
            log.step(Timestamp(at), step.to_owned(), counts);
        }
        let (stored, pending) = log.pending();
        let lines: Vec<&str> = pending.iter().map(|line| line.line.as_str()).collect();
        assert_eq!(stored, MOST - 2);
        assert_eq!(
            lines,
            [
                "one",
                "two",
                "further lines are only in the log of the process"
            ]
        );
        log.saved();
        log.note(Timestamp(6), "five".to_owned(), counts);
        assert_eq!(log.pending(), (MOST + 1, &[][..]));
    }
}
