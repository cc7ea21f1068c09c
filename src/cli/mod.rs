//! The command line: one file a command.

mod arguments;
mod backup;
mod check;
mod completions;
mod config;
mod database;
mod doctor;
mod environment;
mod evaluate;
mod export;
mod failure;
mod health;
mod import;
mod import_ratings;
mod man;
mod prune;
mod rebuild;
mod remote;
mod restore;
mod serve;
mod signals;
mod simulate;
mod split;
mod switch;
mod terminal;
mod tune;
mod upgrade;

use anyhow::Context as _;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::config::{Flags, Settings};
use crate::http::openapi_json;
use crate::telemetry;
use terminal::json::print;

pub use failure::{exit_code, explain};

/// Ratings, balance and scramble for community game servers.
#[derive(Debug, Parser)]
#[command(name = "rbs", version, about, after_help = ENVIRONMENT)]
struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    bind: Bind,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service; what happens without a command too.
    Serve(Bind),
    /// Rate the rounds of files, one update request a line (.gz too); can be run again safely.
    Import(import::Import),
    /// Give players the ratings that they bring from elsewhere, from a table, as one change that can be undone.
    ImportRatings(import_ratings::ImportRatings),
    /// Write rounds and admin changes as lines that can be imported.
    Export(export::Export),
    /// Write everything that the database holds into one file, while the service runs.
    Backup(backup::Backup),
    /// Make a database as it was when a backup was made.
    Restore(restore::Restore),
    /// Bring the tables up to this version, or say what that would do.
    Upgrade(upgrade::Upgrade),
    /// Compute every rating again from the log of rounds, or compare, or try other settings.
    Rebuild(rebuild::Rebuild),
    /// Rate a pool by another model from its first round on, or try that out.
    Switch(switch::Switch),
    /// Move old rounds from the database into files, and leave every figure as it is.
    Prune(prune::PruneRounds),
    /// Check the database or a backup, and every figure in it against the log of rounds.
    Check(check::Check),
    /// Compare how well rating models would have predicted the rounds of files, or of the database.
    Evaluate(evaluate::Evaluate),
    /// Fit a rating model's constants to the rounds of files, and measure on later ones what that gains.
    Tune(tune::Tune),
    /// Play communities of known skills, and print how even rating models make their games.
    Simulate(simulate::Simulate),
    /// Show a player of the running service, give a rating, or reset.
    Player(remote::player::Player),
    /// Show whether the predictions of a pool of the running service are honest.
    Quality(remote::quality::Quality),
    /// Show how well other rating models predict a pool of the running service.
    Models(remote::models::Models),
    /// List rounds of the running service, or show one.
    Rounds(remote::rounds::Rounds),
    /// Let a round count no longer, and wait until every rating follows.
    Void(remote::void::Void),
    /// Let a void round count again, and wait until every rating follows.
    Unvoid(remote::void::Unvoid),
    /// List what admins did: sets, resets, voids, rebuilds, switches, prunes and imported ratings.
    Audit(remote::audit::Audit),
    /// Print the effective settings, and where each comes from.
    Config(config::Config),
    /// Split players into teams of every size, from lines of a rating and a name; without a service.
    Split(split::Split),
    /// Print the description of the API, OpenAPI 3.1 as JSON.
    Openapi,
    /// Print a script that completes commands and options in a shell.
    Completions(completions::Completions),
    /// Look for what goes wrong in practice, and say what to do about it.
    Doctor(doctor::Doctor),
    /// Print the manual page of the program, or write those of all commands into a folder.
    Man(man::Manual),
    /// Ask the running service whether it is ready; exits with 0 if so.
    Health(health::Health),
}

impl Command {
    /// Where the service listens that this command starts, asks or shows, by its own options;
    /// `None` of the commands that do not use it.
    fn bind(&self) -> Option<&Bind> {
        match self {
            Self::Serve(bind)
            | Self::Health(health::Health { bind, .. })
            | Self::Doctor(doctor::Doctor { bind, .. })
            | Self::Config(config::Config { bind, .. }) => Some(bind),
            _ => None,
        }
    }
}

/// Where the service listens.
#[derive(Debug, Default, Args)]
struct Bind {
    /// Address and port to listen on [default: 127.0.0.1:8080; env: RBS_BIND]
    #[arg(long, value_name = "HOST:PORT")]
    bind: Option<String>,
}

