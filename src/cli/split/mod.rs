mod list;
mod report;
mod roles;

use std::fs::File;
use std::io;
use std::io::{IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::import::lines::is_standard_input;
use super::terminal::output::Format;
use super::{arguments, conflict};
use crate::api::{
    AlternativesRequest, Object, PickRequest, RoleRequest, ScrambleRequest, TeamSize, Whole,
};
use crate::rating::{Advantages, points_of_theta};
use crate::service::split_offline;
use report::Report;

/// Maximum size of the list of players in bytes, above any list that can be split.
const MAX_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Args)]
pub(super) struct Split {
    /// File with one player per line: a whole-number rating, white space, the name; blank lines and lines that start
    /// with # are skipped. Without a file, or with -, standard input.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Only compute teams of N players; may be given several times.
    #[arg(long = "size", value_name = "N")]
    sizes: Vec<TeamSize>,
    /// Let the highest rated player wait if that makes the teams fairer.
    #[arg(long)]
    no_anchor: bool,
    /// Let nobody wait: one split of all players; if their number is odd, one team has one player more.
    #[arg(long, conflicts_with_all = ["sizes", "alternatives"])]
    no_bench: bool,
    /// Compute the N best splits, best first; only with a single --size.
    #[arg(long, value_name = "N", requires = "sizes")]
    alternatives: Option<Whole<1, 20>>,
    /// Instead of the best split, draw one of the N best at random; only with a single --size, or with --no-bench.
    #[arg(
        long,
        value_name = "N",
        requires = "seed",
        conflicts_with = "alternatives"
    )]
    pick: Option<Whole<1, 4>>,
    /// Seed of the random draw: the same seed and the same list give the same split.
    #[arg(long, value_name = "N", requires = "pick")]
    seed: Option<Whole<0, 4_294_967_295>>,
    /// By how many rating points the difference between the teams' sums may grow in order to keep the two best players
    /// apart or to fill a role.
    #[arg(long, value_name = "N", default_value = "0")]
    tolerance: Whole<0, 1000>,
    /// Give each team N (default 1, at most 8) of the players whose lines end in +NAME, such as: 1500 Roger +medic; may
    /// be given up to 8 times.
    #[arg(long = "role", value_name = "NAME[=N]", value_parser = roles::role)]
    roles: Vec<RoleRequest>,
    /// By how many rating points the difference between the teams' sums may grow in order to share newcomers, whose
    /// lines end in +newcomer, evenly between the teams; 0 turns this off.
    #[arg(long, value_name = "N", default_value = "20")]
    newcomers: Whole<0, 100>,
    /// Theta: lead in the sum of ratings that gives a team a 73 % chance to win [default: 400 × half the size of the
    /// largest team, rounded up]
    #[arg(
        long,
        value_name = "N",
        value_parser = arguments::whole(1..=1_000_000_000_u32)
    )]
    theta: Option<u32>,
    /// Rating points to add to the sum of team a because the map favours it; negative if the map favours team b.
    #[arg(
        long,
        value_name = "POINTS",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = arguments::whole(-Advantages::MAX_POINTS..=Advantages::MAX_POINTS)
    )]
    advantage: i32,
    #[command(flatten)]
    format: Format,
}

impl Split {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let request = self.request();
        let (source, text) = read(self.file.as_deref())?;
        let mut players = list::players(&text).map_err(|bad| anyhow::anyhow!("{source}, {bad}"))?;
        let (roles, newcomers) = roles::take_marks(&mut players, &self.roles)?;
        let request = ScrambleRequest {
            roles,
            players: players.iter().map(|player| player.id.into()).collect(),
            ..request
        };
        if let Some(size) = self.sizes.iter().max() {
            anyhow::ensure!(
                2 * size.count() <= players.len(),
                "two teams of {size} need {} players, and {source} has {}; list more players or \
                 ask for a smaller --size",
                2 * size.count(),
                players.len()
            );
        }
        let largest = match self.sizes.iter().max() {
            Some(size) => size.count(),
            None if self.no_bench => players.len().div_ceil(2),
            None => players.len() / 2,
        };
        let theta = self
            .theta
            .unwrap_or_else(|| points_of_theta(u32::try_from(largest).unwrap_or(u32::MAX)));
        let ratings = players.iter().map(|player| (player.id, player.rating));
        let found = split_offline(&request, ratings, newcomers, theta.into(), self.advantage)?;
        let report = Report::new(&players, theta, found);
        self.format.print(&report, Report::text)
    }

    /// Converts the options into a request for splits, without the players and roles. Ends the program if options
    /// contradict each other, like clap does for invalid options.
    fn request(&self) -> ScrambleRequest {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        let alternatives = self.alternatives.map(|count| match sizes[..] {
            [size] => Object(AlternativesRequest { size, count }),
            _ => conflict("--alternatives takes exactly one --size; ask for each size in turn"),
        });
        if self.pick.is_some() && sizes.len() != 1 && !self.no_bench {
            conflict("--pick needs either exactly one --size or --no-bench");
        }
        let pick = self
            .pick
            .zip(self.seed)
            .map(|(of, seed)| Object(PickRequest { of, seed }));
        ScrambleRequest {
            pick,
            sizes: (!sizes.is_empty()).then_some(sizes),
            alternatives,
            anchor: Some(!self.no_anchor),
            bench: Some(!self.no_bench),
            tolerance: Some(self.tolerance),
            newcomers: Some(self.newcomers),
            ..ScrambleRequest::default()
        }
    }
}

fn read(file: Option<&Path>) -> anyhow::Result<(String, Vec<u8>)> {
    let named = file.filter(|path| !is_standard_input(path));
    let (source, input): (String, Box<dyn Read>) = if let Some(path) = named {
        let source = path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot read {source}"))?;
        (source, Box::new(file))
    } else {
        if io::stdin().is_terminal() {
            eprintln!("Type one player per line: the rating, then the name. End with Ctrl-D.");
        }
        ("standard input".to_owned(), Box::new(io::stdin()))
    };
    let mut text = Vec::new();
    let read = input.take(MAX_BYTES + 1).read_to_end(&mut text);
    read.with_context(|| format!("cannot read {source}"))?;
    anyhow::ensure!(
        text.len() as u64 <= MAX_BYTES,
        "{source} is over {MAX_BYTES} bytes, too large for a list of players; check that it is the right input (one \
         player per line: the rating, then the name)"
    );
    Ok((source, text))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::cli::{Arguments, Command};

    #[test]
    fn a_tolerance_is_asked_for() {
        let arguments = Arguments::try_parse_from(["rbs", "split", "--tolerance=20"]).unwrap();
        let Some(Command::Split(split)) = arguments.command else {
            panic!("{arguments:?}");
        };
        assert_eq!(split.request().tolerance, "20".parse().ok());
    }
}
