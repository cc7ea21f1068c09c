//! Command line, with one file for each command.

pub mod arguments;
mod backup;
mod check;
mod comparison;
mod config;
mod database;
mod demo;
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
mod login_link;
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
use remote::Target;
use remote::view::InPool;
use terminal::output::{Format, print};
use terminal::progress;
use terminal::screen::choose_colors;

pub use failure::{exit_code, explain};

/// Command line of RBS: ratings, balance and scramble for community game servers.
#[derive(Debug, Parser)]
#[command(name = "rbs", version, about, after_long_help = ENVIRONMENT)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the service (the default without a command)
    Serve,
    /// Run the service with made-up data, to look around
    ///
    /// Uses a temporary database, no configuration file, and no secret of yours. Ctrl-C removes everything.
    Demo(demo::Demo),
    /// Rate rounds from files
    ///
    /// One update request per line, or match logs of logs.tf (.gz too). Importing a file again counts no round twice.
    Import(import::Import),
    /// Set players' ratings from a table
    ///
    /// All ratings of a table form one change, which can be undone.
    ImportRatings(import_ratings::ImportRatings),
    /// Export rounds and admin changes as lines for rbs import
    Export(export::Export),
    /// Back up the database into one file
    ///
    /// Works while the service runs.
    Backup(backup::Backup),
    /// Restore a database from a backup
    Restore(restore::Restore),
    /// Migrate the database to this version, or preview that
    Upgrade(upgrade::Upgrade),
    /// Compute all ratings again, or try other settings
    ///
    /// Replays the log of rounds, or only compares it with the stored ratings.
    Rebuild(rebuild::Rebuild),
    /// Switch a pool to another rating model, or try that out
    ///
    /// Rates the pool again from its first round on.
    Switch(switch::Switch),
    /// Start or undo a season of a pool, or print standings
    ///
    /// A start moves every rating towards the initial one.
    Season(season::Season),
    /// Move old rounds from the database into files
    ///
    /// All ratings and figures stay unchanged.
    Prune(prune::PruneRounds),
    /// Check the database or a backup
    ///
    /// Compares all stored figures with the log of rounds.
    Check(check::Check),
    /// Compare how well rating models predict past rounds
    ///
    /// Takes the rounds of files, or of the database.
    Evaluate(evaluate::Evaluate),
    /// Show or change a player
    Player(remote::player::Player),
    /// Show how good the predictions of a pool are
    #[command(after_long_help = remote::quality::HELP)]
    Quality(InPool),
    /// Show how well challenger models predict a pool
    #[command(after_long_help = remote::models::HELP)]
    Models(InPool),
    /// List rounds, show one, or void many
    ///
    /// Many are all rounds of a server, a secret or a pool in a period.
    Rounds(Box<remote::rounds::Rounds>),
    /// List a pool's players
    ///
    /// Search, filter and sort them, for example to find players worth a look.
    Players(remote::players::Players),
    /// Void a round, so that it no longer counts
    ///
    /// Waits until all ratings are updated.
    Void(remote::void::Void),
    /// Restore a voided round, so that it counts again
    ///
    /// Waits until all ratings are updated.
    Unvoid(remote::void::Unvoid),
    /// Correct the winner of a round
    ///
    /// Waits until all ratings are updated.
    Correct(remote::void::Correct),
    /// List players by rating, with ranks
    Leaderboard(remote::leaderboard::Leaderboard),
    /// List interventions in unbalanced matches, or summarize them
    Interventions(remote::interventions::Interventions),
    /// List the pools with their models
    #[command(after_long_help = remote::servers::POOLS_HELP)]
    Pools(Target),
    /// List refused requests and rounds
    Refusals(remote::refusals::ListRefusals),
    /// Show the last splits of a server, or those before a round
    Scramble(remote::scramble::Scramble),
    /// List game servers, those that need attention first
    Servers(remote::servers::Servers),
    /// List admin changes
    ///
    /// Sets, resets, undos, voids, corrections, rebuilds, switches, prunes and imported ratings.
    Audit(remote::audit::Audit),
    /// Show a running service's settings and the use of its secrets
    Settings(remote::settings::Settings),
    /// Reload the settings and secrets of a running service
    #[command(after_long_help = remote::settings::RELOAD_HELP)]
    Reload(Target),
    /// Make a link, and its QR code, that opens the dashboard once
    LoginLink(login_link::LoginLink),
    /// Create a secret for game servers or admins
    Secret(secret::Secret),
    /// Print the effective settings and their sources
    #[command(after_long_help = config::HELP)]
    Config(Format),
    /// Split players into teams, without a service
    ///
    /// Computes teams of every size, from lines with a rating and a name.
    Split(split::Split),
    /// Print the API description (OpenAPI 3.1, JSON)
    Openapi,
    /// Print a shell completion script
    Completions(man::Completions),
    /// Find common problems, and say how to fix them
    Doctor(doctor::Doctor),
    /// Print the manual page, or write one for each command
    Man(man::Manual),
    /// Check whether the service is ready; exits with 0 if so
    Health(health::Health),
}

