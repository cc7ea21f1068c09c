//! `rbs-lab`: experiments with the rating models and policies of RBS, on rounds from files and in simulated
//! communities.

mod bot_fit;
mod evaluate;
mod faults;
mod plots;
mod scale;
mod scrambles;
mod simulate;
mod simulation;
mod tune;
mod tuning;

use std::io;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Experiments with the rating models and policies of RBS.
#[derive(Debug, Parser)]
#[command(name = "rbs-lab", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare the predictions of rating models, with a page of plots
    Evaluate(evaluate::EvaluateWithPlots),
    /// Measure how soon faults of servers, maps and players are named, and how often sound ones are
    Faults(faults::Faults),
    /// Compare rules for new teams on a server whose players stay, leave and are replaced
    ///
    /// A round is one-sided if the favourite's true win probability is above 70 %. Ratings are SynElo's.
    Scrambles(scrambles::Scrambles),
    /// Fit a rating model's constants to the rounds of files
    ///
    /// Measures the gain on later rounds.
    Tune(tune::Tune),
    /// Simulate communities, to compare rating models
    ///
    /// The players' skills are known; prints how even the games of each model are.
    Simulate(simulate::Simulate),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Evaluate(evaluate) => evaluate.run(),
        Command::Faults(faults) => faults.run(),
        Command::Scrambles(scrambles) => scrambles.run(),
        Command::Tune(tune) => tune.run(),
        Command::Simulate(simulate) => simulate.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The exit code reports the failure even if nobody reads the message.
            let _unread = writeln!(io::stderr(), "rbs-lab: {}", rbs::cli::explain(&error));
            rbs::cli::exit_code(&error)
        }
    }
}
