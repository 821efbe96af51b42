//! The commands: one file for each, with its arguments and its code.

mod account;
mod change_feed;
mod clusters;
mod console;
mod crawls;
mod demo;
mod evaluate;
mod explain;
mod export;
mod feed;
mod gazetteer;
mod mcp;
mod migrate;
mod operator;
mod operator_console;
mod places;
mod purge;
mod rejects;
mod replay;
mod review;
mod schedule;
mod scrape;
pub mod serve;
mod show;
mod stats;
mod status;
mod sync;
mod token;
mod webhook;
mod weights;
mod work;

use clap::error::ErrorKind;
use clap::{Args, Subcommand};

use crate::outcome::Outcome;
use crate::settings::{Options, Settings};

pub use schedule::require_crawlable as crawlability;

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay the dumps under fixtures/ into a fresh database, show what was merged, and serve it
    Demo(demo::Demo),
    /// Serve the read API
    Serve,
    /// Answer an assistant over stdin and stdout (Model Context Protocol), with the token of --mcp-token
    Mcp,
    /// Serve the operator's console: what runs, what is wrong, what is the same
    Console,
    /// Manage the people who use the console
    #[command(subcommand)]
    Operator(operator::Operator),
    /// Read portal dumps, deduplicate and merge; safe to repeat
    Replay(replay::Replay),
    /// Crawl one portal now, and merge what it advertises
    Scrape(scrape::Scrape),
    /// Crawl portals on schedule and keep the records up to date, until stopped
    Work(work::Work),
    /// Set when portals are crawled
    #[command(subcommand)]
    Schedule(schedule::Schedule),
    /// List the last crawls with their figures
    Crawls(crawls::Crawls),
    /// Show the state of everything and what needs attention; exit with 1 if something does
    Status(status::StatusOptions),
    /// Convert an agency's feed (Sreality import, XML-RPC) to a dump on stdout, for `replay`
    Feed(feed::Feed),
    /// Manage accounts and their plans
    #[command(subcommand)]
    Account(account::Account),
    /// Manage the tokens of accounts
    #[command(subcommand)]
    Token(token::Token),
    /// Manage the addresses to which changes of records are sent
    #[command(subcommand)]
    Webhook(webhook::Webhook),
    /// Show what is stored about a listing: fields, changes, contents, values left out, its record
    Show(show::Show),
    /// Explain why listings are one property, or why two listings are not
    Explain(explain::Explain),
    /// Measure matching against a table of known properties, or how well the places of the records fit together
    Evaluate(evaluate::Evaluate),
    /// Print the match weights beside weights estimated from the data; change nothing
    Weights(weights::Weights),
    /// Record a reviewer's decisions about two listings, which override matching
    #[command(subcommand)]
    Review(review::Action),
    /// Print the districts and quarters that searches can filter by, with the number of records
    Places(places::Places),
    /// Print asking prices, times on the market and changes of price, by place, kind and month, each property once
    Stats(stats::Stats),
    /// Write every listing with its record, as CSV on stdout
    Clusters(clusters::Clusters),
    /// Write the records, their adverts and prices as tables (Parquet, CSV, JSON Lines), with the sequence number that
    /// they stand for
    Export(export::Export),
    /// Bring a folder of Parquet files up to date by the feed of changes
    Sync(sync::Sync),
    /// List or retry input that could not be read
    #[command(subcommand)]
    Rejects(rejects::Rejects),
    /// Take stored data out again: a portal, a listing, or what a dump or crawl brought
    #[command(subcommand)]
    Purge(purge::Action),
    /// Import the address registry, or look up an address; alone, show the edition in use
    Gazetteer(gazetteer::Gazetteer),
    /// Migrate the database to the current schema
    Migrate,
}

/// Runs a command.
pub async fn run(command: Command, settings: &Settings) -> anyhow::Result<Outcome> {
    match command {
        Command::Demo(options) => demo::run(&options, settings).await,
        Command::Serve => serve::run(settings).await,
        Command::Mcp => mcp::run(settings).await,
        Command::Console => console::run(settings).await,
        Command::Operator(action) => operator::run(action, settings).await,
        Command::Replay(options) => replay::run(&options, settings).await,
        Command::Scrape(options) => scrape::run(&options, settings).await,
        Command::Work(options) => work::run(&options, settings).await,
        Command::Schedule(action) => schedule::run(action, settings).await,
        Command::Crawls(options) => crawls::run(&options, settings).await,
        Command::Status(options) => status::run(&options, settings).await,
        Command::Feed(options) => feed::run(options),
        Command::Account(action) => account::run(action, settings).await,
        Command::Token(action) => token::run(action, settings).await,
        Command::Webhook(action) => webhook::run(action, settings).await,
        Command::Show(options) => show::run(&options, settings).await,
        Command::Explain(options) => explain::run(&options, settings).await,
        Command::Evaluate(options) => evaluate::run(&options, settings).await,
        Command::Weights(options) => weights::run(&options, settings).await,
        Command::Review(action) => review::run(action, settings).await,
        Command::Places(options) => places::run(&options, settings).await,
        Command::Stats(options) => stats::run(&options, settings).await,
        Command::Clusters(options) => clusters::run(&options, settings).await,
        Command::Export(options) => export::run(&options, settings).await,
        Command::Sync(options) => sync::run(&options, settings).await,
        Command::Rejects(action) => rejects::run(action, settings).await,
        Command::Purge(action) => purge::run(action, settings).await,
        Command::Gazetteer(action) => gazetteer::run(action, settings).await,
        Command::Migrate => migrate::run(settings).await,
    }
}

/// Ends the process with exit code 2 for wrong usage that only the command itself detects.
fn wrong_usage(message: &str) -> ! {
    let usage = Options::augment_args(clap::Command::new("jeden"));
    Command::augment_subcommands(usage)
        .subcommand_required(true)
        .error(ErrorKind::ArgumentConflict, message)
        .exit()
}
