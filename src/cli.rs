//! The command line.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use schema::{Plan, Timestamp};

use crate::settings::Options;

/// jeden: Czech property listings, one property one record.
#[derive(Debug, Parser)]
#[command(name = "jeden", version, about, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    pub options: Options,
    #[command(subcommand)]
    pub command: Command,
}

/// What jeden does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replays the dumps under fixtures/ into a fresh database, shows what was merged, and serves it
    Demo(Demo),
    /// Serves the read API
    Serve,
    /// Reads portal dumps, deduplicates and merges; safe to repeat
    Replay(Replay),
    /// Crawls a portal once, now, and merges what it found
    Scrape(Scrape),
    /// Crawls portals by their schedules, and keeps the records up to date, until it is stopped
    Work(Work),
    /// When portals are crawled
    #[command(subcommand)]
    Schedule(Schedule),
    /// Everything at a glance; exits with 1 when something needs a person, and says what to do
    Status(Status),
    /// Turns an agency's feed (Sreality import, XML-RPC) into a dump on stdout, for `replay`
    Feed(Feed),
    /// Accounts: who may read, on which plan
    #[command(subcommand)]
    Account(Account),
    /// Tokens of accounts
    #[command(subcommand)]
    Token(Token),
    /// Why these portal listings are one property, or why two listings are not
    Explain(Explain),
    /// How well matching does against what is known
    Evaluate(Evaluate),
    /// The weights of matching beside those that are counted from the data; changes nothing
    Weights(Weights),
    /// A person's decisions about two listings, which overrule matching
    #[command(subcommand)]
    Review(Review),
    /// Every listing with the record it belongs to, as CSV on stdout
    Clusters,
    /// Input that could not be read
    #[command(subcommand)]
    Rejects(Rejects),
    /// Czech addresses; alone, which edition of the registry is in use
    Gazetteer(Gazetteer),
    /// Brings the database to the current schema
    Migrate,
}

/// `jeden demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Folder for the database, kept afterwards [default: a temporary folder, removed at the end]
    #[arg(long, value_name = "FOLDER")]
    pub dir: Option<PathBuf>,
    /// Stop after the calls are printed
    #[arg(long)]
    pub no_serve: bool,
    /// Folder with the dumps [default: fixtures/dumps, here or where jeden was built]
    #[arg(long, value_name = "FOLDER")]
    pub dumps: Option<PathBuf>,
}

/// `jeden replay`
#[derive(Debug, Args)]
pub struct Replay {
    /// Files (.jsonl, .jsonl.gz, .jsonl.zst), folders of such files, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
}

/// `jeden scrape`
#[derive(Debug, Args)]
pub struct Scrape {
    /// The portal, as in dumps
    #[arg(value_name = "PORTAL")]
    pub site_id: String,
    /// Stop after so many listings: nothing ends for being absent then
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_listings: Option<u64>,
    /// Ask another host in the portal's place; {host} stands for the portal's host name
    #[arg(id = "base_url", long = "base-url", value_name = "URL")]
    pub base_url: Option<String>,
    /// Write every observation to this dump as well (.jsonl, .jsonl.gz, .jsonl.zst)
    #[arg(long, value_name = "FILE")]
    pub dump: Option<PathBuf>,
    /// End the listings that are gone however many they are, and believe lists that have shrunk
    #[arg(long)]
    pub accept_withdrawals: bool,
    /// Store details however much they differ from those before
    #[arg(long)]
    pub accept_changes: bool,
}

/// `jeden work`
#[derive(Debug, Args)]
pub struct Work {
    /// How often to look for what is due
    #[arg(long, value_name = "DURATION", default_value = "1s")]
    pub poll: humantime::Duration,
    /// How many portals to crawl at once
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = portals_at_once)]
    pub portals_at_once: usize,
    /// How long to let what is under way end when stopped
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    pub grace: humantime::Duration,
    /// How often to give a sign of life, in whole seconds up to 15: jobs of a worker that gave none for three times
    /// that are taken up by others
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = heartbeat)]
    pub heartbeat: humantime::Duration,
    /// How long to wait before what failed is tried again; longer each time
    #[arg(long, value_name = "DURATION", default_value = "30s")]
    pub retry: humantime::Duration,
    /// How often to deduplicate while listings wait for it, beside after every crawl
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    pub dedup_every: humantime::Duration,
}

fn portals_at_once(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "at least one".to_owned())
}

/// `jeden status` counts a worker as dead that gave no sign of life for a minute.
fn heartbeat(text: &str) -> Result<humantime::Duration, String> {
    let heartbeat: humantime::Duration = text.parse().map_err(|error| format!("{error}"))?;
    match heartbeat.as_secs() {
        1..=15 if heartbeat.subsec_nanos() == 0 => Ok(heartbeat),
        _ => Err("a whole number of seconds from 1 to 15".to_owned()),
    }
}

/// `jeden schedule`
#[derive(Debug, Subcommand)]
pub enum Schedule {
    /// Every portal with its next and its last crawl
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Has a portal crawled by a cron line, in Czech time
    Set {
        /// The portal, as in dumps
        portal: String,
        /// MINUTE HOUR DAY MONTH WEEKDAY, with SECOND before that where needed: "30 4 * * *" is half past four every day
        cron: String,
    },
    /// Leaves a portal alone for now; what is due meanwhile is not caught up
    Pause {
        /// The portal
        portal: String,
    },
    /// Takes a schedule up again
    Resume {
        /// The portal
        portal: String,
    },
    /// Takes a schedule away; the listings stay
    Remove {
        /// The portal
        portal: String,
    },
    /// Has a worker crawl a portal now, scheduled or not
    Run {
        /// The portal
        portal: String,
    },
}

