use crate::api::QualityAnswer;
use crate::domain::PoolName;
use crate::rating::{MIN_FITTED_ROUNDS, Residual, ThetaFit};

/// How many standard errors something must lie away from where it should be.
const NOTEWORTHY: f64 = 3.0;
/// The rounds with a favourite below which a window's score is a matter of luck.
const ENOUGH_FAVOURITES: u64 = 100;

/// What an operator should look at, in sentences; nothing where all is well. `favourites` are the
/// window's.
pub(super) fn warnings(quality: &QualityAnswer, favourites: &Residual) -> Vec<String> {
    if quality.rounds < MIN_FITTED_ROUNDS {
        return vec![format!(
            "too few rounds to say whether the predictions are good: {} of {MIN_FITTED_ROUNDS}",
            quality.rounds
        )];
    }
    let mut warnings = Vec::new();
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
