use std::fmt;
use std::fmt::Write as _;

use super::Path;
use super::view::InPool;
use crate::api::{
    CalibrationAnswer, GroupAnswer, GroupFiguresAnswer, MeanRatingAnswer, QualityAnswer,
    VerdictAnswer, Windowed,
};
use crate::cli::terminal::figures::{Number, number, percent, signed};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Tone;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::config::Flags;

/// Maximum number of printed maps, of servers and of team sizes. The output of --json is complete.
const MAX_GROUPS: usize = 10;

pub(crate) const HELP: &str = "\
The first sentence is the verdict on the predictions. A Brier score or log loss below that of a coin flip means that
the predictions are better than guessing. Warnings name results that differ from the predictions by more than chance
would explain.

Examples:
  rbs quality
  rbs quality --pool arena --json";

pub(crate) fn run(pool: &InPool, flags: &Flags) -> anyhow::Result<()> {
    pool.show(flags, Path::at("/v1/admin/quality"), text)
}

fn text(figures: &QualityAnswer, text: &mut Output) -> fmt::Result {
    let players = figures.players;
    writeln!(
        text,
        "Pool {}: {}, {} of them drawn; theta {}\n\
         {}, {} of them with a hidden rating, {} stale (inactive)\n",
        figures.pool,
        plural(figures.rounds, "round"),
        figures.draws,
        figures.theta,
        plural(players.total, "player"),
        players.hidden,
        players.stale,
    )?;
    add_verdict(text, &figures.verdict)?;
    for warning in &figures.warnings {
        let title = Tone::Warning.paint("Warning:");
        writeln!(text, "{title} {}", visible(warning))?;
    }
    writeln!(text)?;
    add_scores(text, figures);
    writeln!(text)?;
    add_lean(text, figures)?;
    if let Some(mean) = &figures.mean_rating {
        add_mean(text, mean)?;
    }
    add_calibration(text, &figures.calibration);
    let rows = |groups: &[GroupAnswer]| -> Vec<Row> {
        groups
            .iter()
            .map(|group| (group.name.clone(), group.figures))
            .collect()
    };
    let pairs = figures
        .by_map_and_server
        .iter()
        .map(|pair| (format!("{} on {}", pair.map, pair.server), pair.figures));
    // Pairs of names leave no room for the scores.
    for (name, groups, with_scores) in [
        ("map", rows(&figures.by_map), true),
        ("server", rows(&figures.by_server), true),
        ("map on server", pairs.collect(), false),
        ("teams", rows(&figures.by_team_size), true),
    ] {
        if !groups.is_empty() {
            add_groups(text, (name, with_scores), groups)?;
        }
    }
    if let Some(learnt) = &figures.learnt {
        write!(
            text,
            "\nLearnt by {}: {}\n",
            learnt.model,
            visible(&learnt.message)
        )?;
        if !learnt.figures.maps.is_empty() {
            let table = Table::new(&learnt.figures.maps)
                .elastic("map", |map| &map.map)
                .right("lean to a", |map| signed(Some(map.lean.value), 3))
                .right("standard error", |map| {
                    number(Some(map.lean.standard_error), 3)
                });
            text.next_table(table);
        }
    }
    Ok(())
}

fn add_verdict(text: &mut Output, verdict: &VerdictAnswer) -> fmt::Result {
    writeln!(text, "{}", visible(&verdict.message))?;
    if let Some(command) = &verdict.command {
        writeln!(text, "  Try it:  {}", visible(command))?;
    }
    if let Some(setting) = &verdict.setting {
        writeln!(text, "  Set it:  {}", visible(setting))?;
    }
    Ok(())
}

fn add_scores(text: &mut Output, figures: &QualityAnswer) {
    let fine: fn(Option<f64>) -> Number = |value| number(value, 4);
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
    let table = Table::new(&rows)
        .left("", |(name, ..)| name)
        .right(&format!("last {}", figures.window), |(_, figure, write)| {
            write(figure.window)
        })
        .right("all", |(_, figure, write)| write(figure.all));
    text.table(table);
}

fn add_lean(text: &mut Output, figures: &QualityAnswer) -> fmt::Result {
    let favourites = &figures.favourites;
    writeln!(
        text,
        "Favourites' wins per round beyond those predicted:  {} (luck alone: ± {})",
        signed(favourites.residual.all, 3),
        number(favourites.standard_error.all, 3)
    )?;
    writeln!(
        text,
        "Team a's wins per round beyond those predicted:     {} (luck alone: ± {})",
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
    writeln!(
        text,
        "Theta that fits best:                               {fitted}"
    )
}

/// Prints the mean rating of the active players, and the causes that moved it by a tenth of a point or more.
fn add_mean(text: &mut Output, mean: &MeanRatingAnswer) -> fmt::Result {
    let [from, to] = [mean.from, mean.to].map(|mean| number(Some(mean), 1));
    let players = plural(mean.players, "active player");
    writeln!(
        text,
        "Mean rating of {players}: {to} (before the latest rounds: {from})"
    )?;
    let causes: Vec<_> = mean
        .causes
        .iter()
        .filter(|one| one.points.abs() >= 0.1)
        .collect();
    if !causes.is_empty() {
        let table = Table::new(&causes)
            .elastic("moved by", |one| visible(&one.message))
            .right("points", |one| signed(Some(one.points), 1));
        text.next_table(table);
    }
    Ok(())
}

fn add_calibration(text: &mut Output, bins: &[CalibrationAnswer]) {
    let bins: Vec<&CalibrationAnswer> = bins.iter().filter(|bin| bin.rounds > 0).collect();
    if bins.is_empty() {
        return;
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
    text.next_table(table);
}

type Row = (String, GroupFiguresAnswer);

/// Prints a table of maps, servers or team sizes, the largest departure from the predictions first.
fn add_groups(
    text: &mut Output,
    (name, with_scores): (&str, bool),
    mut groups: Vec<Row>,
) -> fmt::Result {
    // Departures are measured in standard errors of even odds, because those of small groups are unreliable.
    let departure = |figures: &GroupFiguresAnswer| {
        #[expect(clippy::cast_precision_loss, reason = "counts lie far below 2^53")]
        let rounds = figures.rounds as f64;
        figures.bias.unwrap_or(0.0).abs() * rounds.sqrt()
    };
    groups.sort_by(|(_, one), (_, other)| departure(other).total_cmp(&departure(one)));
    let (shown, more) = groups.split_at(groups.len().min(MAX_GROUPS));
    let table = Table::new(shown)
        .elastic(name, |(name, _)| name)
        .right("rounds", |(_, figures)| figures.rounds)
        .right("bias", |(_, figures)| signed(figures.bias, 3))
        .right("error", |(_, figures)| number(figures.standard_error, 3))
        .right("accuracy", |(_, figures)| percent(figures.accuracy));
    let table = if with_scores {
        table
            .right("Brier", |(_, figures)| number(figures.brier, 4))
            .right("coin's", |(_, figures)| number(figures.coin_flip_brier, 4))
    } else {
        table
    };
    text.next_table(table);
    if !more.is_empty() {
        writeln!(text, "and {} more, which --json has", more.len())?;
    }
    Ok(())
}
