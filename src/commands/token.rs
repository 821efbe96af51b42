//! `jeden token`

use anyhow::Context;
use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use schema::store::{Db, accounts, tokens};
use schema::{Account, TokenRecord};

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress, random};

/// `jeden token`
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Create a token and print it, alone, on stdout: the only time it is shown
    Create {
        /// The account's name
        account: String,
    },
    /// List the tokens of one account, or of all
    List {
        /// The account's name
        account: Option<String>,
    },
    /// Revoke a token; takes effect within 60 seconds
    Revoke {
        /// The token's id, as `token list` shows it
        token_id: String,
    },
}

pub async fn run(action: Token, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    match action {
        Token::Create { account } => {
            let account = account_named(&db, &account).await?;
            let issued =
                api::issue_token(&db, account.id, &mut random::rng(), clock::now()).await?;
            progress::say(&format!(
                "Token {} of account {}. It is shown only now:",
                issued.record.id, account.name
            ));
            progress::result(issued.token.expose())?;
        }
        Token::List { account } => {
            let account = match account {
                Some(name) => Some(account_named(&db, &name).await?.id),
                None => None,
            };
            let accounts = accounts::list(&db).await?;
            progress::result(&table(&tokens::list(&db, account).await?, &accounts).to_string())?;
        }
        Token::Revoke { token_id } => {
            if !tokens::revoke(&db, &token_id, clock::now()).await? {
                anyhow::bail!(
                    "there is no valid token {token_id}; `jeden token list` lists the ids"
                );
            }
            progress::say(&format!(
                "Revoked token {token_id}. Running servers refuse it within 60 seconds."
            ));
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}

async fn account_named(db: &Db, name: &str) -> anyhow::Result<Account> {
    accounts::by_name(db, name).await?.with_context(|| {
        format!(
            "there is no account {name:?}; `jeden account list` lists the accounts, `jeden account create` creates one"
        )
    })
}

fn table(tokens: &[TokenRecord], accounts: &[Account]) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_header(["id", "account", "prefix", "created", "revoked"]);
    for token in tokens {
        let account = accounts
            .iter()
            .find(|account| account.id == token.account_id);
        table.add_row([
            token.id.clone(),
            account.map_or_else(String::new, |account| account.name.clone()),
            format!("{}…", token.prefix),
            token.created_at.to_string(),
            token
                .revoked_at
                .map_or_else(String::new, |at| at.to_string()),
        ]);
    }
    table
}
