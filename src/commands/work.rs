//! `jeden work`

use clap::Args;
use schema::store::schedules;
use tokio_util::sync::CancellationToken;

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::work::{Manner, Worker};
use crate::{metrics, progress, signals};

/// `jeden work`
#[derive(Debug, Args)]
pub struct Work {
    /// How often to look for what is due
    #[arg(long, value_name = "DURATION", default_value = "1s")]
    poll: humantime::Duration,
    /// How many portals to crawl at once
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = portals_at_once)]
    portals_at_once: usize,
    /// How long to let what is under way end when stopped
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    grace: humantime::Duration,
    /// How often to give a sign of life, in whole seconds up to 15: jobs of a worker that gave none for three times
    /// that are taken up by others
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = heartbeat)]
    heartbeat: humantime::Duration,
    /// How long to wait before what failed is tried again; longer each time
    #[arg(long, value_name = "DURATION", default_value = "30s")]
    retry: humantime::Duration,
    /// How often to deduplicate while listings wait for it, beside after every crawl
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    dedup_every: humantime::Duration,
}

fn portals_at_once(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|count| *count > 0)
        .ok_or_else(|| "at least one".to_owned())
}

/// `jeden status` counts a worker as dead that gave no sign of life for a minute.
fn heartbeat(text: &str) -> Result<humantime::Duration, String> {
    let heartbeat: humantime::Duration = text.parse().map_err(|error| format!("{error}"))?;
    match heartbeat.as_secs() {
        1..=15 if heartbeat.subsec_nanos() == 0 => Ok(heartbeat),
        _ => Err("a whole number of seconds from 1 to 15".to_owned()),
    }
}

pub async fn run(options: &Work, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    metrics::start(settings, &db).await?;
    let scheduled = schedules::list(&db)
        .await?
        .iter()
        .filter(|one| !one.paused)
        .count();
    if scheduled == 0 {
        progress::say("No portal is scheduled: `jeden schedule set PORTAL CRON` schedules one.");
    }
    let stop = CancellationToken::new();
    let manner = Manner {
        poll: options.poll.into(),
        heartbeat: options.heartbeat.into(),
        portals_at_once: options.portals_at_once,
        retry: options.retry.into(),
        dedup_every: options.dedup_every.into(),
    };
    let worker = Worker::new(db.clone(), settings.clone(), manner, stop.clone());
    let working = tokio::spawn(async move { worker.run().await });
    progress::say("Working until Ctrl-C.");
    signals::stopped().await;
    progress::say("Stopping: what is under way notes where it is.");
    stop.cancel();
    // A worker that does not end has done nothing that is lost: its jobs are taken up by the next one.
    match tokio::time::timeout(options.grace.into(), working).await {
        Ok(ended) => ended?,
        Err(_elapsed) => {
            progress::say("Not all of it ended in time: the next worker takes it up.");
            // Waiting for its threads and connections would be waiting for it after all.
            std::process::exit(1);
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}
