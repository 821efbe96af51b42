//! Parsing the command line: settings, then a command. `src/commands` lists the commands and declares their arguments.

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
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

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Cli::command().debug_assert();
        super::hide_unused(super::Cli::command()).debug_assert();
    }
}
