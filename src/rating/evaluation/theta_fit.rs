use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::residual::NORMAL_95;
use super::{maximum, number};
use crate::rating::GroupTotals;

/// Minimum number of rounds for a fit of Θ, the scale that turns a lead in points into odds.
pub const MIN_FITTED_ROUNDS: u64 = 500;

/// Minimum Θ of the search for the best fit, in points. Below this value, favourites practically always win.
const SMALLEST: f64 = 1.0;
const FIRST_GUESS: f64 = 2400.0;

/// Fitted Θ, the scale from points to odds that would have predicted a set of rounds best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FittedThetaAnswer)]
pub struct ThetaFit {
    /// Most likely Θ in points: the lead that gives log-odds of 1, a win probability of 73 %.
    pub theta: f64,
    /// Lower end of the 95 % confidence interval of Θ, the lead that gives log-odds of 1, in points.
    pub low: f64,
    /// Upper end of the 95 % confidence interval of Θ, the lead that gives log-odds of 1, in points; null if unbounded.
    pub high: Option<f64>,
    /// Number of rounds in the fit of Θ.
    pub rounds: u64,
    /// Mean Brier score that predictions with the fitted Θ would have had, 0 to 1.
    pub brier: f64,
    /// Mean log loss that predictions with the fitted Θ would have had, in nats.
    pub log_loss: f64,
}

/// Fits Θ, the scale from points to odds, to rounds that are grouped into `bins` by lead ([`lead_bin`]) and seen from
/// their favourites. Returns `None` for fewer than [`MIN_FITTED_ROUNDS`] rounds.
///
/// Also returns `None` if no Θ is the most likely: favourites always win, or win no more often than underdogs.
///
/// # Design
/// The log likelihood is concave in β = 1/Θ, so its derivative Σ d·(s − n·P) falls and crosses 0 once. The interval of
/// Θ comes from the observed information, Σ n·d²·P·(1 − P), at the most likely β.
///
/// All rounds of a bin count with the bin's mean lead. For Θ of 400 or more, this approximation moves Θ by less than
/// 0.2 % and the losses by less than 0.0005. Both errors are far inside the interval, and fall as Θ grows. Bins hold
/// leads and no predictions, because predictions depend on the Θ that was configured at the time.
///
/// [`lead_bin`]: crate::rating::lead_bin
#[must_use]
pub fn fit_theta(bins: &[GroupTotals]) -> Option<ThetaFit> {
    let rounds: u64 = bins.iter().map(|bin| bin.rounds).sum();
    if rounds < MIN_FITTED_ROUNDS {
        return None;
    }
    let bins: Vec<Bin> = bins.iter().filter_map(Bin::of).collect();
    let beta = most_likely(&bins)?;
    let information = derivatives(&bins, beta).1;
    let reach = NORMAL_95 / information.sqrt();
    let (brier, log_loss) = losses(&bins, beta);
    let total = number(rounds);
    Some(ThetaFit {
        theta: 1.0 / beta,
        low: 1.0 / (beta + reach),
        high: (beta > reach).then(|| 1.0 / (beta - reach)),
        rounds,
        brier: brier / total,
        log_loss: log_loss / total,
    })
}

/// Bin of rounds that count as having the same lead.
pub(super) struct Bin {
    pub(super) rounds: f64,
    pub(super) lead: f64,
    /// Σ of the favourites' scores in wins (`score`), and Σ of the squared scores (`squares`).
    pub(super) score: f64,
    pub(super) squares: f64,
}

impl Bin {
    pub(super) fn of(totals: &GroupTotals) -> Option<Self> {
        let rounds = number(totals.rounds);
        let won = totals.score_halves.saturating_sub(totals.draws);
        #[expect(clippy::cast_precision_loss, reason = "the result is a float")]
        let lead = totals.lead as f64;
        (totals.rounds > 0).then(|| Self {
            rounds,
            lead: lead / rounds,
            score: number(totals.score_halves) / 2.0,
            squares: number(won) / 2.0 + number(totals.draws) / 4.0,
        })
    }
}

