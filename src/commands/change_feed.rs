//! Starting the feed of changes beside the API.

use anyhow::Context;
use feed::FeedConfig;
use schema::store::Db;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::serve;
use crate::settings::Settings;
use crate::{progress, signals};

/// Starts the feed if the settings name an address for it. It ends when the process is told to stop.
pub async fn start_if_set(
    settings: &Settings,
    db: &Db,
    api: &api::ApiState,
) -> anyhow::Result<Option<JoinHandle<std::io::Result<()>>>> {
    let Some(address) = &settings.feed_listen else {
        return Ok(None);
    };
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address} for the feed of changes; choose another address with --feed-listen")
    })?;
    let address = listener.local_addr()?;
    let base_url = settings
        .feed_url()?
        .unwrap_or_else(|| format!("http://{address}"));
    let mut config = FeedConfig::new(base_url);
    config.connections.open = serve::connections(settings);
    progress::say(&format!("The feed of changes is on http://{address}."));
    Ok(Some(tokio::spawn(feed::serve(
        listener,
        (api.clone(), db.clone()),
        config,
        Box::pin(signals::stopped()),
    ))))
}
