//! Options shared by several commands. Each command has only those that it uses.

use std::iter::successors;

use clap::builder::{EnumValueParser, Resettable};
use clap::{Arg, ArgAction, ArgMatches, Args as _, ColorChoice};

use crate::config::Flags;

/// Commands that read no settings: they work on files, print static information, or have settings of their own.
const WITHOUT_SETTINGS: [&str; 6] = ["completions", "demo", "man", "openapi", "secret", "split"];
/// Commands that start the service, ask it on this machine, or show how it would start.
const WITH_BIND: [&str; 5] = ["serve", "demo", "health", "doctor", "config"];
/// Commands whose output is for programs, and never coloured.
const WITHOUT_COLOR: [&str; 3] = ["completions", "man", "openapi"];
/// Commands that show their progress.
const WITH_PROGRESS: [&str; 12] = [
    "backup",
    "check",
    "evaluate",
    "export",
    "import",
    "import-ratings",
    "prune",
    "rebuild",
    "restore",
    "switch",
    "unvoid",
    "void",
];

#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) flags: Flags,
    pub(super) color: ColorChoice,
    pub(super) is_quiet: bool,
}

pub(super) fn with_shared(program: clap::Command) -> clap::Command {
    let program = with_settings(program.arg(bind())).arg(color());
    program.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        with_those_of(&name, command)
    })
}

/// Adds the options of the top-level command `name` to a command and its subcommands.
fn with_those_of(name: &str, command: clap::Command) -> clap::Command {
    let mut command = command.mut_subcommands(|inner| with_those_of(name, inner));
    // A command that requires a subcommand does nothing itself.
    if command.is_subcommand_required_set() {
        return command;
    }
    if WITH_BIND.contains(&name) {
        command = command.arg(bind());
    }
    if !WITHOUT_SETTINGS.contains(&name) {
        command = with_settings(command);
    }
    if WITH_PROGRESS.contains(&name) {
        command = command.arg(quiet());
    }
    if !WITHOUT_COLOR.contains(&name) {
        command = command.arg(color());
    }
    command
}

/// Adds the options for settings. Restores the command's description, which `augment_args` would replace.
fn with_settings(command: clap::Command) -> clap::Command {
    let about = Resettable::from(command.get_about().cloned());
    let long_about = Resettable::from(command.get_long_about().cloned());
    Flags::augment_args(command)
        .about(about)
        .long_about(long_about)
}

fn bind() -> Arg {
    Arg::new("bind")
        .long("bind")
        .value_name("HOST:PORT")
        .help("Address and port to listen on [default: 127.0.0.1:8080; env: RBS_BIND]")
        .help_heading("Settings")
}

fn color() -> Arg {
    Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .value_parser(EnumValueParser::<ColorChoice>::new())
        .hide_possible_values(true)
        .help("Print colours: auto (only at a terminal), always or never [default: auto; NO_COLOR turns them off]")
        .help_heading("Output")
}

fn quiet() -> Arg {
    Arg::new("quiet")
        .long("quiet")
        .short('q')
        .action(ArgAction::SetTrue)
        .help("Show no progress, and log only warnings and errors")
        .help_heading("Output")
}

impl Shared {
    pub(super) fn read(program: &ArgMatches) -> Result<Self, String> {
        let levels: Vec<&ArgMatches> =
            successors(Some(program), |level| Some(level.subcommand()?.1)).collect();
        let is_unused = |id: &str| {
            levels
                .last()
                .is_some_and(|command| command.try_contains_id(id).is_err())
        };
        for id in ["bind", "config", "database_url", "color"] {
            if program.contains_id(id) && is_unused(id) {
                return Err(no_use(program.subcommand_name().unwrap_or("serve"), id));
            }
        }
        Ok(Self {
            flags: Flags {
                config: last(&levels, "config"),
                database_url: last(&levels, "database_url"),
                bind: last(&levels, "bind"),
            },
            color: last(&levels, "color").unwrap_or_default(),
            is_quiet: last(&levels, "quiet").unwrap_or_default(),
        })
    }
}

/// Returns the value of a command-line option. A value behind the command overrides one before it.
fn last<T: Clone + Send + Sync + 'static>(levels: &[&ArgMatches], id: &str) -> Option<T> {
    let mut levels = levels.iter().rev();
    levels.find_map(|level| level.try_get_one(id).ok().flatten().cloned())
}

fn no_use(command: &str, id: &str) -> String {
    if id == "bind" {
        return "--bind is only for serve, demo, health, doctor and config; leave it out, and \
                give the address of a running service with --url"
            .to_owned();
    }
    format!(
        "{command} does not use --{}; leave it out",
        id.replace('_', "-")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program;

    fn read(line: &str) -> Result<Shared, String> {
        let matches = program()
            .try_get_matches_from(line.split(' '))
            .map_err(|error| error.to_string())?;
        Shared::read(&matches)
    }

    #[test]
    fn the_program_is_put_together_without_contradictions() {
        program().debug_assert();
    }

    #[test]
    fn settings_stand_before_the_command_or_behind_it() {
        let path = |line| read(line).unwrap().flags.config.unwrap();
        for line in [
            "rbs --config a.toml",
            "rbs --config a.toml serve",
            "rbs serve --config a.toml",
            "rbs --config b.toml serve --config a.toml",
            "rbs player show [U:1:1] --config a.toml",
            "rbs rounds show s r --config a.toml",
        ] {
            assert_eq!(path(line).as_os_str(), "a.toml", "{line}");
        }
    }

    #[test]
    fn what_a_command_has_no_use_for_is_refused_before_it_and_behind_it() {
        for line in [
            "rbs --database-url sqlite://x.db completions bash",
            "rbs completions bash --database-url sqlite://x.db",
            "rbs --bind 127.0.0.1:1 import x",
            "rbs import x --bind 127.0.0.1:1",
            "rbs openapi --color always",
            "rbs health --quiet",
        ] {
            let option = line.split(' ').find(|word| word.starts_with("--")).unwrap();
            let refused = read(line).unwrap_err();
            assert!(refused.contains(option), "{line}: {refused}");
        }
    }
}