/// What is set in the environment alone; the rest stands with its flag.
const ENVIRONMENT: &str = "\
Environment, besides what is named above:
  RBS_SECRET             The game servers' secrets, separated by commas [default: one is made and
                         kept in rbs.secret next to the database]
  RBS_SECRET_FILE        A file with them
  RBS_ADMIN_SECRET       The admins' secrets [default: the game servers']
  RBS_ADMIN_SECRET_FILE  A file with them
  RBS_READ_SECRET        Secrets that only read metrics and figures [default: none]
  RBS_READ_SECRET_FILE   A file with them
  RBS_LOG                error, warn, info, debug, trace, off, or a filter such as info,rbs=debug
                         [default: info]
  RBS_URL                The running service that player, quality, models, rounds, void, unvoid and
                         audit speak to [default: the one that the settings describe, on this machine]
  RBS_CA_FILE            A PEM file with the certificates of the authorities that those commands believe
                         of an https:// address [default: the public ones]

Exit codes:
  0    Done
  1    Failed; the last line on standard error says at what. Of check and rebuild --check also:
       something is stored otherwise than the log gives it; of doctor: it found a problem
  2    The command line cannot be understood
  3    The service knows no such round or pool
  4    The service refuses: the secret, or what was sent
  5    The service cannot be reached, or cannot answer now
  130  Stopped by Ctrl-C or SIGTERM";

/// Runs the command that was given.
///
/// # Errors
/// Whatever stopped it, as a sentence for the person at the terminal.
pub fn run() -> anyhow::Result<()> {
    let Arguments {
        mut flags,
        bind,
        command,
    } = Arguments::parse();
    let command = command.unwrap_or(Command::Serve(Bind::default()));
    match command.bind() {
        Some(own) => flags.bind = own.bind.clone().or(bind.bind),
        None if bind.bind.is_some() => conflict(
            "--bind is for serve, health, doctor and config alone; leave it out, and name a running service \
             to a command that speaks to one with --url",
        ),
        None => {}
    }
    let settings = || Settings::load(&flags, environment::variable);
    match command {
        Command::Serve(_) => work(settings()?, serve::run),
        Command::Import(import) => work(settings()?, |settings| import.run(settings)),
        Command::ImportRatings(import) => work(settings()?, |settings| import.run(settings)),
        Command::Export(export) => work(settings()?, |settings| export.run(settings)),
        Command::Backup(backup) => work(settings()?, |settings| backup.run(settings)),
        Command::Restore(restore) => work(settings()?, |settings| restore.run(settings)),
        Command::Upgrade(upgrade) => work(settings()?, |settings| upgrade.run(settings)),
        Command::Rebuild(rebuild) => work(settings()?, |settings| rebuild.run(settings)),
        Command::Switch(switch) => work(settings()?, |settings| switch.run(settings)),
        Command::Prune(prune) => work(settings()?, |settings| prune.run(settings)),
        Command::Check(check) => work(settings()?, |settings| check.run(settings)),
        Command::Evaluate(evaluate) if !evaluate.files.is_empty() => evaluate.run(),
        Command::Evaluate(evaluate) => {
            work(settings()?, |settings| evaluate.run_on_database(settings))
        }
        Command::Tune(tune) => tune.run(),
        Command::Simulate(simulate) => simulate.run(),
        Command::Player(player) => player.run(&flags),
        Command::Quality(quality) => quality.run(&flags),
        Command::Models(models) => models.run(&flags),
        Command::Rounds(rounds) => rounds.run(&flags),
        Command::Void(void) => void.run(&flags),
        Command::Unvoid(unvoid) => unvoid.run(&flags),
        Command::Audit(audit) => audit.run(&flags),
        Command::Config(config) => config.run(&flags),
        Command::Split(split) => split.run(),
        Command::Openapi => {
            print(openapi_json().as_bytes()).context("cannot write the description")
        }
        Command::Completions(completions) => completions.run(),
        Command::Doctor(doctor) => doctor.run(&flags),
        Command::Man(manual) => manual.run(),
        Command::Health(health) => health.run(&settings()?.bind),
    }
}

/// Ends the program as where options contradict each other: above all where `--bind` comes with a
/// command that does not use it.
fn conflict(problem: &str) -> ! {
    Arguments::command()
        .error(ErrorKind::ArgumentConflict, problem)
        .exit()
}

/// Runs a command that logs and has a database to wait for.
fn work<Work: Future<Output = anyhow::Result<()>>>(
    settings: Settings,
    command: impl FnOnce(Settings) -> Work,
) -> anyhow::Result<()> {
    let filter = environment::variable("RBS_LOG");
    telemetry::start(filter.as_deref())?;
    environment::check_unknown(&settings)?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(command(settings))
}
