use std::fmt::Write as _;

use anyhow::Context as _;
use clap::Args;

use super::{Path, Target};
use crate::api::{CalibrationAnswer, Figure, GroupAnswer, QualityAnswer, Windowed};
use crate::cli::terminal::figures::{number, percent, signed};
use crate::cli::terminal::json::print;
use crate::cli::terminal::table::{Side, Table, visible};
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::PoolName;

/// How many maps, servers and team sizes are shown each; --json has the others too.
const MOST_GROUPS: usize = 10;

/// `rbs quality`.
#[derive(Debug, Args)]
#[command(after_help = "\
A Brier score or log loss below that of a coin says that the predictions know something; residual and
bias further than two standard errors from 0 say that they are off.

Examples:
  rbs quality
  rbs quality --pool arena --json")]
pub(crate) struct Quality {
    /// The pool [default: default]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    target: Target,
}

impl Quality {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        let path = Path::of(&["v1", "admin", "quality"]).with("pool", self.pool.as_ref());
        let answer = self.target.client(flags)?.get(&path)?;
        let text = if self.target.json {
            answer.line()
        } else {
            text(&answer.read()?)?
        };
        print(text.as_bytes()).context("cannot write the figures")
    }
}

fn text(figures: &QualityAnswer) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let players = figures.players;
    writeln!(
        text,
        "Pool {}: {}, {} of them drawn; theta {}\n\
         {}, {} of them not shown yet, {} away for too long\n",
        figures.pool,
        plural(figures.rounds, "round"),
        figures.draws,
        figures.theta,
        plural(players.total, "player"),
        players.hidden,
        players.stale,
    )?;
    text += &scores(figures);
    text.push('\n');
    text += &lean(figures)?;
    text += &calibration(&figures.calibration);
    for (name, groups) in [
        ("map", &figures.by_map),
        ("server", &figures.by_server),
        ("teams", &figures.by_team_size),
    ] {
        if !groups.is_empty() {
            write!(text, "\n{}", by(name, groups))?;
        }
    }
    for warning in &figures.warnings {
        write!(text, "\nWarning: {}\n", visible(warning))?;
    }
    Ok(text)
}

fn scores(figures: &QualityAnswer) -> String {
    let window = format!("last {}", figures.window);
    let mut table = Table::new([
        ("", Side::Left),
        (&window, Side::Right),
        ("all", Side::Right),
    ]);
    let mut row = |name: &str, figure: Figure, write: fn(Option<f64>) -> String| {
        table.row([name.to_owned(), write(figure.window), write(figure.all)]);
    };
    let fine = |value| number(value, 4);
    let coin = Some(figures.coin_flip.log_loss);
    row("Brier score", figures.brier, fine);
    row("  of a coin", figures.coin_flip.brier, fine);
    row("  skill", figures.skill.brier, percent);
    row("Log loss", figures.log_loss, fine);
    row(
        "  of a coin",
        Windowed {
            window: coin,
            all: coin,
        },
        fine,
    );
    row("Accuracy", figures.accuracy, percent);
    table.text()
}

/// Whom the predictions favour, and the theta that would fit.
fn lean(figures: &QualityAnswer) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let favourites = &figures.favourites;
    writeln!(
        text,
        "Favourites beyond prediction:  {} (standard error {})",
        signed(favourites.residual.all, 3),
        number(favourites.standard_error.all, 3)
    )?;
    writeln!(
        text,
        "Team a beyond prediction:      {} (standard error {})",
        signed(figures.side_bias.bias, 3),
        number(figures.side_bias.standard_error, 3)
    )?;
    let fitted = figures.theta_fitted.as_ref().map_or_else(
        || "-".to_owned(),
        |fitted| {
            let high = number(fitted.high, 0);
            format!("{:.0} ({:.0} to {high})", fitted.theta, fitted.low)
        },
    );
    writeln!(text, "Theta that fits best:          {fitted}")?;
    Ok(text)
}

fn calibration(bins: &[CalibrationAnswer]) -> String {
    let mut table = Table::new([
        ("odds of a", Side::Left),
        ("rounds", Side::Right),
        ("predicted", Side::Right),
        ("observed", Side::Right),
        ("95 % interval", Side::Right),
    ]);
    let mut any = false;
    for bin in bins.iter().filter(|bin| bin.rounds > 0) {
        any = true;
        table.row([
            format!("{:.0} to {:.0} %", 100.0 * bin.from, 100.0 * bin.to),
            bin.rounds.to_string(),
            percent(bin.predicted),
            percent(bin.observed),
            format!("{} to {}", percent(bin.low), percent(bin.high)),
        ]);
    }
    if any {
        format!("\n{}", table.text())
    } else {
        String::new()
    }
}

fn by(name: &str, groups: &[GroupAnswer]) -> String {
    let mut table = Table::new([
        (name, Side::Left),
        ("rounds", Side::Right),
        ("Brier", Side::Right),
        ("coin's", Side::Right),
        ("accuracy", Side::Right),
        ("bias", Side::Right),
    ]);
    for group in groups.iter().take(MOST_GROUPS) {
        table.row([
            group.name.clone(),
            group.rounds.to_string(),
            number(group.brier, 4),
            number(group.coin_flip_brier, 4),
            percent(group.accuracy),
            signed(group.bias, 3),
        ]);
    }
    let more = groups.len().saturating_sub(MOST_GROUPS);
    let more = if more > 0 {
        format!("and {more} more, which --json has\n")
    } else {
        String::new()
    };
    table.text() + &more
}
