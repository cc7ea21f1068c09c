//! Mean rating of a pool's active players, and the warning about it.

use super::verdict::table;
use crate::api::{MeanCauseAnswer, MeanPointAnswer, MeanRatingAnswer};
use crate::domain::PoolName;
use crate::rating::{MeanCause, MeanMovement, Parameters};
use crate::service::players::history::evenly_spaced;

/// Change of the active players' mean rating over a pool's latest 10 000 log positions, in points, above which the
/// quality report warns.
const WORTH_A_WARNING: f64 = 100.0;
/// Maximum number of samples in the reported course of a pool's mean rating.
const POINTS: u64 = 60;

pub(super) fn described(movement: &MeanMovement) -> MeanRatingAnswer {
    let causes = movement.causes.iter();
    let shown = evenly_spaced(1, movement.course.len() as u64, POINTS)
        .into_iter()
        .filter_map(|number| {
            let index = usize::try_from(number - 1).ok()?;
            movement.course.get(index)
        });
    MeanRatingAnswer {
        players: movement.players,
        from: movement.from,
        to: movement.to,
        causes: causes
            .map(|&(cause, points)| MeanCauseAnswer {
                cause,
                message: in_words(cause).to_owned(),
                points,
            })
            .collect(),
        points: shown
            .map(|&(rounds, ended_at, mean)| MeanPointAnswer {
                rounds,
                ended_at,
                mean,
            })
            .collect(),
    }
}

pub(super) fn warning(
    mean: &MeanRatingAnswer,
    pool: &PoolName,
    parameters: &Parameters,
) -> Option<String> {
    let moved = mean.to - mean.from;
    if moved.abs() <= WORTH_A_WARNING {
        return None;
    }
    // A cause that moved the mean in the opposite direction explains nothing.
    let mut causes = mean.causes.iter();
    let main = causes.find(|one| one.points * moved > 0.0)?;
    let (verb, table) = (if moved > 0.0 { "risen" } else { "fallen" }, table(pool));
    let advice = advice(main.cause, &table);
    Some(format!(
        "the mean rating of the {} active players has {verb} by {:.0} points over the latest rounds, from {:.0} to \
         {:.0}, while new players begin with {}; most of that comes from {} ({:+.0}): {advice} (docs/quality.md#the-pools-mean)",
        mean.players,
        moved.abs(),
        mean.from,
        mean.to,
        parameters.initial_rating,
        main.message,
        main.points,
    ))
}

fn in_words(cause: MeanCause) -> &'static str {
    match cause {
        MeanCause::Unrated => "players who were not rated in a round, or only in part",
        MeanCause::TeamSizes => "rounds that began with teams of different sizes",
        MeanCause::Draws => "draws between teams whose ratings change at different speeds (K)",
        MeanCause::KFactors => "winners and losers whose ratings change at different speeds (K)",
        MeanCause::Floor => "players at min_rating, who cannot lose points",
        MeanCause::Seasons => "starts of seasons",
        MeanCause::Admins => "ratings that admins set or reset",
        MeanCause::Departed => "rating points held by players who are no longer active",
    }
}

/// Returns advice about a cause that moved a pool's mean rating. `table` is the pool's configuration table.
fn advice(cause: MeanCause, table: &str) -> String {
    let first = match cause {
        MeanCause::Unrated => format!(
            "have servers report leavers with \"seconds\" instead of \"participated\": false (participation_half_life \
             under [{table}] says how much a part of a round counts); then "
        ),
        MeanCause::TeamSizes => "find out why teams begin with different sizes; then ".to_owned(),
        MeanCause::Draws => {
            "check whether servers report unfinished rounds as draws; then ".to_owned()
        }
        MeanCause::Floor => format!("lower min_rating under [{table}]; then "),
        MeanCause::KFactors | MeanCause::Departed => String::new(),
        MeanCause::Seasons | MeanCause::Admins => {
            "undo these changes if they were a mistake, or ".to_owned()
        }
    };
    format!("{first}shift all ratings with rbs import-ratings --mean, or start a season")
}
