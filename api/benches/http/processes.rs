//! What processes have used of the machine, from `/proc`.

use std::fs;

/// User and system time of this process so far.
pub(crate) fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    seconds(&stat, &[USER, SYSTEM])
}

/// User and system time of all PostgreSQL processes of the machine so far, those that have ended included.
pub(crate) fn postgres_cpu_seconds() -> f64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| fs::read_to_string(process.path().join("stat")).ok())
        .filter(|stat| stat.contains("(postgres)"))
        .map(|stat| seconds(&stat, &[USER, SYSTEM, ENDED_USER, ENDED_SYSTEM]))
        .sum()
}

/// The memory of this process, now and at its peak.
pub(crate) fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|it| it.trim().trim_end_matches(" kB").trim().parse::<f64>().ok())
            .unwrap_or_default()
            / 1024.0
    };
    format!(
        "{:.0} MB of memory, at most {:.0} MB",
        line("VmRSS:"),
        line("VmHWM:")
    )
}

/// Places of fields after the name of the process in `/proc/PID/stat` (`man proc_pid_stat`).
const USER: usize = 11;
const SYSTEM: usize = 12;
/// The same of children that have ended.
const ENDED_USER: usize = 13;
const ENDED_SYSTEM: usize = 14;

fn seconds(stat: &str, places: &[usize]) -> f64 {
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |place: &usize| {
        fields
            .get(*place)
            .and_then(|it| it.parse::<f64>().ok())
            .unwrap_or_default()
    };
    places.iter().map(ticks).sum::<f64>() / 100.0
}
