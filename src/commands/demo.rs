//! `jeden demo`: replay, merge and serve the authored dumps in one go.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use dedup::worker::Listings;
use futures::TryStreamExt;
use rand::RngExt;
use schema::store::{DatabaseSettings, Db, accounts, listings, offers};
use schema::{OfferDetail, OfferId, Plan, Role};
use tokio::net::TcpListener;

use super::operator_console::DEFAULT_LISTEN;
use super::{operator, replay, serve};
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress, random, registry};

/// How many merged records are printed.
const SHOWN: usize = 8;

/// `jeden demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Folder for the database, which is kept [default: a temporary folder, removed at the end]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Stop after the calls are printed
    #[arg(long)]
    no_serve: bool,
    /// Folder of dumps [default: fixtures/dumps, here or in jeden's source folder]
    #[arg(long, value_name = "FOLDER")]
    dumps: Option<PathBuf>,
}

pub async fn run(options: &Demo, settings: &Settings) -> anyhow::Result<Outcome> {
    let dumps = dumps_folder(options)?;
    let addresses = registry::addresses(settings)?;
    let listener = if options.no_serve {
        None
    } else {
        Some(serve::listen(settings).await?)
    };
    let temporary = match &options.dir {
        Some(_) => None,
        None => Some(
            tempfile::tempdir().context("cannot create a temporary folder; name one with --dir")?,
        ),
    };
    let folder = options
        .dir
        .as_deref()
        .or(temporary.as_ref().map(tempfile::TempDir::path))
        .unwrap_or(Path::new("."));
    let file = fresh_database(folder)?;
    let url = format!("sqlite://{}", file.display());
    let db = Db::open(&DatabaseSettings::new(&url)).await?;
    progress::say(&format!("Replaying {} into {url}", dumps.display()));
    let report = replay::replay(&db, &[dumps]).await?;
    let merged = replay::deduplicate(Listings {
        db: &db,
        addresses: &addresses,
    })
    .await?;
    replay::print_intake_report(&report);
    replay::print_dedup_report(&merged);
    let best = show_merged(&db).await?;
    let account = accounts::create(&db, "demo", Plan::Investor, None, clock::now()).await?;
    let token = api::issue_token(&db, account.id, &mut random::rng(), clock::now()).await?;
    let base = match &listener {
        Some(listener) => format!("http://{}", listener.local_addr()?),
        None => settings
            .base_url
            .clone()
            .unwrap_or_else(|| format!("http://{}", settings.listen)),
    };
    show_calls(&base, token.token.expose(), best.as_ref())?;
    let is_kept = listener.is_some() || temporary.is_none();
    if let Some(detail) = best.filter(|_| is_kept) {
        let id = detail.offer.id;
        progress::say(&format!(
            "\nWhy these listings are one: jeden explain {id} --database-url {url}"
        ));
    }
    progress::say("");
    if let Some(listener) = listener {
        let settings = with_console(&db, settings).await?;
        serve::serve(db, listener, &settings).await?;
    } else {
        db.close().await;
        progress::say(&match &temporary {
            Some(_) => "The temporary database is removed now; --dir FOLDER keeps it.".to_owned(),
            None => format!("To serve the records: jeden serve --database-url {url}"),
        });
    }
    Ok(if report.is_complete() {
        Outcome::Done
    } else {
        Outcome::SomeRejected
    })
}

/// The settings with an address for the console, with a login made for it. The address is free: that of the settings, the
/// usual one, or any other.
async fn with_console(db: &Db, settings: &Settings) -> anyhow::Result<Settings> {
    let password: String = (0..4)
        .map(|_| format!("{:05}", random::rng().random_range(0..100_000)))
        .collect::<Vec<_>>()
        .join("-");
    operator::create(db, "demo", Role::Operator, &password).await?;
    operations::daily::keep(db, clock::now()).await?;
    let mut settings = settings.clone();
    if settings.console_listen.is_none() {
        let wants_any = settings.listen.ends_with(":0");
        let is_free = !wants_any && TcpListener::bind(DEFAULT_LISTEN).await.is_ok();
        let address = if is_free {
            DEFAULT_LISTEN
        } else {
            "127.0.0.1:0"
        };
        settings.console_listen = Some(address.to_owned());
    }
    progress::say(&format!(
        "To log in to the console: name demo, password {password}"
    ));
    Ok(settings)
}

