//! `jeden webhook`

use std::fmt::Write as _;

use anyhow::bail;
use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use rand::RngExt;
use reqwest::Url;
use schema::store::webhooks::{self, NewWebhook};
use schema::store::{Db, offers};
use serde_json::{Value, json};

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress, random};

/// `jeden webhook`
#[derive(Debug, Subcommand)]
pub enum Webhook {
    /// Have `jeden work` send the changes from now on to an address; prints the key that signs them
    Add {
        /// The address: an http or https URL
        url: String,
        /// Send only changes of the records that a search would find: a query as for /v1/offers
        #[arg(long, value_name = "QUERY", default_value = "")]
        filter: String,
        /// The key that signs the messages (HMAC-SHA256) [default: a random one]
        #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
        secret: Option<String>,
    },
    /// List the webhooks with what they wait for, and the messages that were given up
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a webhook, with the messages that were given up
    Remove {
        /// Its number
        id: i64,
    },
    /// Send the messages that were given up once more
    Retry {
        /// The number of the webhook
        id: i64,
    },
}

pub async fn run(action: Webhook, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    match action {
        Webhook::Add {
            url,
            filter,
            secret,
        } => add(&db, &url, &filter, secret).await?,
        Webhook::List { json } => list(&db, json).await?,
        Webhook::Remove { id } => {
            if !webhooks::remove(&db, id).await? {
                bail!(no_such(id));
            }
            progress::say(&format!("Webhook {id} is removed."));
        }
        Webhook::Retry { id } => {
            if !webhooks::list(&db).await?.iter().any(|one| one.id == id) {
                bail!(no_such(id));
            }
            let count = webhooks::retry(&db, id, clock::now()).await?;
            progress::say(&format!(
                "`jeden work` sends {count} given-up messages of webhook {id} once more."
            ));
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}

fn no_such(id: i64) -> String {
    format!("there is no webhook {id}; `jeden webhook list` shows them")
}

async fn add(db: &Db, url: &str, filter: &str, secret: Option<String>) -> anyhow::Result<()> {
    let is_web = Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    if !is_web {
        bail!("{url:?} is not an http or https URL such as https://example.org/changes");
    }
    if let Err(errors) = feed::saved_search(filter) {
        let errors: Vec<String> = errors
            .into_iter()
            .map(|(name, message)| format!("{name} {message}"))
            .collect();
        bail!("--filter is refused: {}", errors.join("; "));
    }
    let secret = secret.unwrap_or_else(|| {
        let bytes: [u8; 32] = random::rng().random();
        bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a text cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    });
    let webhook = NewWebhook {
        url,
        filter,
        secret: &secret,
    };
    let id = webhooks::add(db, webhook, clock::now()).await?;
    progress::say(&format!(
        "Webhook {id} is sent every change from now on, while `jeden work` runs. The key that signs its messages:"
    ));
    progress::result(&secret)?;
    Ok(())
}

/// An address without name, password and query, which may be secret.
fn shown(url: &str) -> String {
    match Url::parse(url) {
        Ok(mut url) => {
            // These fail for addresses without a host, which are not accepted.
            let _ = url.set_username("");
            let _ = url.set_password(None);
            url.set_query(None);
            url.to_string()
        }
        Err(_) => "an invalid address".to_owned(),
    }
}

async fn list(db: &Db, as_json: bool) -> anyhow::Result<()> {
    let newest = offers::last_change(db).await?;
    let mut all = Vec::new();
    for webhook in webhooks::list(db).await? {
        let letters = webhooks::dead_letters(db, webhook.id).await?;
        all.push((webhook, letters));
    }
    if as_json {
        let rows = all.iter().map(|(webhook, letters)| {
            let letters = letters.iter().map(|letter| {
                json!({
                    "seq": letter.change, "reason": letter.reason, "givenUpAt": letter.given_up_at,
                })
            });
            json!({
                "id": webhook.id, "url": shown(&webhook.url), "filter": webhook.filter,
                "createdAt": webhook.created_at, "position": webhook.position, "newest": newest,
                "attempts": webhook.attempts, "failure": webhook.failure,
                "deadLetters": letters.collect::<Vec<Value>>(),
            })
        });
        progress::result(&serde_json::to_string_pretty(
            &rows.collect::<Vec<Value>>(),
        )?)?;
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["id", "url", "filter", "behind", "last failure", "given up"]);
    for (webhook, letters) in &all {
        table.add_row([
            webhook.id.to_string(),
            shown(&webhook.url),
            webhook.filter.clone(),
            (newest - webhook.position).max(0).to_string(),
            webhook.failure.clone().unwrap_or_default(),
            letters.len().to_string(),
        ]);
    }
    progress::result(&table.trim_fmt())?;
    for letter in all.iter().flat_map(|(_, letters)| letters) {
        progress::result(&format!(
            "webhook {}: change {} was given up at {}: {}",
            letter.webhook_id, letter.change, letter.given_up_at, letter.reason
        ))?;
    }
    Ok(())
}
