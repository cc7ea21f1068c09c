use std::cmp::Reverse;

use crate::api::{GroupAnswer, QualityAnswer};
use crate::domain::PoolName;
use crate::rating::{
    DEFAULT_TEAM_SIZE, MIN_FITTED_ROUNDS, Residual, ThetaFit, theta_for_team_size,
};

/// How many standard errors something must lie away from where it should be.
const NOTEWORTHY: f64 = 3.0;
/// The rounds with a favourite below which a window's score is a matter of luck.
const ENOUGH_FAVOURITES: u64 = 100;
/// The rounds from which on the sizes of their teams are the sizes that are played.
const ENOUGH_SIZES: u64 = 50;
/// Teams that are larger in fewer rounds than one in so many are an exception.
const ONE_IN: u64 = 20;

/// What an operator should look at, in sentences; nothing where all is well. `favourites` are the
/// window's; `theta_is_set` says whether the configuration names Θ or a team size.
pub(super) fn warnings(
    quality: &QualityAnswer,
    favourites: &Residual,
    theta_is_set: bool,
) -> Vec<String> {
    let mut warnings = Vec::new();
    // What the rounds' results say of Θ is worth more than what their sizes say.
    if !theta_is_set && quality.theta_fitted.is_none() && quality.rounds >= ENOUGH_SIZES {
        let sizes = &quality.by_team_size;
        warnings.extend(unset_team_size(&quality.pool, sizes, quality.rounds));
    }
    if quality.rounds < MIN_FITTED_ROUNDS {
        warnings.push(format!(
            "too few rounds to say whether the predictions are good: {} of {MIN_FITTED_ROUNDS}",
            quality.rounds
        ));
        return warnings;
    }
    warnings.extend(match &quality.theta_fitted {
        None => Some(
            "no theta fits: favourites win no more often than others, or always; look whether the \
             servers report the right winners and whole teams"
                .to_owned(),
        ),
        Some(fit) => wrong_theta(&quality.pool, quality.theta, fit),
    });
    warnings.extend(no_better_than_a_coin(quality));
    warnings.extend(odd_favourites(favourites));
    warnings.extend(side_bias(&quality.side_bias));
    warnings
}

/// Where teams are of another size than is taken for granted, and that makes another Θ.
fn unset_team_size(pool: &PoolName, sizes: &[GroupAnswer], rounds: u64) -> Option<String> {
    let sizes = sizes.iter().filter_map(|group| {
        let (_smaller, larger) = group.name.split_once(" v ")?;
        Some((larger.parse::<u32>().ok()?, group.rounds))
    });
    let mut sizes: Vec<(u32, u64)> = sizes.collect();
    sizes.sort_unstable_by_key(|(size, _)| Reverse(*size));
    let mut as_large = 0;
    let (largest, _) = sizes.into_iter().find(|(_, rounds_of_size)| {
        as_large += rounds_of_size;
        ONE_IN * as_large >= rounds
    })?;
    let theta = theta_for_team_size(largest);
    let assumed = theta_for_team_size(DEFAULT_TEAM_SIZE);
    let table = if *pool == PoolName::default() {
        "rating".to_owned()
    } else {
        format!("pools.{pool}")
    };
    (theta.total_cmp(&assumed).is_ne()).then(|| {
        format!(
            "the largest teams were {largest} v {largest}, and predictions are made for \
             {DEFAULT_TEAM_SIZE} v {DEFAULT_TEAM_SIZE}: set max_team_size = {largest} under [{table}], unless \
             teams will be larger"
        )
    })
}

/// Where the configured theta lies outside of the fitted interval.
fn wrong_theta(pool: &PoolName, configured: f64, fit: &ThetaFit) -> Option<String> {
    let is_possible = fit.low <= configured && fit.high.is_none_or(|high| configured <= high);
    if is_possible {
        return None;
    }
    let manner = if fit.theta > configured {
        "bold"
    } else {
        "timid"
    };
    let times = fit.theta / configured;
    // What is tried need not be more exact than what is known.
    let step = if fit.theta >= 1000.0 { 100.0 } else { 10.0 };
    let theta = (fit.theta / step).round().max(1.0) * step;
    Some(format!(
        "predictions are too {manner}: the fitted theta is {times:.2} times the configured one; try \
         it with rbs rebuild --pool {pool} --dry-run --set theta={theta}"
    ))
}