/// The folder of dumps: `--dumps`, or `fixtures/dumps` here or in the folder that jeden was built in.
fn dumps_folder(options: &Demo) -> anyhow::Result<PathBuf> {
    if let Some(folder) = &options.dumps {
        return Ok(folder.clone());
    }
    let here = PathBuf::from("fixtures/dumps");
    let beside_sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dumps");
    [here, beside_sources]
        .into_iter()
        .find(|folder| folder.is_dir())
        .context("there is no folder fixtures/dumps here; name a folder of dumps with --dumps")
}

fn fresh_database(folder: &Path) -> anyhow::Result<PathBuf> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let file = folder.join("jeden.db");
    if file.exists() {
        anyhow::bail!(
            "{} already exists; name another folder with --dir, or serve this database with `jeden serve`",
            file.display()
        );
    }
    Ok(file)
}

/// Prints some merged records, and returns the one that most portals advertise.
async fn show_merged(db: &Db) -> anyhow::Result<Option<OfferDetail>> {
    let (mut records, mut count) = (BTreeMap::<OfferId, BTreeSet<String>>::new(), 0);
    let mut standings = listings::member_states(db);
    while let Some(standing) = standings.try_next().await? {
        count += 1;
        if let Some(offer) = standing.offer_id {
            records
                .entry(offer)
                .or_default()
                .insert(standing.key.site_id);
        }
    }
    progress::say(&format!(
        "\n{count} portal listings are {} properties. Some of them:\n",
        records.len()
    ));
    let mut ranked: Vec<(OfferId, usize)> = records
        .into_iter()
        .map(|(id, sites)| (id, sites.len()))
        .collect();
    ranked.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let mut best = None;
    for (id, _) in ranked.into_iter().take(SHOWN) {
        let Some(found) = offers::detail(db, &id).await? else {
            continue;
        };
        progress::say(&line(&found.detail));
        best.get_or_insert(found.detail);
    }
    Ok(best)
}

fn line(detail: &OfferDetail) -> String {
    let facts = &detail.offer.attributes;
    let sites: Vec<&str> = detail
        .portal_links
        .iter()
        .map(|link| link.site_id.as_str())
        .collect();
    let prices: BTreeSet<u64> = detail
        .price_history
        .iter()
        .flat_map(|series| series.points.iter().map(|point| point.price_total as u64))
        .collect();
    format!(
        "  {}  {} - {}\n      {} listings on {}; {} prices seen",
        detail.offer.id,
        facts.title.as_deref().unwrap_or("without a title"),
        facts.city.as_deref().unwrap_or("somewhere"),
        detail.portal_links.len(),
        sites.join(", "),
        prices.len(),
    )
}

fn show_calls(base: &str, token: &str, best: Option<&OfferDetail>) -> anyhow::Result<()> {
    progress::say("\nCalls to paste (the token is new and belongs to this database only):\n");
    let curl = |path: &str| format!("curl -H 'Authorization: Bearer {token}' '{base}{path}'");
    let city = best
        .and_then(|detail| detail.offer.attributes.city.as_deref())
        .unwrap_or("Brno");
    let mut calls = vec![
        curl("/v1/offers?limit=2"),
        curl("/v1/offers?offerType=sale&type=apartment&arrangement=2%2Bkk"),
    ];
    calls.push(curl(&format!(
        "/v1/offers?address={}&radiusMeters=5000",
        city.replace(' ', "%20")
    )));
    if let Some(location) = best.and_then(|detail| detail.offer.attributes.location) {
        calls.push(curl(&format!(
            "/v1/offers?lat={}&lng={}&radiusMeters=1000",
            location.lat, location.lng
        )));
    }
    if let Some(detail) = best {
        calls.push(curl(&format!("/v1/offers/{}", detail.offer.id)));
    }
    calls.push(curl("/v1/me"));
    for call in calls {
        progress::result(&call)?;
    }
    Ok(())
}
