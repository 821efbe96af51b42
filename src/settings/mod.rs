//! Settings: flags beat environment variables, which beat a TOML file, which beats the defaults.

mod options;
mod used_by;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use ingest::crawl::CrawlOptions;
use ingest::portals;
use reqwest::Url;
use schema::store::{DatabaseSettings, Db};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outside_geocoder;
use crate::webhook::Webhook;

pub use options::Options;
pub use used_by::hide_unused;

/// The settings file when `--config` names none.
const DEFAULT_FILE: &str = "jeden.toml";

fn read_duration(name: &str, text: &str) -> anyhow::Result<Duration> {
    humantime::parse_duration(text)
        .with_context(|| format!("{name} is {text:?}; it must be a duration such as 10s or 250ms"))
}

/// The settings in force.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Database.
    pub database_url: String,
    /// Read replica.
    pub database_read_url: Option<String>,
    /// File of the compiled address registry.
    pub gazetteer: Option<String>,
    /// Log filter.
    pub log: String,
    /// Address to serve on.
    pub listen: String,
    /// Address at which clients reach the API.
    pub base_url: Option<String>,
    /// How long a search may run.
    pub search_timeout: String,
    /// Connections open at a time.
    pub max_connections: usize,
    /// Requests without a valid token that an address may send a minute.
    pub failed_attempts: u32,
    /// A Nominatim-compatible service.
    pub geocoder_url: Option<String>,
    /// The shortest time between two requests to it.
    pub geocoder_pace: String,
    /// Browser origins, separated by commas.
    pub cors_origins: String,
    /// How crawled portals can reach the operator: the address of a page or for mail.
    pub contact: Option<String>,
    /// Address to serve metrics on.
    pub metrics_listen: Option<String>,
    /// Address to serve the console on.
    pub console_listen: Option<String>,
    /// Address to serve the feed of changes on.
    pub feed_listen: Option<String>,
    /// Address at which clients reach the feed.
    pub feed_url: Option<String>,
    /// Address at which people reach the console.
    pub console_url: Option<String>,
    /// Further hosts that the console answers to, separated by commas.
    pub console_hosts: String,
    /// The header in which a reverse proxy names the person.
    pub console_person_header: Option<String>,
    /// A PMTiles file with a street map.
    pub console_street_map: Option<String>,
    /// Address to serve assistants on.
    pub mcp_listen: Option<String>,
    /// Further hosts that the server for assistants answers to, separated by commas.
    pub mcp_hosts: String,
    /// The token with which `jeden mcp` answers an assistant.
    pub mcp_token: Option<String>,
    /// How long the contents of adverts that are gone are kept.
    pub keep_contents: Option<String>,
    /// How long it is kept what happened to records.
    pub keep_changes: String,
    /// Address that is told what needs a person.
    pub webhook_url: Option<String>,
    /// The key that signs what is sent there.
    pub webhook_secret: Option<String>,
    /// Changes to how portals are crawled; only in the settings file.
    pub portals: BTreeMap<String, PortalSettings>,
}

/// Changes to how one portal is crawled: a table `[portals.sreality]` of the settings file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PortalSettings {
    /// Who permitted the operator to crawl the portal, and when.
    pub permission: Option<String>,
    /// The shortest time between the starts of two requests.
    pub pace: Option<String>,
    /// The largest number of requests at once.
    pub concurrency: Option<usize>,
    /// Another host to send the portal's requests to.
    pub base_url: Option<String>,
    /// How long a detail is valid at most while the lists say nothing new about the advert.
    pub reread_after: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            database_url: "sqlite://jeden.db".to_owned(),
            database_read_url: None,
            gazetteer: None,
            log: "info".to_owned(),
            listen: "127.0.0.1:8080".to_owned(),
            base_url: None,
            search_timeout: "10s".to_owned(),
            max_connections: 4096,
            failed_attempts: 60,
            geocoder_url: None,
            geocoder_pace: "1s".to_owned(),
            cors_origins: String::new(),
            contact: None,
            metrics_listen: None,
            console_listen: None,
            feed_listen: None,
            feed_url: None,
            console_url: None,
            console_hosts: String::new(),
            console_person_header: None,
            console_street_map: None,
            mcp_listen: None,
            mcp_hosts: String::new(),
            mcp_token: None,
            keep_contents: None,
            keep_changes: "90days".to_owned(),
            webhook_url: None,
            webhook_secret: None,
            portals: BTreeMap::new(),
        }
    }
}