fn no_better_than_a_coin(quality: &QualityAnswer) -> Option<String> {
    let (brier, coin) = (quality.brier.window?, quality.coin_flip.brier.window?);
    let rounds = quality.favourites.rounds.window;
    (rounds >= ENOUGH_FAVOURITES && brier >= coin).then(|| {
        format!(
            "over the window the predictions were no better than a coin flip: Brier score \
             {brier:.4}, a coin's {coin:.4}"
        )
    })
}

fn odd_favourites(window: &Residual) -> Option<String> {
    let errors = noteworthy(window)?;
    let (predicted, observed) = (window.predicted?, window.observed?);
    Some(format!(
        "favourites of the window were predicted to win {:.1} % and won {:.1} %, {:.1} standard \
         errors apart",
        predicted * 100.0,
        observed * 100.0,
        errors.abs()
    ))
}

fn side_bias(bias: &Residual) -> Option<String> {
    let errors = noteworthy(bias)?;
    let team = if errors > 0.0 { "a" } else { "b" };
    Some(format!(
        "team {team} scores {:.1} percentage points more than predicted, {:.1} standard errors; maps \
         may favour a side, which by_map shows",
        bias.bias?.abs() * 100.0,
        errors.abs()
    ))
}

fn noteworthy(residual: &Residual) -> Option<f64> {
    let errors = residual.standard_errors();
    errors.filter(|errors| errors.abs() > NOTEWORTHY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_theta_outside_of_its_interval_comes_with_what_to_try() {
        let arena = "arena".parse().unwrap();
        for (low, theta, high, expected) in [
            (3900.0, 4320.0, Some(4800.0), Some(("bold", "1.80", "4300"))),
            (700.0, 864.0, Some(1000.0), Some(("timid", "0.36", "860"))),
            (2500.0, 5000.0, None, Some(("bold", "2.08", "5000"))),
            (2000.0, 4000.0, None, None),
            (2000.0, 2600.0, Some(3000.0), None),
        ] {
            let fit = ThetaFit {
                theta,
                low,
                high,
                rounds: 1000,
                brier: 0.24,
                log_loss: 0.68,
            };
            let expected = expected.map(|(manner, times, theta)| {
                format!(
                    "predictions are too {manner}: the fitted theta is {times} times the configured \
                     one; try it with rbs rebuild --pool arena --dry-run --set theta={theta}"
                )
            });
            assert_eq!(wrong_theta(&arena, 2400.0, &fit), expected);
        }
    }

    #[test]
    fn a_team_size_that_is_not_set_is_seen_from_the_rounds() {
        let group = |&(name, rounds): &(&str, u64)| GroupAnswer {
            name: name.to_owned(),
            rounds,
            draws: 0,
            brier: None,
            coin_flip_brier: None,
            log_loss: None,
            accuracy: None,
            bias: None,
        };
        for (sizes, expected) in [
            (&[("3 v 3", 50)][..], Some(3)),
            // One in twenty is no exception.
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
                        "the largest teams were {size} v {size}, and predictions are made for 12 v 12: set \
                         max_team_size = {size} under [{table}], unless teams will be larger"
                    )
                });
                assert_eq!(warning, expected, "{sizes:?}");
            }
        }
    }

    #[test]
    fn a_side_that_wins_too_often_is_named() {
        let warning = |score_halves| side_bias(&Residual::of(1000, 500.0, score_halves, 250.0));
        assert_eq!(warning(1080), None, "2.5 standard errors");
        for (score_halves, team) in [(1120, "team a"), (880, "team b")] {
            let warning = warning(score_halves).unwrap();
            let expected = format!("{team} scores 6.0 percentage points more");
            assert!(warning.starts_with(&expected), "{warning}");
        }
    }

    #[test]
    fn favourites_that_lose_too_often_are_reported() {
        let warning = odd_favourites(&Residual::of(400, 280.0, 480, 110.0)).unwrap();
        let expected = "favourites of the window were predicted to win 70.0 % and won 60.0 %";
        assert!(warning.starts_with(expected), "{warning}");
        assert_eq!(odd_favourites(&Residual::of(400, 280.0, 548, 85.0)), None);
    }
}
