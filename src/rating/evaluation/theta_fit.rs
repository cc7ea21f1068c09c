use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::number;
use super::residual::NORMAL_95;
use crate::rating::GroupTotals;

/// The fewest rounds that Θ is fitted to.
pub const MIN_FITTED_ROUNDS: u64 = 500;

/// The smallest Θ that is looked for, in points: below it, favourites as good as always win.
const SMALLEST: f64 = 1.0;
/// Where the search begins.
const FIRST_GUESS: f64 = 2400.0;
/// More steps than it ever takes to find 1/Θ to the last digits: each halves the interval at worst.
const MAX_STEPS: u32 = 200;

/// The Θ by which the rounds would have been predicted best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FittedThetaAnswer)]
pub struct ThetaFit {
    /// The most likely one.
    pub theta: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end; null where it has none.
    pub high: Option<f64>,
    /// The rounds that it was fitted to.
    pub rounds: u64,
    /// What the mean Brier score would have been.
    pub brier: f64,
    /// What the mean log loss would have been, in nats.
    pub log_loss: f64,
}

/// Fits Θ to rounds that are sorted into `bins` by their lead ([`lead_bin`]) and seen from their
/// favourites. `None` below [`MIN_FITTED_ROUNDS`], and where no Θ is the most likely: favourites win
/// no more often than others, or always.
///
/// # Design
/// The likelihood of one parameter, β = 1/Θ, is concave, so its derivative Σ d·(s − n·P) falls and
/// crosses 0 once: Newton's method, kept inside a bracket that halves where a step leaves it. The
/// rounds of a bin are taken as if each had the bin's mean lead: from Θ = 400 on, and the less the
/// larger it is, that moves Θ by less than 0.2 % and the losses by less than 0.0005, which is far
/// inside of the interval. That comes from the observed information, Σ n·d²·P·(1 − P), at the most
/// likely β. Leads are stored and not predictions, because these were made with whatever Θ was
/// configured then.
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

/// Rounds that count as having the same lead.
pub(super) struct Bin {
    pub(super) rounds: f64,
    pub(super) lead: f64,
    /// Σ of the favourites' scores, and of their squares.
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

/// The β that makes the results most likely; `None` where favourites win no more often than others, or always.
pub(super) fn most_likely(bins: &[Bin]) -> Option<f64> {
    let (mut low, mut high) = (0.0, 1.0 / FIRST_GUESS);
    // The slope where favourites are given nothing, and where they are given everything.
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
    let mut beta = f64::midpoint(low, high);
    for _ in 0..MAX_STEPS {
        let (slope, information) = derivatives(bins, beta);
        if slope > 0.0 {
            low = beta;
        } else {
            high = beta;
        }
        let step = beta + slope / information;
        let next = if step > low && step < high {
            step
        } else {
            f64::midpoint(low, high)
        };
        let is_found = (next - beta).abs() <= 1e-13 * beta;
        beta = next;
        if is_found {
            break;
        }
    }
    Some(beta)
}

/// The first derivative of the log likelihood, and the second with its sign turned.
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

/// Σ (P - O)² and Σ of the log losses with that β.
pub(super) fn losses(bins: &[Bin], beta: f64) -> (f64, f64) {
    bins.iter().fold((0.0, 0.0), |(brier, log_loss), bin| {
        let logit = beta * bin.lead;
        let tail = libm::exp(-logit);
        let probability = 1.0 / (1.0 + tail);
        // -ln P; and -ln(1 - P) is that and the logit, without losing the digits of a small 1 - P.
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
    use crate::rating::{brier_term, lead_bin, log_loss_term, win_probability};

    /// Numbers from 0 to 1 that look random and are the same every time.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            let bits = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap();
            f64::from(bits) / f64::from(u32::MAX)
        }
    }

    /// Rounds that are won as a pool of that Θ wins them, some of them drawn in place of a defeat or
    /// a victory.
    fn simulated(theta: f64, rounds: u32, drawn: f64, dice: &mut Dice) -> Vec<(i64, Score)> {
        (0..rounds)
            .map(|_| {
                // Three rolls: near even more often than far apart.
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
            // Whatever Θ it was predicted by.
            let predicted = win_probability(*lead, 0, 777.0);
            let one = GroupTotals::of_favourite(*lead, predicted, *score);
            let totals = bins.entry(bin(*lead)).or_default();
            *totals = totals.plus(one);
        }
        bins.into_values().collect()
    }

    /// The mean losses over every single round.
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
            // Of a hundred intervals of 95 %, fewer than 88 hold it once in five hundred tries.
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
        // Favourites that always win, or lose, and rounds without any.
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
        // Of one lead alone the most likely probability is the share that was won.
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
