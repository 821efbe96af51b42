//! `jeden operator`

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, bail};
use clap::Subcommand;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use rand::RngExt;
use schema::Role;
use schema::store::{Db, operators};

use crate::outcome::Outcome;
use crate::settings::Settings;
use crate::{clock, progress, random};

/// `jeden operator`
#[derive(Debug, Subcommand)]
pub enum Operator {
    /// Let a person use the console; the password is read from the terminal or from standard input
    Create {
        /// The person's name, used once and for good
        #[arg(value_parser = person_name)]
        name: String,
        /// What the person may do: reviewer, operator
        #[arg(long)]
        role: Role,
    },
    /// Set another password, and end the person's sessions
    Password {
        /// The person's name
        name: String,
    },
    /// Take a person's access away; the logs keep the name
    Remove {
        /// The person's name
        name: String,
    },
    /// List the people and their roles
    List,
}

/// Checks that a name can be told apart in a log.
fn person_name(text: &str) -> Result<String, String> {
    let length = text.chars().count();
    if text.trim() != text || !(1..=60).contains(&length) || text.chars().any(char::is_control) {
        return Err(
            "a name must have 1 to 60 characters, without control characters or leading or trailing spaces"
                .to_owned(),
        );
    }
    Ok(text.to_owned())
}

pub async fn run(action: Operator, settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    match action {
        Operator::Create { name, role } => {
            create(&db, &name, role, &read_password()?).await?;
            progress::say(&format!("{name} may use the console as {role}."));
        }
        Operator::Password { name } => {
            let hash = hash(&read_password()?)?;
            let mut tx = db.begin().await?;
            if !operators::set_password(&mut tx, &name, &hash).await? {
                bail!(
                    "nobody of the name {name:?} uses the console; `jeden operator list` lists the people"
                );
            }
            tx.commit().await?;
            progress::say(&format!(
                "{name} has another password; old sessions have ended."
            ));
        }
        Operator::Remove { name } => {
            let mut tx = db.begin().await?;
            if !operators::remove(&mut tx, &name, clock::now()).await? {
                bail!(
                    "nobody of the name {name:?} uses the console; `jeden operator list` lists the people"
                );
            }
            tx.commit().await?;
            progress::say(&format!("{name} cannot use the console any more."));
        }
        Operator::List => list(&db).await?,
    }
    db.close().await;
    Ok(Outcome::Done)
}

/// Lets a person use the console.
pub async fn create(db: &Db, name: &str, role: Role, password: &str) -> anyhow::Result<()> {
    let hash = hash(password)?;
    Ok(operators::create(db, name, role, &hash, clock::now()).await?)
}

fn hash(password: &str) -> anyhow::Result<String> {
    if !console::is_acceptable_password(password) {
        bail!("a password must have at least ten characters");
    }
    let hash = console::hash_password(password, random::rng().random());
    hash.map_err(|error| anyhow::anyhow!("hashing the password failed: {error}"))
}

/// The first line of standard input. A password as an argument would be visible to every process of the machine.
fn read_password() -> anyhow::Result<String> {
    let input = std::io::stdin();
    let is_hidden = input.is_terminal() && show_input(false);
    if input.is_terminal() {
        write!(std::io::stderr(), "Password: ")?;
    }
    let mut line = String::new();
    let read = input.lock().read_line(&mut line);
    if is_hidden {
        show_input(true);
        writeln!(std::io::stderr())?;
    }
    read.context("cannot read the password")?;
    let password = line.trim_end_matches(['\r', '\n']).to_owned();
    if password.is_empty() {
        bail!("no password was given; write it on standard input");
    }
    Ok(password)
}

/// Has the terminal show what is typed, or not. Returns whether that worked.
fn show_input(is_shown: bool) -> bool {
    let mode = if is_shown { "echo" } else { "-echo" };
    let set = std::process::Command::new("stty").arg(mode).status();
    set.is_ok_and(|status| status.success())
}

async fn list(db: &Db) -> anyhow::Result<()> {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_header(["name", "role", "since", "removed"]);
    for person in operators::list(db).await? {
        table.add_row([
            person.name,
            person.role.to_string(),
            person.created_at.to_string(),
            person
                .removed_at
                .map(|at| at.to_string())
                .unwrap_or_default(),
        ]);
    }
    Ok(progress::result(&table.to_string())?)
}
