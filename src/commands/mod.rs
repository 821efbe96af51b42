//! One file a command.

mod account;
mod clusters;
mod demo;
mod evaluate;
mod explain;
mod feed;
pub mod gazetteer;
mod migrate;
mod rejects;
mod replay;
mod review;
mod schedule;
mod scrape;
mod serve;
mod status;
mod token;
mod weights;
mod work;

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
