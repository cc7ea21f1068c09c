//! The command line: one file a command.

mod database;
mod environment;
mod export;
mod failure;
mod health;
mod import;
mod serve;
mod stop;

use anyhow::Context as _;
use clap::{Parser, Subcommand};

use crate::config::{Flags, Settings};
use crate::telemetry;

pub use failure::{exit_code, explain};

/// Ratings, balance and scramble for community game servers.
#[derive(Debug, Parser)]
#[command(name = "rbs", version, about)]
struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service; what happens without a command too.
    Serve,
    /// Rate the rounds of files, one update request a line (.gz too); can be run again safely.
    Import(import::Import),
    /// Write rounds and admin changes as lines that can be imported.
    Export(export::Export),
    /// Ask the running service whether it is ready; exits with 0 if so.
    Health,
}

/// Runs the command that was given.
///
/// # Errors
/// Whatever stopped it, as a sentence for the person at the terminal.
pub fn run() -> anyhow::Result<()> {
    let Arguments { flags, command } = Arguments::parse();
    let settings = Settings::load(&flags, environment::variable)?;
    if let Some(Command::Health) = command {
        return health::run(&settings.bind);
    }
    telemetry::start(environment::variable("RBS_LOG").as_deref())?;
    environment::warn_of_unknown();
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(async {
        match command.unwrap_or(Command::Serve) {
            Command::Serve => serve::run(settings).await,
            Command::Import(import) => import.run(settings).await,
            Command::Export(export) => export.run(settings).await,
            Command::Health => health::run(&settings.bind),
        }
    })
}
