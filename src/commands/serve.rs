//! `jeden serve`

use std::sync::Arc;

use anyhow::Context;
use rand::RngExt;
use schema::store::Db;
use tokio::net::TcpListener;

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{chance, clock, metrics, progress, signals};

/// Files that are open beside connections: the database's, the registry's, the logs.
const OTHER_FILES: u64 = 128;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let listener = listen(settings).await?;
    metrics::start(settings, &db).await?;
    serve(db, listener, settings).await?;
    Ok(Outcome::Done)
}

/// Takes the address before anything slow is done, so that a taken port is known at once.
pub async fn listen(settings: &Settings) -> anyhow::Result<TcpListener> {
    TcpListener::bind(&settings.listen).await.with_context(|| {
        format!(
            "cannot listen on {}; --listen chooses another address",
            settings.listen
        )
    })
}

/// Serves until Ctrl-C or SIGTERM, then lets requests in flight end.
pub async fn serve(db: Db, listener: TcpListener, settings: &Settings) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let base_url = settings
        .base_url()?
        .unwrap_or_else(|| format!("http://{address}"));
    let mut config = api::ApiConfig::new(base_url, Arc::new(clock::now));
    config.search_timeout = settings.search_timeout()?;
    config.connections.open = connections(settings);
    config.failed_attempts = settings.failed_attempts;
    config.gazetteer = Some(settings.gazetteer());
    config.cors_origins = settings.cors_origins()?;
    config.outside_geocoder = settings.outside_geocoder()?;
    let api = api::ApiState::start(db.clone(), config, chance::rng().random()).await?;
    progress::say(&format!("Serving on http://{address} until Ctrl-C."));
    api::serve(listener, api, signals::stopped()).await?;
    db.close().await;
    Ok(())
}

/// How many connections may be open: as many as the settings say, if the system lets this process have as many files. It
/// lets it have a thousand or so as a rule, and more where it is asked for more.
fn connections(settings: &Settings) -> usize {
    let wanted = settings.max_connections.max(1);
    let files = (wanted as u64).saturating_add(OTHER_FILES);
    match rlimit::increase_nofile_limit(files) {
        Ok(allowed) if allowed >= files => wanted,
        Ok(allowed) => {
            let possible = allowed.saturating_sub(OTHER_FILES).max(1) as usize;
            tracing::warn!(
                wanted,
                possible,
                "the system allows fewer open files: raise `ulimit -Hn`"
            );
            possible
        }
        Err(error) => {
            tracing::warn!(%error, "the number of open files was not raised");
            wanted
        }
    }
}