/// Returns the most likely β = 1/Θ, or `None` if favourites always win, or win no more often than underdogs.
pub(super) fn most_likely(bins: &[Bin]) -> Option<f64> {
    let (mut low, mut high) = (0.0, 1.0 / FIRST_GUESS);
    // Limit of the derivative for an infinite β, when favourites are certain to win.
    let at_most: f64 = bins
        .iter()
        .map(|bin| bin.lead * (bin.score - bin.rounds))
        .sum();
    if derivatives(bins, low).0 <= 0.0 || at_most >= 0.0 {
        return None;
    }
    while derivatives(bins, high).0 > 0.0 {
        if high > 1.0 / SMALLEST {
            return None;
        }
        low = high;
        high *= 2.0;
    }
    let tolerance = |beta| 1e-13 * beta;
    Some(maximum(
        f64::midpoint(low, high),
        (low, high),
        tolerance,
        |beta| derivatives(bins, beta),
    ))
}

/// Returns the first derivative of the log likelihood by β = 1/Θ, and the negative of the second.
pub(super) fn derivatives(bins: &[Bin], beta: f64) -> (f64, f64) {
    bins.iter().fold((0.0, 0.0), |(slope, information), bin| {
        let probability = 1.0 / (1.0 + libm::exp(-beta * bin.lead));
        let miss = bin.score - bin.rounds * probability;
        let spread = bin.rounds * probability * (1.0 - probability);
        (
            slope + bin.lead * miss,
            information + bin.lead * bin.lead * spread,
        )
    })
}

