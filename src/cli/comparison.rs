//! Text of a comparison, printed by `--dry-run`: a pool's present figures beside those after a change.

use std::fmt;
use std::fmt::Write as _;

use super::terminal::figures::{Number, number, or_nothing, percent, signed};
use super::terminal::output::{Format, Output};
use super::terminal::progress::Watcher;
use super::terminal::table::Table;
use super::terminal::words::plural;
use crate::api::{MovedRatingAnswer, MovedRatingsAnswer};
use crate::config::Settings;
use crate::domain::Probability;
use crate::rating::{ModelScores, MovedRating, Windowed};
use crate::service::{Alternative, Comparison, Service};
use crate::store::PoolRecord;

/// Compares a pool with itself with other settings, another model or a changed log. Prints the figures as text, unless
/// the format is JSON. `headings` name two columns: the present figures, and those of the change.
pub(super) async fn try_out(
    service: &Service,
    settings: &Settings,
    pool: &PoolRecord,
    alternative: Alternative,
    headings: [&str; 2],
    format: Format,
) -> anyhow::Result<Comparison> {
    let configured = settings.pools.get(&pool.name).map(|pool| &pool.parameters);
    let mut watcher = Watcher::start("Trying", &pool.name)?;
    let mut watch = |progress| watcher.tick(progress);
    let comparing = service.compare(pool, configured, alternative, &mut watch);
    let found = Box::pin(comparing).await?;
    watcher.finish();
    if !format.json {
        let mut output = Output::default();
        text(pool, headings, &found, &mut output)?;
        output.print(format)?;
    }
    Ok(found)
}

fn text(
    pool: &PoolRecord,
    [is, would_be]: [&str; 2],
    found: &Comparison,
    text: &mut Output,
) -> fmt::Result {
    let rounds = plural(found.rounds as u64, "round");
    writeln!(text, "Pool {}: {rounds}\n", pool.name)?;
    let row = |name: &str, figure: fn(&ModelScores) -> Number| {
        let of = |scores: Windowed<ModelScores>| [figure(&scores.window), figure(&scores.all)];
        (name.to_owned(), of(found.is), of(found.would_be))
    };
    let scores = [
        row("Brier score", |of| number(of.brier, 4)),
        row("Log loss", |of| number(of.log_loss, 4)),
        row("Accuracy", |of| percent(of.accuracy)),
        row("Slope", |of| number(of.calibration_slope, 2)),
    ];
    let last = format!("last {}", found.window);
    text.table(
        Table::new(&scores)
            .left("", |(name, ..)| name)
            .right(&format!("{is}, {last}"), |(_, [is, _], _)| is)
            .right(is, |(_, [_, is], _)| is)
            .right(&format!("{would_be}, {last}"), |(.., [would_be, _])| {
                would_be
            })
            .right(would_be, |(.., [_, would_be])| would_be),
    );
    if let Some(difference) = found.would_be.all.difference {
        let error = number(difference.standard_error, 4);
        let mean = signed(Some(difference.mean), 4);
        writeln!(
            text,
            "\nDifference of the log losses per round: {mean} \u{b1} {error}; below 0, \"{would_be}\" is better."
        )?;
    }
    let ratings = &found.ratings;
    writeln!(
        text,
        "{} would change. Similarity of the old and the new ranking, for the {} with a visible rating: {} (from -1, \
         the reverse order, to 1, the same order).",
        plural(ratings.moved, "rating"),
        plural(ratings.shown, "player"),
        number(ratings.rank_correlation, 2)
    )?;
    if !ratings.largest.is_empty() {
        let table = Table::new(&ratings.largest)
            .left("largest changes", |change| change.id)
            .right(is, |change| change.is)
            .right(would_be, |change| change.would_be)
            .right("change", |change: &MovedRating| {
                format!("{:+}", change.would_be.points() - change.is.points())
            });
        text.next_table(table);
    }
    if !found.last_rounds.is_empty() {
        let odds = |odds: Probability| percent(Some(odds.get()));
        let table = Table::new(&found.last_rounds)
            .left("last rounds", |round| &round.round_id)
            .elastic("server", |round| &round.server)
            .left("winner", |round| round.winner)
            .right(&format!("odds of a ({is})"), |round| odds(round.is))
            .right(&format!("odds of a ({would_be})"), |round| {
                odds(round.would_be)
            });
        text.next_table(table);
    }
    Ok(())
}

/// Returns a table of the players whose ratings a tried change would move most, with both ratings. Leaves the cells of
/// hidden player ids empty.
pub(super) fn moved_ratings(moved: &MovedRatingsAnswer) -> Table<'_, MovedRatingAnswer> {
    Table::new(&moved.largest)
        .left("player", |moved| {
            or_nothing((!moved.id_hidden).then_some(moved.id))
        })
        .elastic("name", |moved| or_nothing(moved.name.as_ref()))
        .right("rating", |moved| moved.before)
        .right("would be", |moved| moved.after)
        .right("change", |moved| {
            format!("{:+}", moved.after.points() - moved.before.points())
        })
}