/// `jeden status`
#[derive(Debug, Args)]
pub struct Status {
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `jeden feed`
#[derive(Debug, Args)]
pub struct Feed {
    /// A file with the calls of a session or a dump of adverts, or - for stdin
    #[arg(value_name = "FILE")]
    pub path: PathBuf,
    /// Portal id that the agency's adverts get: an id of its own, for their numbers are its own
    #[arg(long = "as", value_name = "SITE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub site_id: String,
    /// When the adverts were handed over, such as 2026-05-01T06:00:00Z [default: now]
    #[arg(long, value_name = "TIME")]
    pub at: Option<Timestamp>,
    /// These are all adverts of the agency: the others are gone
    #[arg(long)]
    pub complete: bool,
}

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

/// `jeden token`
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Creates a token and prints it, alone, on stdout: the only time it is shown
    Create {
        /// The account's name
        account: String,
    },
    /// Lists the tokens, of one account or of all
    List {
        /// The account's name
        account: Option<String>,
    },
    /// Revokes a token; takes effect within 60 seconds
    Revoke {
        /// The token's id, as `token list` shows it
        token_id: String,
    },
}

/// `jeden explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// A record's id, or a listing as PORTAL/NUMBER
    #[arg(value_name = "OFFER_ID")]
    pub subject: String,
    /// A second listing as PORTAL/NUMBER: compares the two
    #[arg(value_name = "OTHER_LISTING")]
    pub other: Option<String>,
    /// Every pair of a record with its evidence, not only each listing's strongest tie
    #[arg(long, conflicts_with = "other")]
    pub all: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `jeden evaluate`
#[derive(Debug, Args)]
pub struct Evaluate {
    /// Which listings are one property: CSV with siteId, offerId and propertyId, plain, .gz or .zst
    #[arg(long, value_name = "FILE")]
    pub truth: PathBuf,
    /// Labelled pairs: CSV with siteA, offerA, siteB, offerB and label (same, different, ambiguous)
    #[arg(long, value_name = "FILE")]
    pub pairs: Option<PathBuf>,
    /// How many of the worst mistakes to show of each kind of trap
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub worst: usize,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `jeden weights`
#[derive(Debug, Args)]
pub struct Weights {
    /// Which listings are one property, as for `jeden evaluate` [default: nothing is known]
    #[arg(long, value_name = "FILE")]
    pub truth: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `jeden review`
#[derive(Debug, Subcommand)]
pub enum Review {
    /// The two listings are one property, whatever their evidence
    Same(Decision),
    /// The two listings are different properties, and never in one record
    Different(Decision),
    /// Takes a decision back: matching decides again
    Forget {
        /// A listing as PORTAL/NUMBER
        one: String,
        /// The other listing
        other: String,
        /// Why
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Questions that nobody has answered yet: the most valuable first
    List {
        /// How many
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Every decision that was made, oldest first, also those that no longer count
    Log {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// `jeden review same`, `jeden review different`
#[derive(Debug, Args)]
pub struct Decision {
    /// A listing as PORTAL/NUMBER
    pub one: String,
    /// The other listing
    pub other: String,
    /// Why: whoever doubts the decision later reads this
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub reason: String,
    /// Decide also about listings that are still to come
    #[arg(long)]
    pub not_yet_seen: bool,
}

/// `jeden rejects`
#[derive(Debug, Subcommand)]
pub enum Rejects {
    /// Lists the lines that could not be read, and the values that were left out
    List,
    /// Tries again to read them
    Retry,
}

/// `jeden gazetteer`
#[derive(Debug, Args)]
pub struct Gazetteer {
    /// What to do [default: show]
    #[command(subcommand)]
    pub action: Option<GazetteerAction>,
}

/// `jeden gazetteer import`, `jeden gazetteer show`, `jeden gazetteer locate`
#[derive(Debug, Subcommand)]
pub enum GazetteerAction {
    /// Reads files of the address registry (RÚIAN) as ČÚZK publishes them; in any order, and safe to repeat
    Import {
        /// Address tables, code lists, tables of the hierarchy (.csv), VFR (.xml); .zip, .tar, .gz, .xz with these in
        /// them; folders of all of these
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Shows which edition of the registry is in use, and what is in it
    Show,
    /// Shows what an address resolves to, and why
    Locate {
        /// The address
        text: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// Reads the command line. A wrong usage ends the process, with exit code 2.
pub fn parse() -> Cli {
    let matches = Cli::command().get_matches();
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    // The API's own address has the same name: where it is set by the environment, no portal is meant.
    if let (Command::Scrape(scrape), Some((_, given))) = (&mut cli.command, matches.subcommand())
        && given.value_source("base_url") != Some(ValueSource::CommandLine)
    {
        scrape.base_url = None;
    }
    cli
}

/// Ends the process as a wrong usage does (exit code 2), for what only the command itself can see.
pub fn wrong_usage(message: &str) -> ! {
    Cli::command().error(clap::error::ErrorKind::ArgumentConflict, message).exit()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
