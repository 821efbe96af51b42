//! `jeden account`

use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use schema::store::accounts;
use schema::{Account as StoredAccount, Plan};

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress};

/// `jeden account`
#[derive(Debug, Subcommand)]
pub enum Account {
    /// Creates an account
    Create {
        /// Its unique name
        #[arg(value_parser = account_name)]
        name: String,
        /// Its plan: free, basicV2, proV2, investor, customV2
        #[arg(long)]
        plan: Plan,
        /// Requests a month beyond the plan; customV2 only
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        requests_per_month: Option<u32>,
    },
    /// Lists the accounts
    List,
    /// Moves an account to another plan; takes effect within 60 seconds
    SetPlan {
        /// The account's name
        name: String,
        /// The plan: free, basicV2, proV2, investor, customV2
        plan: Plan,
        /// Requests a month beyond the plan; customV2 only [default: as they are]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        requests_per_month: Option<u32>,
    },
}

/// A name that is seen in a list, and can be written on a command line.
fn account_name(text: &str) -> Result<String, String> {
    let length = text.chars().count();
    if text.trim() != text || !(1..=200).contains(&length) || text.chars().any(char::is_control) {
        return Err(
            "a name has 1 to 200 characters, none of them a control character, and no space around it"
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
            allow_own_number(plan, requests_per_month);
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
            allow_own_number(plan, requests_per_month);
            let account = match requests_per_month {
                Some(requests) => accounts::set_custom(&db, &name, requests).await?,
                None => accounts::set_plan(&db, &name, plan).await?,
            };
            progress::say(&format!(
                "Now {}, in every running server within 60 seconds.",
                described(&account)
            ));
        }
    }
    db.close().await;
    Ok(Outcome::Done)
}

/// A number of requests that the plan does not fix is a wrong usage on any other plan.
fn allow_own_number(plan: Plan, requests_per_month: Option<u32>) {
    if requests_per_month.is_some() && plan != Plan::Custom {
        let message = format!(
            "--requests-per-month is for customV2 only; {plan} has {} requests a month",
            plan.requests_per_month()
        );
        crate::cli::wrong_usage(&message);
    }
}

fn described(account: &StoredAccount) -> String {
    format!(
        "account {} on plan {} ({} requests a month)",
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
