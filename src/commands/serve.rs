//! `jeden serve`

use std::sync::Arc;

use anyhow::Context;
use rand::RngExt;
use schema::store::Db;
use tokio::net::TcpListener;

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{chance, clock, metrics, progress, signals};

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
        format!("cannot listen on {}: is it taken? --listen chooses another address", settings.listen)
    })
}

/// Serves until Ctrl-C or SIGTERM, then lets requests in flight end.
pub async fn serve(db: Db, listener: TcpListener, settings: &Settings) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let base_url = settings.base_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let mut config = api::ApiConfig::new(base_url, Arc::new(clock::now));
    config.search_timeout = settings.search_timeout()?;
    config.gazetteer = Some(settings.gazetteer());
    config.cors_origins = settings.cors_origins();
    config.outside_geocoder = settings.outside_geocoder()?;
    let api = api::ApiState::start(db.clone(), config, chance::rng().random()).await?;
    progress::say(&format!("Serving on http://{address} until Ctrl-C."));
    api::serve(listener, api, signals::stopped()).await?;
    db.close().await;
    Ok(())
}