/// Loads the settings: flags, then environment variables, then the file, then defaults.
pub fn load(options: &Options) -> anyhow::Result<Settings> {
    let file = options.config.as_deref().unwrap_or(DEFAULT_FILE);
    let mut settings = if Path::new(file).exists() {
        read_file(file).with_context(|| format!("settings in {file}"))?
    } else if options.config.is_some() {
        anyhow::bail!("the settings file {file} (--config) does not exist");
    } else {
        Settings::default()
    };
    settings
        .check_portals()
        .with_context(|| format!("settings in {file}"))?;
    settings = settings.overridden_by(options)?;
    settings.leave_out_empty();
    Ok(settings)
}

fn read_file(file: &str) -> anyhow::Result<Settings> {
    Ok(toml::from_str(&std::fs::read_to_string(file)?)?)
}

impl Settings {
    /// The settings with those that flags and environment variables give.
    fn overridden_by(&self, options: &Options) -> anyhow::Result<Self> {
        let (mut all, given) = (serde_json::to_value(self)?, serde_json::to_value(options)?);
        if let (Value::Object(all), Value::Object(given)) = (&mut all, given) {
            all.extend(given);
        }
        Ok(serde_json::from_value(all)?)
    }

    /// Treats an empty optional setting as not set.
    fn leave_out_empty(&mut self) {
        for setting in [
            &mut self.database_read_url,
            &mut self.gazetteer,
            &mut self.base_url,
            &mut self.geocoder_url,
            &mut self.contact,
            &mut self.metrics_listen,
            &mut self.console_listen,
            &mut self.feed_listen,
            &mut self.feed_url,
            &mut self.console_url,
            &mut self.console_person_header,
            &mut self.console_street_map,
            &mut self.mcp_listen,
            &mut self.mcp_token,
            &mut self.keep_contents,
            &mut self.webhook_url,
            &mut self.webhook_secret,
        ] {
            if setting
                .as_deref()
                .is_some_and(|text| text.trim().is_empty())
            {
                *setting = None;
            }
        }
    }

    /// Checks that every table of a portal names one: a mistyped name would leave the portal without its settings.
    fn check_portals(&self) -> anyhow::Result<()> {
        let known = || {
            let names: Vec<_> = portals::PORTALS
                .iter()
                .map(|portal| portal.site_id)
                .collect();
            names.join(", ")
        };
        for named in self.portals.keys() {
            anyhow::ensure!(
                portals::portal(named).is_some(),
                "the table [portals.{named}] names an unknown portal; the portals are {}",
                known()
            );
        }
        Ok(())
    }

    /// Opens the database. An embedded database is migrated to the current schema first.
    pub async fn open(&self) -> anyhow::Result<Db> {
        Ok(Db::open(&self.database()).await?)
    }

    /// How to connect to the database.
    pub fn database(&self) -> DatabaseSettings {
        let mut settings = DatabaseSettings::new(&self.database_url);
        settings.read_url.clone_from(&self.database_read_url);
        settings
    }

    /// The compiled address registry: a file beside the embedded database, or in the working directory.
    pub fn gazetteer(&self) -> PathBuf {
        let beside = || {
            let file = self
                .database_url
                .strip_prefix("sqlite:")
                .map(|file| file.trim_start_matches("//"));
            let file = file
                .and_then(|file| file.split('?').next())
                .unwrap_or("jeden");
            PathBuf::from(format!("{file}.gazetteer"))
        };
        self.gazetteer.as_ref().map_or_else(beside, PathBuf::from)
    }

    /// The folder for the temporary file of documents: that of the address registry, which is on a disk.
    pub fn documents_folder(&self) -> PathBuf {
        let registry = self.gazetteer();
        let folder = registry.parent().filter(|it| !it.as_os_str().is_empty());
        folder.map_or_else(|| PathBuf::from("."), Path::to_owned)
    }

    /// How long a search may run.
    pub fn search_timeout(&self) -> anyhow::Result<Duration> {
        read_duration("JEDEN_SEARCH_TIMEOUT", &self.search_timeout)
    }

    /// How long the contents of adverts that are gone are kept; `None` keeps them for good.
    pub fn keep_contents(&self) -> anyhow::Result<Option<Duration>> {
        let keep = self.keep_contents.as_deref();
        keep.map(|keep| read_duration("JEDEN_KEEP_CONTENTS", keep))
            .transpose()
    }

