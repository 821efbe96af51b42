//! Which settings each command uses. Its `--help` lists only these.
//!
//! Every command accepts every setting, so that one environment or one settings file serves all commands.

use std::collections::BTreeSet;

use clap::{Args, Command};

use super::Options;

/// The settings that every command uses.
const ALWAYS: [&str; 3] = ["config", "database_url", "log"];

/// The settings that the API server uses.
const SERVER: [&str; 8] = [
    "listen",
    "base_url",
    "search_timeout",
    "max_connections",
    "failed_attempts",
    "geocoder_url",
    "geocoder_pace",
    "cors_origins",
];

/// The settings that the console uses.
const CONSOLE: [&str; 5] = [
    "console_listen",
    "console_url",
    "console_hosts",
    "console_person_header",
    "console_street_map",
];

/// The settings that a command uses in addition to [`ALWAYS`]. `command` is its full name, such as `gazetteer import`.
fn used_by(command: &str) -> Vec<&'static str> {
    let with_server = |others: &[&'static str]| [&SERVER, others].concat();
    match command {
        "serve" => with_server(
            &[
                &CONSOLE[..],
                &[
                    "database_read_url",
                    "gazetteer",
                    "metrics_listen",
                    "contact",
                ],
                &["mcp_listen", "mcp_hosts", "feed_listen", "feed_url"],
            ]
            .concat(),
        ),
        "mcp" => vec![
            "mcp_token",
            "database_read_url",
            "gazetteer",
            "search_timeout",
            "geocoder_url",
            "geocoder_pace",
        ],
        "demo" => with_server(&[
            "gazetteer",
            "console_listen",
            "console_street_map",
            "feed_listen",
        ]),
        "console" => [&CONSOLE[..], &["gazetteer", "contact", "search_timeout"]].concat(),
        "work" => [
            &CONSOLE[..],
            &[
                "gazetteer",
                "contact",
                "metrics_listen",
                "keep_contents",
                "keep_changes",
                "webhook_url",
                "webhook_secret",
            ],
        ]
        .concat(),
        "scrape" => vec!["gazetteer", "contact"],
        "schedule set" | "schedule run" => vec!["contact"],
        "replay" | "explain" | "export" | "evaluate" | "weights" | "review list"
        | "review same" | "review forget" | "review different" | "rejects retry" | "status"
        | "gazetteer" | "gazetteer import" | "gazetteer show" | "gazetteer locate"
        | "purge portal" | "purge listing" | "purge dump" | "purge crawl" => vec!["gazetteer"],
        _ => Vec::new(),
    }
}

/// Hides the settings that a command does not use from its help.
pub fn hide_unused(mut cli: Command) -> Command {
    // Settings are global options, which clap adds to each command when it is built.
    cli.build();
    let options = Options::augment_args(Command::new("settings"));
    let settings = options
        .get_arguments()
        .map(|setting| setting.get_id().to_string());
    let own = |command: &Command, name: &str| {
        // `scrape --base-url` is another option with the name of a setting.
        command.get_name() == "scrape" && name == "base_url"
    };
    let settings: BTreeSet<String> = settings.collect();
    hide_in(cli, &[], &|command, path, name| {
        let is_used = ALWAYS.contains(&name) || used_by(path).contains(&name);
        settings.contains(name) && !is_used && !own(command, name)
    })
}

/// Hides the options for which `is_unused` is true, in a command and its subcommands.
fn hide_in(
    command: Command,
    path: &[String],
    is_unused: &dyn Fn(&Command, &str, &str) -> bool,
) -> Command {
    let names = path.join(" ");
    let unused: Vec<String> = command
        .get_arguments()
        .map(|argument| argument.get_id().to_string())
        .filter(|name| is_unused(&command, &names, name))
        .collect();
    // `mut_args` keeps the places of the options, by which a command that is built finds them. `mut_arg` does not.
    let command = command.mut_args(|argument| {
        let is_hidden = unused.iter().any(|name| name == argument.get_id().as_str());
        if is_hidden {
            argument.hide(true)
        } else {
            argument
        }
    });
    command.mut_subcommands(|below| {
        let path = [path, &[below.get_name().to_owned()]].concat();
        hide_in(below, &path, is_unused)
    })
}
