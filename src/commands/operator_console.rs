//! Starting the console: what the program lends to it, and its listener.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use console::{Console, ConsoleConfig, ProgramParts, StreetMap};
use dedup::addresses::Addresses;
use dedup::worker::{self, Listings};
use operations::watch::DEAD_AFTER;
use rand::RngExt;
use reqwest::Url;
use schema::Timestamp;
use schema::store::jobs::{self, Job, Task};
use schema::store::{Db, gazetteer as editions};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::{crawlability, serve};
use crate::settings::Settings;
use crate::{clock, progress, random, registry, signals};

/// Where the console listens if nothing else is said.
pub const DEFAULT_LISTEN: &str = "127.0.0.1:8090";

/// Binds the address of the console.
pub async fn bind(address: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| {
        format!(
            "cannot listen on {address} for the console; --console-listen chooses another address"
        )
    })
}

/// Starts the console if the settings name an address for it. `search` is the search engine of this process, if it has one.
pub async fn start_if_set(
    settings: &Settings,
    db: &Db,
    search: Option<api::ApiState>,
) -> anyhow::Result<()> {
    if let Some(address) = &settings.console_listen {
        let listener = bind(address).await?;
        start(settings, db, listener, search)?;
    }
    Ok(())
}

/// Serves the console until the process is told to stop.
pub fn start(
    settings: &Settings,
    db: &Db,
    listener: TcpListener,
    search: Option<api::ApiState>,
) -> anyhow::Result<JoinHandle<std::io::Result<()>>> {
    let address = listener.local_addr()?.to_string();
    let config = config(settings, db, &address, search)?;
    let url = settings
        .console_url
        .clone()
        .unwrap_or_else(|| format!("http://{address}"));
    let console = Console::new(db.clone(), config, random::rng().random());
    progress::say(&format!("The console is on {url}."));
    Ok(tokio::spawn(console::serve(
        listener,
        console,
        Box::pin(signals::stopped()),
    )))
}

fn config(
    settings: &Settings,
    db: &Db,
    address: &str,
    search: Option<api::ApiState>,
) -> anyhow::Result<ConsoleConfig> {
    let mut hosts = vec![address.to_owned()];
    if let Some((_, port)) = address.rsplit_once(':') {
        hosts.push(format!("localhost:{port}"));
        hosts.push(format!("127.0.0.1:{port}"));
    }
    let mut has_tls = false;
    if let Some(url) = &settings.console_url {
        let parsed = Url::parse(url).ok();
        let parsed = parsed.filter(|url| matches!(url.scheme(), "http" | "https"));
        let parsed = parsed.with_context(|| {
            format!(
                "JEDEN_CONSOLE_URL is {url:?}; it must be a URL such as https://console.example.org"
            )
        })?;
        has_tls = parsed.scheme() == "https";
        let host = parsed.host_str().unwrap_or_default();
        hosts.push(
            parsed
                .port()
                .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
        );
    }
    let named = settings.console_hosts.split(',').map(str::trim);
    hosts.extend(named.filter(|host| !host.is_empty()).map(str::to_owned));
    let street_map = settings.console_street_map.as_ref();
    let street_map = street_map.map(|file| StreetMap::open(Path::new(file)));
    Ok(ConsoleConfig {
        street_map: street_map.transpose()?.map(Arc::new),
        hosts,
        has_tls,
        person_header: settings.console_person_header.clone(),
        program: parts(settings, db, search),
    })
}

/// What the program lends to the console.
fn parts(settings: &Settings, db: &Db, search: Option<api::ApiState>) -> ProgramParts {
    let loaded = Arc::new(LoadedAddresses::default());
    let of_search = (settings.clone(), db.clone());
    let of_addresses = (settings.clone(), Arc::clone(&loaded));
    let of_dedup = (settings.clone(), db.clone(), loaded);
    let [of_crawls, of_edition] = [settings.clone(), settings.clone()];
    ProgramParts {
        clock: Arc::new(clock::now),
        search: Arc::new(move || {
            let (search, (settings, db)) = (search.clone(), of_search.clone());
            Box::pin(async move {
                match search {
                    Some(search) => Ok(search),
                    None => load_search(&settings, db).await.map_err(said),
                }
            })
        }),
        addresses: Arc::new(move || {
            let (settings, loaded) = of_addresses.clone();
            Box::pin(async move { Ok(loaded.current(&settings).await.map_err(said)?.1) })
        }),
        deduplicate: Arc::new(move || {
            let (settings, db, loaded) = of_dedup.clone();
            Box::pin(async move { deduplicate(&settings, &db, &loaded).await.map_err(said) })
        }),
        may_crawl: Arc::new(move |site| crawlability(&of_crawls, site).map_err(said)),
        edition_here: Arc::new(move || registry::edition_on_disk(&of_edition)),
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "a function for `map_err`, which passes the error"
)]
fn said(error: anyhow::Error) -> String {
    format!("{error:#}")
}

/// A search engine for a process that serves no API.
async fn load_search(settings: &Settings, db: Db) -> anyhow::Result<api::ApiState> {
    let config = serve::api_config(settings, String::new())?;
    Ok(api::ApiState::start(db, config, random::rng().random()).await?)
}

/// The id of an edition, and what reads addresses with it.
pub type Edition = (Option<String>, Addresses);

/// The edition of the address registry that this process has loaded for the console or for assistants.
#[derive(Default)]
pub struct LoadedAddresses(tokio::sync::Mutex<Option<Edition>>);

impl LoadedAddresses {
    /// The edition that is on this machine now.
    pub async fn current(&self, settings: &Settings) -> anyhow::Result<Edition> {
        let mut loaded = self.0.lock().await;
        let on_disk = {
            let settings = settings.clone();
            tokio::task::spawn_blocking(move || registry::edition_on_disk(&settings)).await?
        };
        if let Some((id, addresses)) = &*loaded
            && *id == on_disk
        {
            return Ok((id.clone(), addresses.clone()));
        }
        let settings = settings.clone();
        let edition = tokio::task::spawn_blocking(move || registry::edition(&settings)).await??;
        *loaded = Some(edition.clone());
        Ok(edition)
    }
}

/// Brings the records up to date: a worker does it if one is alive, and otherwise this process.
async fn deduplicate(settings: &Settings, db: &Db, loaded: &LoadedAddresses) -> anyhow::Result<()> {
    let now = clock::now();
    let alive = jobs::workers(db, Timestamp(now.millis() - DEAD_AFTER)).await?;
    if !alive.is_empty() {
        let mut tx = db.begin().await?;
        let job = Job::new(Task::Dedup, format!("dedup:asked:{now}"), now);
        jobs::push(&mut tx, &job, now).await?;
        return Ok(tx.commit().await?);
    }
    let (id, addresses) = loaded.current(settings).await?;
    let wanted = editions::current(db).await?.map(|edition| edition.id);
    anyhow::ensure!(
        wanted.is_none() || id == wanted,
        "the address registry of this machine is not the edition that the database uses; a worker with the right file updates the records"
    );
    let listings = Listings {
        db,
        addresses: &addresses,
    };
    worker::run(listings, now, &mut random::rng(), &|_| {}).await?;
    Ok(())
}
