//! The program `jeden`: parses the command line, runs the command, and sets the exit code.

mod cli;
mod clock;
mod commands;
mod feed_source;
mod listing_name;
mod logging;
mod metrics;
mod outcome;
mod outside_geocoder;
mod progress;
mod random;
mod registry;
mod settings;
mod signals;
mod webhook;
mod work;

use std::process::ExitCode;

use outcome::Outcome;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::parse();
    let outcome = settings::load(&cli.options).and_then(|settings| {
        logging::start(&settings)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(commands::run(cli.command, &settings))
    });
    match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::SomeRejected) => ExitCode::from(3),
        Ok(Outcome::Failed) => ExitCode::FAILURE,
        // The reader of the output has closed it: `jeden explain … | head`.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            progress::say(&format!("jeden: {}", in_one_line(&error)));
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let failed = match error.downcast_ref::<csv::Error>().map(csv::Error::kind) {
        Some(csv::ErrorKind::Io(failed)) => Some(failed),
        _ => error.downcast_ref::<std::io::Error>(),
    };
    failed.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The error and its causes in one line. A cause whose text is already included is left out.
fn in_one_line(error: &anyhow::Error) -> String {
    error
        .chain()
        .map(ToString::to_string)
        .fold(String::new(), |mut said, cause| {
            if said.is_empty() {
                return cause;
            }
            if !said.contains(&cause) {
                said.push_str(": ");
                said.push_str(&cause);
            }
            said
        })
}
