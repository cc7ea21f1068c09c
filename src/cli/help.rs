//! `rbs --help`: commands in groups.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

const GROUPS: [(&str, &str); 6] = [
    (
        "Serve and maintain",
        "serve demo config secret doctor health backup restore upgrade prune season rebuild check",
    ),
    (
        "Import and export of rounds and ratings",
        "import import-ratings export",
    ),
    (
        "Ask a running service",
        "player players leaderboard rounds scramble interventions quality pools servers settings reload login-link \
         audit refusals",
    ),
    ("Correct rounds in a running service", "void unvoid correct"),
    ("Rating models", "models evaluate switch"),
    ("Without a service", "split openapi completions man help"),
];

const INDENT: usize = 18;

/// Replaces clap's single list of commands with groups.
pub(super) fn grouped(mut program: Command) -> Command {
    // Building the program adds the command `help`.
    program.build();
    let groups = groups(&program);
    program
        .mut_subcommands(|command| command.hide(true))
        .override_usage("rbs [OPTIONS] [COMMAND]")
        .help_template(StyledStr::from(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{{all-args}}{{after-help}}"
        )))
}

fn groups(program: &Command) -> String {
    let styles = program.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    for (heading, commands) in GROUPS {
        let _written = writeln!(text, "{header}{heading}:{header:#}");
        for name in commands.split(' ') {
            let command = program.find_subcommand(name);
            let about = command
                .and_then(Command::get_about)
                .map_or_else(String::new, ToString::to_string);
            let padding = INDENT.saturating_sub(2 + name.len());
            let _written = writeln!(text, "  {literal}{name}{literal:#}{:padding$}{about}", "");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cli::program;

    #[test]
    fn every_command_stands_in_one_group_with_what_it_does() {
        let listed: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, commands)| commands.split(' '))
            .collect();
        let mut built = program();
        built.build();
        let commands: BTreeSet<&str> = built.get_subcommands().map(Command::get_name).collect();
        assert_eq!(listed.len(), commands.len(), "{listed:?}");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), commands);
        let abouts: BTreeSet<String> = built
            .get_subcommands()
            .filter_map(|command| Some(command.get_about()?.to_string()))
            .collect();
        assert_eq!(abouts.len(), commands.len(), "each does something else");
        let help = grouped(program()).render_long_help().to_string();
        assert!(help.starts_with("Ratings, balance and scramble"), "{help}");
        for command in built.get_subcommands() {
            let about = command
                .get_about()
                .map(ToString::to_string)
                .expect("it says what it does");
            let line = format!(
                "  {:<width$}{about}",
                command.get_name(),
                width = INDENT - 2
            );
            assert!(help.lines().any(|found| found == line), "{line}: {help}");
            assert!(line.chars().count() <= 80, "{line}");
        }
        assert!(help.contains("Usage: rbs [OPTIONS] [COMMAND]"), "{help}");
        assert!(
            help.contains("--database-url") && help.contains("Exit codes:"),
            "{help}"
        );
    }

    #[test]
    fn a_command_has_its_own_help() {
        let refused = grouped(program()).try_get_matches_from(["rbs", "export", "--help"]);
        let help = refused.expect_err("help is no command").to_string();
        assert!(help.contains("rbs export [OPTIONS]"), "{help}");
    }
}
