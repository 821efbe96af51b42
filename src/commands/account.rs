//! `jeden account`

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use schema::store::accounts;
use schema::{Account as StoredAccount, Plan};

use crate::cli::Account;
use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress};

pub async fn run(action: Account, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    match action {
        Account::Create { name, plan, requests_per_month } => {
            allow_own_number(plan, requests_per_month);
            let account = accounts::create(&db, &name, plan, requests_per_month, clock::now()).await?;
            progress::say(&format!(
                "Created {}. Next: jeden token create {}",
                described(&account),
                account.name
            ));
        }
        Account::List => progress::result(&table(&accounts::list(&db).await?).to_string())?,
        Account::SetPlan { name, plan, requests_per_month } => {
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
    table.load_style(NOTHING).set_header(["name", "plan", "requests/month", "history", "created"]);
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
