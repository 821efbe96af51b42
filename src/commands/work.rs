//! `jeden work`

use clap::Args;
use schema::store::schedules;
use tokio_util::sync::CancellationToken;

use super::operator_console;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::work::{Worker, WorkerOptions};
use crate::{metrics, progress, signals};

/// `jeden work`
#[derive(Debug, Args)]
pub struct Work {
    /// How often to check for due and queued jobs
    #[arg(long, value_name = "DURATION", default_value = "1s")]
    poll: humantime::Duration,
    /// How many portals to crawl at once
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = portals_at_once)]
    portals_at_once: usize,
    /// How long running jobs may take to end when the worker is stopped
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    grace: humantime::Duration,
    /// How often to signal that this worker is alive, in whole seconds up to 15. If a worker misses three signals, others
    /// take its jobs
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = heartbeat)]
    heartbeat: humantime::Duration,
    /// How long to wait before a failed job is retried for the first time; each further wait is longer
    #[arg(long, value_name = "DURATION", default_value = "30s")]
    retry: humantime::Duration,
    /// How often to deduplicate while listings wait for it, in addition to after every crawl
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    dedup_every: humantime::Duration,
    /// The most memory for keeping matching in memory, in megabytes. Without enough of it, or with 0, changed listings are
    /// matched through the database. The default is half of what is available
    #[arg(long, value_name = "MB")]
    matching_memory: Option<u32>,
}

fn portals_at_once(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| *count > 0)
        .ok_or_else(|| "expected a number of at least 1".to_owned())
}

/// The limit of 15 seconds: `jeden status` counts a worker as dead after a minute without a signal.
fn heartbeat(text: &str) -> Result<humantime::Duration, String> {
    let heartbeat: humantime::Duration = text.parse().map_err(|error| format!("{error}"))?;
    match heartbeat.as_secs() {
        1..=15 if heartbeat.subsec_nanos() == 0 => Ok(heartbeat),
        _ => Err("expected a whole number of seconds from 1 to 15, such as 10s".to_owned()),
    }
}

pub async fn run(options: &Work, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    metrics::start(settings, &db).await?;
    operator_console::start_if_set(settings, &db, None).await?;
    let scheduled = schedules::list(&db)
        .await?
        .iter()
        .filter(|one| !one.paused)
        .count();
    if scheduled == 0 {
        progress::say(
            "No portal is scheduled; schedule one with `jeden schedule set PORTAL CRON`.",
        );
    }
    let stop = CancellationToken::new();
    let worker_options = WorkerOptions {
        poll: options.poll.into(),
        heartbeat: options.heartbeat.into(),
        portals_at_once: options.portals_at_once,
        retry: options.retry.into(),
        dedup_every: options.dedup_every.into(),
        matching_memory: options.matching_memory.map(|mb| u64::from(mb) * 1_000_000),
    };
    let worker = Worker::new(db.clone(), settings.clone(), worker_options, stop.clone());
    let working = tokio::spawn(async move { worker.run().await });
    progress::say("Working until Ctrl-C.");
    signals::stopped().await;
    progress::say("Stopping: running crawls store their position.");
    stop.cancel();
    // Nothing is lost if a worker does not end in time: the next worker takes its jobs.
    match tokio::time::timeout(options.grace.into(), working).await {
        Ok(ended) => ended?,
        Err(_elapsed) => {
            progress::say("Some jobs did not end in time; the next worker takes them.");
            // A regular exit would wait for the threads and connections of those jobs.
            std::process::exit(1);
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}
