//! One file a command: what it takes, and what it does.

pub mod account;
mod clusters;
pub mod demo;
pub mod evaluate;
pub mod explain;
pub mod feed;
pub mod gazetteer;
mod migrate;
pub mod rejects;
pub mod replay;
pub mod review;
pub mod schedule;
pub mod scrape;
mod serve;
pub mod status;
pub mod token;
pub mod weights;
pub mod work;

use crate::cli::Command;
use crate::outcome::Outcome;
use crate::settings::Settings;

/// Runs a command.
pub async fn run(command: Command, settings: &Settings) -> anyhow::Result<Outcome> {
    match command {
        Command::Demo(options) => demo::run(&options, settings).await,
        Command::Serve => serve::run(settings).await,
        Command::Replay(options) => replay::run(&options, settings).await,
        Command::Scrape(options) => scrape::run(&options, settings).await,
        Command::Work(options) => work::run(&options, settings).await,
        Command::Schedule(action) => schedule::run(action, settings).await,
        Command::Status(options) => status::run(&options, settings).await,
        Command::Feed(options) => feed::run(options),
        Command::Account(action) => account::run(action, settings).await,
        Command::Token(action) => token::run(action, settings).await,
        Command::Explain(options) => explain::run(&options, settings).await,
        Command::Evaluate(options) => evaluate::run(&options, settings).await,
        Command::Weights(options) => weights::run(&options, settings).await,
        Command::Review(action) => review::run(action, settings).await,
        Command::Clusters => clusters::run(settings).await,
        Command::Rejects(action) => rejects::run(action, settings).await,
        Command::Gazetteer(action) => gazetteer::run(action, settings).await,
        Command::Migrate => migrate::run(settings).await,
    }
}
