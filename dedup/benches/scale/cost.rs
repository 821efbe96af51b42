//! The cost of a step: elapsed time, CPU time and peak memory, read from `/proc` (Linux only).

use std::fs;
use std::time::{Duration, Instant};

/// A step under way.
pub struct Step {
    began: Instant,
    worked: Duration,
}

impl Step {
    /// Begins a step and resets the peak memory.
    pub fn begin() -> Self {
        // Resets the peak memory. If that is not allowed, the peak of the whole process is shown.
        let _unsupported = fs::write("/proc/self/clear_refs", "5");
        Self {
            began: Instant::now(),
            worked: worked(),
        }
    }

    /// The cost as text.
    pub fn end(self) -> String {
        let (clock, cores) = (self.began.elapsed(), worked().saturating_sub(self.worked));
        format!(
            "{:7.2} s of CPU, {:7.2} s on the clock, at most {:5} MB",
            cores.as_secs_f64(),
            clock.as_secs_f64(),
            memory("VmHWM:").unwrap_or_default() / 1024
        )
    }
}

/// CPU time of all threads of this process.
fn worked() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may hold spaces. Ticks are hundredths of a second on Linux.
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|ticks| ticks.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// A memory value of the process, in kilobytes.
fn memory(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