/// Settings that only the environment can set, for the help. Settings with a flag are described with the flag.
const ENVIRONMENT: &str = "\
Further environment variables:
  RBS_SECRET             The game servers' secrets, separated by commas [default: a new secret, kept
                         in rbs.secret next to the database]
  RBS_SECRET_FILE        A file with the game servers' secrets
  RBS_ADMIN_SECRET       The admins' secrets [default: the game servers' secrets]
  RBS_ADMIN_SECRET_FILE  A file with the admins' secrets
  RBS_READ_SECRET        Secrets that only read metrics and figures [default: none]
  RBS_READ_SECRET_FILE   A file with the read-only secrets
  RBS_LOG                error, warn, info, debug, trace, off, or a filter such as info,rbs=debug
                         [default: info]
  RBS_URL                Address of the running service, for the commands with --url
                         [default: the service on this machine that the settings describe]
  RBS_CA_FILE            A PEM file with the certificate authorities that the commands with --url
                         trust for an https:// address [default: the public ones]

Exit codes:
  0    Done
  1    Failed; the last line on standard error has the reason. Also if check or
       rebuild --check finds a difference from the log, or doctor finds a problem
  2    The command line is not valid
  3    The service knows no such round or pool
  4    The service refused the secret or the request
  5    The service cannot be reached, or cannot answer now
  130  Stopped by Ctrl-C or SIGTERM";

/// Default log filter of commands other than `rbs serve`: progress and warnings.
const COMMANDS_FILTER: &str = "warn,rbs::cli=info";
const QUIET_FILTER: &str = "warn";
/// Default log filter of `rbs demo`, whose made-up rounds cause warnings on purpose.
const DEMO_FILTER: &str = "error";

fn program() -> clap::Command {
    with_shared(Arguments::command())
}

/// Runs the command given on the command line.
///
/// # Errors
/// Returns any error of the command, as a sentence for the user at the terminal.
pub fn run() -> anyhow::Result<()> {
    let matches = help::grouped(program()).get_matches();
    let Shared {
        flags,
        color,
        is_quiet,
    } = Shared::read(&matches).unwrap_or_else(|problem| conflict(&problem));
    choose_colors(color);
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
        (None, Command::Demo(_)) => DEMO_FILTER.to_owned(),
        (None, Command::Serve) => telemetry::DEFAULT_FILTER.to_owned(),
        (None, _) => COMMANDS_FILTER.to_owned(),
    };
    let settings = || Settings::load(&flags, environment::variable);
    match command {
        Command::Serve => {
            let (settings, shown) = config::all_settings(&flags, environment::variable)?;
            work(&filter, settings, |settings| {
                serve::run(settings, shown, flags)
            })
        }
        Command::Demo(demo) => {
            telemetry::start(&filter)?;
            runtime()?.block_on(demo.run(flags.bind))
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
        Command::Quality(pool) => remote::quality::run(&pool, &flags),
        Command::Models(pool) => remote::models::run(&pool, &flags),
        Command::Rounds(rounds) => rounds.run(&flags),
        Command::Players(players) => players.run(&flags),
        Command::Void(void) => void.run(&flags),
        Command::Unvoid(unvoid) => unvoid.run(&flags),
        Command::Correct(correct) => correct.run(&flags),
        Command::Leaderboard(leaderboard) => leaderboard.run(&flags),
        Command::Interventions(interventions) => interventions.run(&flags),
        Command::Pools(target) => remote::servers::run_pools(&target, &flags),
        Command::Refusals(refusals) => refusals.run(&flags),
        Command::Scramble(scramble) => scramble.run(&flags),
        Command::Servers(servers) => servers.run(&flags),
        Command::Audit(audit) => audit.run(&flags),
        Command::Settings(settings) => settings.run(&flags),
        Command::Reload(target) => remote::settings::run_reload(&target, &flags),
        Command::LoginLink(link) => link.run(&flags),
        Command::Secret(secret) => secret.run(),
        Command::Config(format) => config::run(format, &flags),
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

/// Ends the program because of contradicting options, such as an option that the command does not use.
fn conflict(problem: &str) -> ! {
    program().error(ErrorKind::ArgumentConflict, problem).exit()
}

fn work<Work: Future<Output = anyhow::Result<()>>>(
    filter: &str,
    settings: Settings,
    command: impl FnOnce(Settings) -> Work,
) -> anyhow::Result<()> {
    telemetry::start(filter)?;
    environment::check_unknown(&settings)?;
    runtime()?.block_on(command(settings))
}

fn runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Runtime::new().context(
        "cannot start the program's threads; raise the limits on processes and open files (ulimit -u, ulimit -n)",
    )
}
