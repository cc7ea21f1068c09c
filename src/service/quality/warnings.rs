use std::cmp::Reverse;

use super::mean_rating;
use super::verdict::table;
use crate::api::{GroupAnswer, QualityAnswer};
use crate::domain::PoolName;
use crate::rating::{DEFAULT_TEAM_SIZE, Parameters, theta_for_team_size};

/// Minimum number of rounds to judge the team sizes of a pool.
const ENOUGH_SIZES: u64 = 50;
/// Reciprocal of the share of rounds that must reach a team size for it to count (20 means 5 %).
const ONE_IN: u64 = 20;

/// Returns the quality report's warnings for the operator, in addition to its verdict. `theta_is_set` is `true` if the
/// configuration contains Θ or a team size.
pub(super) fn warnings(
    quality: &QualityAnswer,
    theta_is_set: bool,
    parameters: &Parameters,
) -> Vec<String> {
    let mut warnings = Vec::new();
    // A fitted Θ tells more than the team sizes.
    if !theta_is_set && quality.theta_fitted.is_none() && quality.rounds >= ENOUGH_SIZES {
        let sizes = &quality.by_team_size;
        warnings.extend(unset_team_size(&quality.pool, sizes, quality.rounds));
    }
    let departures = quality.departures.iter();
    warnings.extend(departures.map(|departure| departure.message.clone()));
    warnings.extend(quality.copies.iter().map(|one| one.message.clone()));
    warnings.extend(quality.clocks.iter().map(|one| one.message.clone()));
    warnings.extend(quality.habits.iter().map(|one| one.message.clone()));
    let mean = quality.mean_rating.as_ref();
    warnings.extend(mean.and_then(|mean| mean_rating::warning(mean, &quality.pool, parameters)));
    warnings
}

/// Returns a warning if the pool's teams differ from the default size, so that another Θ would suit them.
fn unset_team_size(pool: &PoolName, sizes: &[GroupAnswer], rounds: u64) -> Option<String> {
    let mut sizes: Vec<(u32, u64)> = sizes
        .iter()
        .filter_map(|group| {
            let (_smaller, larger) = group.name.split_once(" v ")?;
            Some((larger.parse::<u32>().ok()?, group.figures.rounds))
        })
        .collect();
    sizes.sort_unstable_by_key(|(size, _)| Reverse(*size));
    let mut as_large = 0;
    let (largest, _) = sizes.into_iter().find(|(_, rounds_of_size)| {
        as_large += rounds_of_size;
        ONE_IN * as_large >= rounds
    })?;
    let theta = theta_for_team_size(largest);
    let assumed = theta_for_team_size(DEFAULT_TEAM_SIZE);
    let table = table(pool);
    (theta.total_cmp(&assumed).is_ne()).then(|| {
        format!(
            "the largest teams were {largest} v {largest}, but predictions assume \
             {DEFAULT_TEAM_SIZE} v {DEFAULT_TEAM_SIZE}: set max_team_size = {largest} under [{table}], unless \
             teams will be larger"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::GroupFiguresAnswer;

    #[test]
    fn a_team_size_that_is_not_set_is_seen_from_the_rounds() {
        let group = |&(name, rounds): &(&str, u64)| GroupAnswer {
            name: name.to_owned(),
            figures: GroupFiguresAnswer {
                rounds,
                ..GroupFiguresAnswer::default()
            },
        };
        for (sizes, expected) in [
            (&[("3 v 3", 50)][..], Some(3)),
            // One in twenty rounds is no exception.
            (&[("3 v 3", 95), ("5 v 6", 5)], Some(6)),
            (&[("3 v 3", 96), ("12 v 12", 4)], Some(3)),
            (&[("9 v 9", 80), ("11 v 12", 5)], None),
            (&[("11 v 11", 50)], None),
            (&[("13 v 13", 50)], Some(13)),
            (&[("2 v 10", 30), ("1 v 9", 30)], Some(10)),
        ] {
            let rounds = sizes.iter().map(|(_, rounds)| rounds).sum();
            let groups: Vec<GroupAnswer> = sizes.iter().map(group).collect();
            for (pool, table) in [("default", "rating"), ("arena", "pools.arena")] {
                let warning = unset_team_size(&pool.parse().unwrap(), &groups, rounds);
                let expected = expected.map(|size| {
                    format!(
                        "the largest teams were {size} v {size}, but predictions assume 12 v 12: set \
                         max_team_size = {size} under [{table}], unless teams will be larger"
                    )
                });
                assert_eq!(warning, expected, "{sizes:?}");
            }
        }
    }
}
