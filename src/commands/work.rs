//! `jeden work`

use schema::store::schedules;
use tokio_util::sync::CancellationToken;

use crate::cli::Work;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::work::{Manner, Worker};
use crate::{metrics, progress, signals};

pub async fn run(options: &Work, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    metrics::start(settings, &db).await?;
    let scheduled = schedules::list(&db).await?.iter().filter(|one| !one.paused).count();
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