/// Returns Σ of the Brier terms (P - O)² and Σ of the log losses in nats, for β = 1/Θ.
pub(super) fn losses(bins: &[Bin], beta: f64) -> (f64, f64) {
    bins.iter().fold((0.0, 0.0), |(brier, log_loss), bin| {
        let logit = beta * bin.lead;
        let tail = libm::exp(-logit);
        let probability = 1.0 / (1.0 + tail);
        // -ln P is `won`, and -ln(1 - P) is `won` plus the logit. This form keeps the digits of a small 1 - P.
        let won = libm::log1p(tail);
        let lost = bin.rounds - bin.score;
        (
            brier + probability * (bin.rounds * probability - 2.0 * bin.score) + bin.squares,
            log_loss + bin.score * won + lost * (won + logit),
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Probability, Score};
    use crate::random::Dice;
    use crate::rating::{brier_term, lead_bin, log_loss_term, win_probability};

    /// Returns simulated rounds of a pool with the scale `theta`. `drawn` is the share of results that become draws.
    fn simulated(theta: f64, rounds: u32, drawn: f64, dice: &mut Dice) -> Vec<(i64, Score)> {
        (0..rounds)
            .map(|_| {
                // The sum of three rolls gives small leads more often than large leads.
                let spread = dice.roll() + dice.roll() + dice.roll() - 1.5;
                #[expect(clippy::cast_possible_truncation, reason = "a few thousand points")]
                let lead = (spread * 2.0 * theta) as i64;
                let won = dice.roll() < win_probability(lead, 0, theta).get();
                let score = match (dice.roll() < drawn, won) {
                    (true, _) => Score::DRAW,
                    (false, true) => Score::WIN,
                    (false, false) => Score::LOSS,
                };
                (lead, score)
            })
            .collect()
    }

    fn bins(rounds: &[(i64, Score)]) -> Vec<GroupTotals> {
        binned_by(lead_bin, rounds)
    }

    fn binned_by(bin: fn(i64) -> i64, rounds: &[(i64, Score)]) -> Vec<GroupTotals> {
        let mut bins: BTreeMap<i64, GroupTotals> = BTreeMap::new();
        for (lead, score) in rounds {
            // The fit must not depend on the Θ of the prediction.
            let predicted = win_probability(*lead, 0, 777.0);
            let one = GroupTotals::of_favourite(*lead, predicted, *score);
            let totals = bins.entry(bin(*lead)).or_default();
            *totals = totals.plus(one);
        }
        bins.into_values().collect()
    }

    /// Returns the mean Brier score and log loss with `theta`, computed from every single round.
    fn directly(rounds: &[(i64, Score)], theta: f64) -> (f64, f64) {
        let count = f64::from(u32::try_from(rounds.len()).unwrap());
        let mean = |term: fn(Probability, Score) -> f64| {
            let terms = rounds
                .iter()
                .map(|(lead, score)| term(win_probability(*lead, 0, theta), *score));
            terms.sum::<f64>() / count
        };
        (mean(brier_term), mean(log_loss_term))
    }

    #[test]
    fn a_known_theta_lies_in_its_interval_as_often_as_promised() {
        let mut dice = Dice(1);
        for theta in [400.0, 1000.0, 2400.0, 4300.0] {
            let inside = (0..100)
                .filter(|_| {
                    let fit = fit_theta(&bins(&simulated(theta, 2000, 0.0, &mut dice))).unwrap();
                    fit.low <= theta && fit.high.is_some_and(|high| theta <= high)
                })
                .count();
            // In one of five hundred tries, fewer than 88 of a hundred 95 % intervals contain Θ.
            assert!((88..=100).contains(&inside), "{theta}: {inside} of 100");
        }
    }

    #[test]
    fn the_bins_give_what_every_single_round_gives() {
        let mut dice = Dice(2);
        for (theta, drawn) in [(400.0, 0.0), (400.0, 0.2), (2400.0, 0.1), (2000.0, 0.0)] {
            let rounds = simulated(theta, 3000, drawn, &mut dice);
            let fit = fit_theta(&bins(&rounds)).unwrap();
            let exact = fit_theta(&binned_by(i64::abs, &rounds)).unwrap().theta;
            let miss = (fit.theta / exact - 1.0).abs();
            assert!(miss < 2e-3, "{theta}: {} and not {exact}", fit.theta);
            let (brier, log_loss) = directly(&rounds, fit.theta);
            assert!((fit.brier - brier).abs() < 5e-4, "{} {brier}", fit.brier);
            let found = fit.log_loss;
            assert!((found - log_loss).abs() < 5e-4, "{found} {log_loss}");
        }
    }

    #[test]
    fn what_has_no_most_likely_theta_is_not_fitted() {
        let same = |rounds: usize, lead: i64, score: Score| vec![(lead, score); rounds];
        assert_eq!(fit_theta(&[]), None);
        assert_eq!(fit_theta(&bins(&same(499, 300, Score::WIN))), None);
        // Favourites that always win or always lose, and rounds without a favourite.
        for (lead, score) in [(300, Score::WIN), (300, Score::LOSS), (0, Score::WIN)] {
            assert_eq!(fit_theta(&bins(&same(600, lead, score))), None, "{lead}");
        }
    }

    #[test]
    fn where_the_sums_may_mean_nothing_the_interval_has_no_upper_end() {
        let mut rounds = vec![(300, Score::WIN); 255];
        rounds.extend(vec![(300, Score::LOSS); 245]);
        let fit = fit_theta(&bins(&rounds)).unwrap();
        assert_eq!(fit.high, None, "{fit:?}");
        assert!(fit.low < fit.theta);
        // With a single lead, the most likely probability is the share of rounds that were won.
        let share: f64 = 255.0 / 500.0;
        let theta = 300.0 / (share / (1.0 - share)).ln();
        assert!((fit.theta / theta - 1.0).abs() < 1e-9, "{fit:?} {theta}");
    }

    proptest! {
        #[test]
        fn no_other_theta_is_more_likely(seed in any::<u64>(), factor in 0.5..2.0_f64) {
            let rounds = simulated(1500.0, 800, 0.1, &mut Dice(seed));
            let bins = bins(&rounds);
            let fit = fit_theta(&bins).unwrap();
            let sorted: Vec<Bin> = bins.iter().filter_map(Bin::of).collect();
            let other = losses(&sorted, factor / fit.theta).1 / number(fit.rounds);
            prop_assert!(other >= fit.log_loss - 1e-12, "{} {}", other, fit.log_loss);
        }
    }
}
