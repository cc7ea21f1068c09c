//! The command line: one file a command.

pub mod arguments;
mod backup;
mod check;
mod comparison;
mod config;
mod database;
mod doctor;
mod environment;
pub mod evaluate;
mod export;
mod failure;
pub mod handicap;
mod health;
mod help;
mod import;
mod import_ratings;
mod man;
mod options;
mod prune;
mod rebuild;
mod remote;
mod restore;
mod season;
mod secret;
mod serve;
mod signals;
mod split;
mod switch;
pub mod terminal;
mod upgrade;

use anyhow::Context as _;
use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::config::Settings;
use crate::http::openapi_json;
use crate::telemetry;
use options::{Shared, with_shared};
use terminal::json::print;
use terminal::progress;

pub use failure::{exit_code, explain};

/// Ratings, balance and scramble for community game servers.
#[derive(Debug, Parser)]
#[command(name = "rbs", version, about, after_long_help = ENVIRONMENT)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service, as without a command
    Serve,
    /// Rate the rounds of files
    ///
    /// One update request a line (.gz too); can be run again safely.
    Import(import::Import),
    /// Give players the ratings that they bring from elsewhere
    ///
    /// From a table, as one change that can be undone.
    ImportRatings(import_ratings::ImportRatings),
    /// Write rounds and admin changes as lines that can be imported
    Export(export::Export),
    /// Write all that the database holds into a file
    ///
    /// While the service runs.
    Backup(backup::Backup),
    /// Make a database as it was when a backup was made
    Restore(restore::Restore),
    /// Bring the tables up to this version, or say what that does
    Upgrade(upgrade::Upgrade),
    /// Compute every rating again, or try other settings
    ///
    /// From the log of rounds; or only compare with what is stored.
    Rebuild(rebuild::Rebuild),
    /// Rate a pool by another model, or try that out
    ///
    /// From its first round on.
    Switch(switch::Switch),
    /// Start a season of a pool, take that back, or print standings
    ///
    /// Every rating moves towards the initial one.
    Season(season::Season),
    /// Move old rounds from the database into files
    ///
    /// Every figure stays as it is.
    Prune(prune::PruneRounds),
    /// Check the database or a backup
    ///
    /// Every figure in it is compared with the log of rounds.
    Check(check::Check),
    /// Compare how well rating models would have predicted
    ///
    /// The rounds of files, or of the database.
    Evaluate(evaluate::Evaluate),
    /// Show a player, give a rating, reset, or undo that
    Player(remote::player::Player),
    /// Show whether the predictions of a pool are honest
    Quality(remote::quality::Quality),
    /// Show how well other rating models predict a pool
    Models(remote::models::Models),
    /// List rounds, show one, or void many
    ///
    /// All of a server in some time.
    Rounds(Box<remote::rounds::Rounds>),
    /// List a pool's players
    ///
    /// Searched, filtered and sorted, or who is worth a look.
    Players(remote::players::Players),
    /// Let a round count no longer
    ///
    /// And wait until every rating follows.
    Void(remote::void::Void),
    /// Let a void round count again
    ///
    /// And wait until every rating follows.
    Unvoid(remote::void::Unvoid),
    /// Correct the winner of a round
    ///
    /// And wait until every rating follows.
    Correct(remote::void::Correct),
    /// List the players by rating, with ranks
    Leaderboard(remote::leaderboard::Leaderboard),
    /// List what was answered to unbalanced teams, or count it
    Interventions(remote::interventions::Interventions),
    /// List the pools, and by what they are rated
    Pools(remote::servers::Pools),
    /// List what was refused: secrets, and what game servers sent
    Refusals(remote::refusals::ListRefusals),
    /// Show the last splits of a server, or those before a round
    Scramble(remote::scramble::Scramble),
    /// List the game servers, those that need attention first
    Servers(remote::servers::Servers),
    /// List what admins did
    ///
    /// Sets, resets, undos, voids, corrections, rebuilds, switches, prunes and imported ratings.
    Audit(remote::audit::Audit),
    /// Show the settings of a running service, and the use of secrets
    Settings(remote::settings::Settings),
    /// Have a running service read its settings and secrets again
    Reload(remote::settings::Reload),
    /// Make a secret
    Secret(secret::Secret),
    /// Print the effective settings, and where each comes from
    Config(config::Config),
    /// Split players into teams, without a service
    ///
    /// Teams of every size, from lines of a rating and a name.
    Split(split::Split),
    /// Print the description of the API, OpenAPI 3.1 as JSON
    Openapi,
    /// Print a script that completes commands in a shell
    Completions(man::Completions),
    /// Look for what goes wrong in practice, and what to do then
    Doctor(doctor::Doctor),
    /// Print the manual page, or write those of all commands
    Man(man::Manual),
    /// Ask whether the service is ready; exits with 0 if so
    Health(health::Health),
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
  RBS_URL                The running service that the commands with --url speak to
                         [default: the one that the settings describe, on this machine]
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

