//! `jeden mcp`, and the server for assistants beside the API.

use std::sync::Arc;

use ::mcp::{HttpSettings, PATH, Records};
use anyhow::Context;
use rand::RngExt;
use schema::store::Db;
use tokio::net::TcpListener;

use super::operator_console::LoadedAddresses;
use super::serve;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{progress, random, signals};

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let token = settings.mcp_token.clone().context(
        "an assistant needs a token of the API: set JEDEN_MCP_TOKEN to one; `jeden token create ACCOUNT` makes one",
    )?;
    let db = settings.open().await?;
    let config = serve::api_config(settings, String::new())?;
    let api = api::ApiState::start(db.clone(), config, random::rng().random()).await?;
    api.token_holder(&token)
        .await
        .context("the token in JEDEN_MCP_TOKEN is not valid")?;
    let serving = ::mcp::serve_stdio(records(settings, &db, api), token);
    tokio::select! {
        ended = serving => ended?,
        () = signals::stopped() => {}
    }
    db.close().await;
    // A thread may still wait for stdin, and nothing ends that wait.
    std::process::exit(0)
}

/// Serves assistants if the settings name an address for it.
pub async fn start_if_set(settings: &Settings, db: &Db, api: &api::ApiState) -> anyhow::Result<()> {
    let Some(address) = &settings.mcp_listen else {
        return Ok(());
    };
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("cannot listen on {address} for assistants; --mcp-listen chooses another address")
    })?;
    let address = listener.local_addr()?;
    let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    let named = settings.mcp_hosts.split(',').map(str::trim);
    hosts.extend(named.filter(|host| !host.is_empty()).map(str::to_owned));
    hosts.push(address.ip().to_string());
    progress::say(&format!("Assistants are served on http://{address}{PATH}."));
    let records = records(settings, db, api.clone());
    tokio::spawn(::mcp::serve_http(
        listener,
        records,
        HttpSettings { hosts },
        Box::pin(signals::stopped()),
    ));
    Ok(())
}

fn records(settings: &Settings, db: &Db, api: api::ApiState) -> Records {
    let loaded = Arc::new(LoadedAddresses::default());
    let settings = settings.clone();
    Records {
        api,
        db: db.clone(),
        addresses: Arc::new(move || {
            let (settings, loaded) = (settings.clone(), Arc::clone(&loaded));
            Box::pin(async move {
                let edition = loaded.current(&settings).await;
                edition
                    .map(|(_, addresses)| addresses)
                    .map_err(|error| format!("{error:#}"))
            })
        }),
    }
}
