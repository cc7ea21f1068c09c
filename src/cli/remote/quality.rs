use std::fmt::Write as _;

use anyhow::Context as _;
use clap::Args;

use super::{Path, Target};
use crate::api::{CalibrationAnswer, GroupAnswer, QualityAnswer, Windowed};
use crate::cli::terminal::figures::{number, percent, signed};
use crate::cli::terminal::json::print;
use crate::cli::terminal::table::{Table, visible};
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
    if let Some(learnt) = &figures.learnt {
        write!(
            text,
            "\nLearnt by {}: {}\n",
            learnt.model,
            visible(&learnt.say)
        )?;
        if !learnt.figures.maps.is_empty() {
            let table = Table::new(&learnt.figures.maps)
                .left("map", |map| &map.map)
                .right("leans to a by", |map| signed(Some(map.lean.value), 3))
                .right("standard error", |map| {
                    number(Some(map.lean.standard_error), 3)
                });
            write!(text, "\n{}", table.text())?;
        }
    }
    for warning in &figures.warnings {
        write!(text, "\nWarning: {}\n", visible(warning))?;
    }
    Ok(text)
}

fn scores(figures: &QualityAnswer) -> String {
    let fine: fn(Option<f64>) -> String = |value| number(value, 4);
    let log_loss_of_a_coin = Windowed {
        window: Some(figures.coin_flip.log_loss),
        all: Some(figures.coin_flip.log_loss),
    };
    let rows = [
        ("Brier score", figures.brier, fine),
        ("  of a coin", figures.coin_flip.brier, fine),
        ("  skill", figures.skill.brier, percent),
        ("Log loss", figures.log_loss, fine),
        ("  of a coin", log_loss_of_a_coin, fine),
        ("Accuracy", figures.accuracy, percent),
    ];
    Table::new(&rows)
        .left("", |(name, ..)| name)
        .right(&format!("last {}", figures.window), |(_, figure, write)| {
            write(figure.window)
        })
        .right("all", |(_, figure, write)| write(figure.all))
        .text()
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
    let bins: Vec<&CalibrationAnswer> = bins.iter().filter(|bin| bin.rounds > 0).collect();
    if bins.is_empty() {
        return String::new();
    }
    let table = Table::new(&bins)
        .left("odds of a", |bin| {
            format!("{:.0} to {:.0} %", 100.0 * bin.from, 100.0 * bin.to)
        })
        .right("rounds", |bin| bin.rounds)
        .right("predicted", |bin| percent(bin.predicted))
        .right("observed", |bin| percent(bin.observed))
        .right("95 % interval", |bin| {
            format!("{} to {}", percent(bin.low), percent(bin.high))
        });
    format!("\n{}", table.text())
}

fn by(name: &str, groups: &[GroupAnswer]) -> String {
    let (shown, more) = groups.split_at(groups.len().min(MOST_GROUPS));
    let table = Table::new(shown)
        .left(name, |group| &group.name)
        .right("rounds", |group| group.rounds)
        .right("Brier", |group| number(group.brier, 4))
        .right("coin's", |group| number(group.coin_flip_brier, 4))
        .right("accuracy", |group| percent(group.accuracy))
        .right("bias", |group| signed(group.bias, 3));
    let more = match more.len() {
        0 => String::new(),
        more => format!("and {more} more, which --json has\n"),
    };
    table.text() + &more
}