/// What a command logs unless `RBS_LOG` says otherwise: how far it is, and what somebody should know. What happens
/// inside is for the log of the service.
const COMMANDS_FILTER: &str = "warn,rbs::cli=info";
/// The same with `--quiet`.
const QUIET_FILTER: &str = "warn";

/// The program with all its commands and options.
fn program() -> clap::Command {
    with_shared(Arguments::command())
}

/// Runs the command that was given.
///
/// # Errors
/// Whatever stopped it, as a sentence for the person at the terminal.
pub fn run() -> anyhow::Result<()> {
    let matches = help::grouped(program()).get_matches();
    let Shared {
        flags,
        color,
        is_quiet,
    } = Shared::read(&matches).unwrap_or_else(|problem| conflict(&problem));
    color.apply();
    if is_quiet {
        progress::hide();
    }
    let command = Arguments::from_arg_matches(&matches)
        .unwrap_or_else(|error| error.exit())
        .command
        .unwrap_or(Command::Serve);
    let filter = match (environment::variable("RBS_LOG"), &command) {
        _ if is_quiet => QUIET_FILTER.to_owned(),
        (Some(filter), _) => filter,
        (None, Command::Serve) => telemetry::DEFAULT_FILTER.to_owned(),
        (None, _) => COMMANDS_FILTER.to_owned(),
    };
    let settings = || Settings::load(&flags, environment::variable);
    match command {
        Command::Serve => {
            let (settings, shown) = config::all_settings(&flags)?;
            work(&filter, settings, |settings| {
                serve::run(settings, shown, flags)
            })
        }
        Command::Import(import) => work(&filter, settings()?, |settings| import.run(settings)),
        Command::ImportRatings(import) => {
            work(&filter, settings()?, |settings| import.run(settings))
        }
        Command::Export(export) => work(&filter, settings()?, |settings| export.run(settings)),
        Command::Backup(backup) => work(&filter, settings()?, |settings| backup.run(settings)),
        Command::Restore(restore) => work(&filter, settings()?, |settings| restore.run(settings)),
        Command::Upgrade(upgrade) => work(&filter, settings()?, |settings| upgrade.run(settings)),
        Command::Rebuild(rebuild) => work(&filter, settings()?, |settings| rebuild.run(settings)),
        Command::Switch(switch) => work(&filter, settings()?, |settings| switch.run(settings)),
        Command::Season(season) => work(&filter, settings()?, |settings| season.run(settings)),
        Command::Prune(prune) => work(&filter, settings()?, |settings| prune.run(settings)),
        Command::Check(check) => work(&filter, settings()?, |settings| check.run(settings)),
        Command::Evaluate(evaluate) if !evaluate.files.is_empty() => {
            evaluate.evaluate_files(|_| {})
        }
        Command::Evaluate(evaluate) => work(&filter, settings()?, |settings| {
            evaluate.run_on_database(settings)
        }),
        Command::Player(player) => player.run(&flags),
        Command::Quality(quality) => quality.run(&flags),
        Command::Models(models) => models.run(&flags),
        Command::Rounds(rounds) => rounds.run(&flags),
        Command::Players(players) => players.run(&flags),
        Command::Void(void) => void.run(&flags),
        Command::Unvoid(unvoid) => unvoid.run(&flags),
        Command::Correct(correct) => correct.run(&flags),
        Command::Leaderboard(leaderboard) => leaderboard.run(&flags),
        Command::Interventions(interventions) => interventions.run(&flags),
        Command::Pools(pools) => pools.run(&flags),
        Command::Refusals(refusals) => refusals.run(&flags),
        Command::Scramble(scramble) => scramble.run(&flags),
        Command::Servers(servers) => servers.run(&flags),
        Command::Audit(audit) => audit.run(&flags),
        Command::Settings(settings) => settings.run(&flags),
        Command::Reload(reload) => reload.run(&flags),
        Command::Secret(secret) => secret.run(),
        Command::Config(config) => config.run(&flags),
        Command::Split(split) => split.run(),
        Command::Openapi => {
            print(openapi_json().as_bytes()).context("cannot write the description")
        }
        Command::Completions(completions) => completions.run(),
        Command::Doctor(doctor) => doctor.run(&flags),
        Command::Man(manual) => manual.run(),
        Command::Health(health) => health.run(&flags),
    }
}

/// Ends the program as where options contradict each other: above all where one comes with a command that
/// does not use it.
fn conflict(problem: &str) -> ! {
    program().error(ErrorKind::ArgumentConflict, problem).exit()
}

/// Runs a command that logs and has a database to wait for.
fn work<Work: Future<Output = anyhow::Result<()>>>(
    filter: &str,
    settings: Settings,
    command: impl FnOnce(Settings) -> Work,
) -> anyhow::Result<()> {
    telemetry::start(filter)?;
    environment::check_unknown(&settings)?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(command(settings))
}