    /// How long it is kept what happened to records.
    pub fn keep_changes(&self) -> anyhow::Result<Duration> {
        read_duration("JEDEN_KEEP_CHANGES", &self.keep_changes)
    }

    /// The operator's webhook.
    ///
    /// # Errors
    /// When its address is not an http or https URL, or has no secret.
    pub fn webhook(&self) -> anyhow::Result<Option<Webhook>> {
        let Some(url) = &self.webhook_url else {
            return Ok(None);
        };
        let url = Url::parse(url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .context("JEDEN_WEBHOOK_URL must be an http:// or https:// URL")?;
        let secret = self.webhook_secret.as_deref().context(
            "JEDEN_WEBHOOK_URL is set without JEDEN_WEBHOOK_SECRET; set the key that signs what is sent there",
        )?;
        Webhook::new(url, secret).map(Some)
    }

    /// The external geocoder, for addresses that jeden's own gazetteer does not find.
    pub fn outside_geocoder(&self) -> anyhow::Result<Option<api::OutsideGeocoder>> {
        let pace = read_duration("JEDEN_GEOCODER_PACE", &self.geocoder_pace)?;
        self.geocoder_url
            .as_deref()
            .map(|url| outside_geocoder::outside_geocoder(url, pace))
            .transpose()
    }

    /// How to crawl a portal.
    ///
    /// # Errors
    /// When the settings name an invalid duration.
    pub fn crawl_options(&self, site_id: &str) -> anyhow::Result<CrawlOptions> {
        let portal = self.portals.get(site_id).cloned().unwrap_or_default();
        let pace = portal.pace.as_deref();
        let pace = pace
            .map(|pace| read_duration(&format!("portals.{site_id}.pace"), pace))
            .transpose()?;
        Ok(CrawlOptions {
            contact: self.contact.clone().unwrap_or_default(),
            base_url: portal.base_url,
            permission: portal.permission,
            pace,
            concurrency: portal.concurrency,
            reread_after: portal
                .reread_after
                .as_deref()
                .map(|age| read_duration(&format!("portals.{site_id}.reread_after"), age))
                .transpose()?,
            ..CrawlOptions::default()
        })
    }

    /// The address at which clients reach the API.
    ///
    /// # Errors
    /// When it is set but is not an http or https URL.
    pub fn base_url(&self) -> anyhow::Result<Option<String>> {
        check_web_url("JEDEN_BASE_URL", self.base_url.as_deref())?;
        Ok(self.base_url.clone())
    }

    /// The address at which clients reach the feed of changes.
    ///
    /// # Errors
    /// When it is set but is not an http or https URL.
    pub fn feed_url(&self) -> anyhow::Result<Option<String>> {
        check_web_url("JEDEN_FEED_URL", self.feed_url.as_deref())?;
        Ok(self.feed_url.clone())
    }

    /// The browser origins that may call the API.
    ///
    /// # Errors
    /// When one is not written exactly as browsers send it: it would never match.
    pub fn cors_origins(&self) -> anyhow::Result<Vec<String>> {
        let origins = self
            .cors_origins
            .split(',')
            .map(str::trim)
            .filter(|origin| !origin.is_empty());
        origins
            .map(|origin| check_origin(origin).map(|()| origin.to_owned()))
            .collect()
    }
}

/// Checks that a setting, if it is set, is an http or https URL.
fn check_web_url(name: &str, url: Option<&str>) -> anyhow::Result<()> {
    if let Some(text) = url {
        let url = Url::parse(text)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"));
        anyhow::ensure!(
            url.is_some(),
            "{name} is {text:?}; it must be a URL such as https://api.example.org"
        );
    }
    Ok(())
}

/// Checks that a browser would send this text as an origin: scheme, host, and the port unless it is the default.
fn check_origin(origin: &str) -> anyhow::Result<()> {
    let sent = match Url::parse(origin) {
        _ if origin == "*" => return Ok(()),
        Ok(url) if url.origin().is_tuple() => url.origin().ascii_serialization(),
        // The origin of an app or a browser extension.
        Ok(url) if url.has_host() && url.path().trim_matches('/').is_empty() => {
            origin.trim_end_matches('/').to_owned()
        }
        _ => anyhow::bail!(
            "JEDEN_CORS_ORIGINS contains {origin:?}; an origin looks like https://app.example.org"
        ),
    };
    anyhow::ensure!(
        sent == origin,
        "JEDEN_CORS_ORIGINS contains {origin:?}, but browsers send {sent}"
    );
    Ok(())
}
