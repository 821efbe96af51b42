//! `jeden serve`

use std::sync::Arc;

use anyhow::Context;
use rand::RngExt;
use schema::store::Db;
use tokio::net::TcpListener;

use super::{change_feed, mcp, operator_console};
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, metrics, progress, random, signals};

/// Open files other than connections: those of the database, the registry and the logs.
const OTHER_FILES: u64 = 128;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let listener = listen(settings).await?;
    metrics::start(settings, &db).await?;
    serve(db, listener, settings).await?;
    Ok(Outcome::Done)
}

/// Binds the address before any slow work, so that a port in use is reported at once.
pub async fn listen(settings: &Settings) -> anyhow::Result<TcpListener> {
    TcpListener::bind(&settings.listen).await.with_context(|| {
        format!(
            "cannot listen on {}; choose another address with --listen",
            settings.listen
        )
    })
}

/// Serves until Ctrl-C or SIGTERM, then finishes the requests in flight.
pub async fn serve(db: Db, listener: TcpListener, settings: &Settings) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let base_url = settings
        .base_url()?
        .unwrap_or_else(|| format!("http://{address}"));
    let config = api_config(settings, base_url)?;
    let api = api::ApiState::start(db.clone(), config, random::rng().random()).await?;
    mcp::start_if_set(settings, &db, &api).await?;
    operator_console::start_if_set(settings, &db, Some(api.clone())).await?;
    let feed = change_feed::start_if_set(settings, &db, &api).await?;
    progress::say(&format!("Serving on http://{address} until Ctrl-C."));
    api::serve(listener, api, Box::pin(signals::stopped())).await?;
    if let Some(feed) = feed {
        feed.await??;
    }
    db.close().await;
    Ok(())
}

/// The settings of the API.
pub fn api_config(settings: &Settings, base_url: String) -> anyhow::Result<api::ApiConfig> {
    let mut config = api::ApiConfig::new(base_url, Arc::new(clock::now));
    config.contact.clone_from(&settings.contact);
    config.search_timeout = settings.search_timeout()?;
    config.connections.open = connections(settings);
    config.failed_attempts = settings.failed_attempts;
    config.gazetteer = Some(settings.gazetteer());
    config.documents = Some(settings.documents_folder());
    config.cors_origins = settings.cors_origins()?;
    config.outside_geocoder = settings.outside_geocoder()?;
    Ok(config)
}

/// How many connections may be open: the number in the settings, or fewer if the system allows this process fewer open
/// files. The usual limit is about a thousand, and most systems raise it on request.
pub fn connections(settings: &Settings) -> usize {
    let wanted = settings.max_connections.max(1);
    let files = (wanted as u64).saturating_add(OTHER_FILES);
    match rlimit::increase_nofile_limit(files) {
        Ok(allowed) if allowed >= files => wanted,
        Ok(allowed) => {
            let possible = allowed.saturating_sub(OTHER_FILES).max(1) as usize;
            tracing::warn!(
                wanted,
                possible,
                "the system allows fewer open files than --max-connections needs: raise `ulimit -Hn`"
            );
            possible
        }
        Err(error) => {
            tracing::warn!(%error, "raising the limit of open files failed");
            wanted
        }
    }
}
