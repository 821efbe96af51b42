//! The command line: which commands there are. What each of them takes stands beside what it does, in
//! `src/commands`.

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::commands::account::Account;
use crate::commands::demo::Demo;
use crate::commands::evaluate::Evaluate;
use crate::commands::explain::Explain;
use crate::commands::feed::Feed;
use crate::commands::gazetteer::Gazetteer;
use crate::commands::rejects::Rejects;
use crate::commands::replay::Replay;
use crate::commands::review::Action as Review;
use crate::commands::schedule::Schedule;
use crate::commands::scrape::Scrape;
use crate::commands::status::StatusOptions;
use crate::commands::token::Token;
use crate::commands::weights::Weights;
use crate::commands::work::Work;
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
    Status(StatusOptions),
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
    Cli::command()
        .error(clap::error::ErrorKind::ArgumentConflict, message)
        .exit()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}
