//! The command line: the list of commands. The arguments of each are declared beside its code, in `src/commands`.

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
use crate::settings::{Options, hide_unused};

/// jeden: Czech property listings, one property one record.
#[derive(Debug, Parser)]
#[command(name = "jeden", version, about, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    pub options: Options,
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Replay the dumps under fixtures/ into a fresh database, show what was merged, and serve it
    Demo(Demo),
    /// Serve the read API
    Serve,
    /// Read portal dumps, deduplicate and merge; safe to repeat
    Replay(Replay),
    /// Crawl one portal now, and merge what it advertises
    Scrape(Scrape),
    /// Crawl portals on schedule and keep the records up to date, until stopped
    Work(Work),
    /// Set when portals are crawled
    #[command(subcommand)]
    Schedule(Schedule),
    /// Show the state of everything; exit with 1 when something needs attention, and say what to do
    Status(StatusOptions),
    /// Convert an agency's feed (Sreality import, XML-RPC) to a dump on stdout, for `replay`
    Feed(Feed),
    /// Manage accounts and their plans
    #[command(subcommand)]
    Account(Account),
    /// Manage the tokens of accounts
    #[command(subcommand)]
    Token(Token),
    /// Explain why portal listings are one property, or why two listings are not
    Explain(Explain),
    /// Measure matching against a table of known properties
    Evaluate(Evaluate),
    /// Compare the match weights with weights estimated from the data; changes nothing
    Weights(Weights),
    /// Record a reviewer's decisions about two listings, which override matching
    #[command(subcommand)]
    Review(Review),
    /// Write every listing with its record, as CSV on stdout
    Clusters,
    /// List or retry input that could not be read
    #[command(subcommand)]
    Rejects(Rejects),
    /// Import the address registry, or look up an address; alone, show the edition in use
    Gazetteer(Gazetteer),
    /// Migrate the database to the current schema
    Migrate,
}

/// Parses the command line. Wrong usage ends the process with exit code 2.
pub fn parse() -> Cli {
    let matches = hide_unused(Cli::command()).get_matches();
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    // The setting of the same name is the API's address: from the environment it does not mean a portal.
    if let (Command::Scrape(scrape), Some((_, given))) = (&mut cli.command, matches.subcommand())
        && given.value_source("base_url") != Some(ValueSource::CommandLine)
    {
        scrape.base_url = None;
    }
    cli
}

/// Ends the process with exit code 2 for wrong usage that only the command itself detects.
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
        super::hide_unused(super::Cli::command()).debug_assert();
    }
}
