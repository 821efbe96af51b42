//! `jeden account`

use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use schema::store::accounts;
use schema::{Account as StoredAccount, Plan};

use super::wrong_usage;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress};

/// `jeden account`
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Create an account
    Create {
        /// The account's name, unique
        #[arg(value_parser = account_name)]
        name: String,
        /// Plan: free, basicV2, proV2, investor, customV2
        #[arg(long)]
        plan: Plan,
        /// Requests per month instead of the plan's number; customV2 only
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        requests_per_month: Option<u32>,
    },
    /// List the accounts
    List,
    /// Move an account to another plan; takes effect within 60 seconds
    SetPlan {
        /// The account's name
        name: String,
        /// Plan: free, basicV2, proV2, investor, customV2
        plan: Plan,
        /// Requests per month instead of the plan's number; customV2 only [default: unchanged]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        requests_per_month: Option<u32>,
    },
}

/// Checks that a name is visible in a list and can be typed on a command line.
fn account_name(text: &str) -> Result<String, String> {
    let length = text.chars().count();
    if text.trim() != text || !(1..=200).contains(&length) || text.chars().any(char::is_control) {
        return Err(
            "a name must have 1 to 200 characters, without control characters or leading or trailing spaces"
                .to_owned(),
        );
    }
    Ok(text.to_owned())
}

pub async fn run(action: Account, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    match action {
        Account::Create {
            name,
            plan,
            requests_per_month,
        } => {
            check_requests_per_month(plan, requests_per_month);
            let account =
                accounts::create(&db, &name, plan, requests_per_month, clock::now()).await?;
            progress::say(&format!(
                "Created {}. Next: jeden token create {}",
                described(&account),
                account.name
            ));
        }
        Account::List => progress::result(&table(&accounts::list(&db).await?).to_string())?,
        Account::SetPlan {
            name,
            plan,
            requests_per_month,
        } => {
            check_requests_per_month(plan, requests_per_month);
            let account = match requests_per_month {
                Some(requests) => accounts::set_custom(&db, &name, requests).await?,
                None => accounts::set_plan(&db, &name, plan).await?,
            };
            progress::say(&format!(
                "Changed: {}. Running servers apply it within 60 seconds.",
                described(&account)
            ));
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}

/// Only customV2 lets the operator choose the number of requests.
fn check_requests_per_month(plan: Plan, requests_per_month: Option<u32>) {
    if requests_per_month.is_some() && plan != Plan::Custom {
        let message = format!(
            "--requests-per-month applies to customV2 only; {plan} has {} requests per month",
            plan.requests_per_month()
        );
        wrong_usage(&message);
    }
}

fn described(account: &StoredAccount) -> String {
    format!(
        "account {} on plan {} ({} requests per month)",
        account.name,
        account.plan,
        account.requests_per_month()
    )
}

fn table(accounts: &[StoredAccount]) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_header(["name", "plan", "requests/month", "history", "created"]);
    for account in accounts {
        let history = match account.plan.history_months() {
            0 => "live only".to_owned(),
            months => format!("{months} months"),
        };
        table.add_row([
            account.name.clone(),
            account.plan.to_string(),
            account.requests_per_month().to_string(),
            history,
            account.created_at.to_string(),
        ]);
    }
    table
}
