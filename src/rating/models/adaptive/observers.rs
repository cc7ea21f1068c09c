//! Beliefs about a player's strength by many observers, which are instances of one filter with different constants.

use serde::{Deserialize, Serialize};

use super::shrinkage;
use crate::domain::{Share, Side, Timestamp};
use crate::rating::models::pool::sums;
use crate::rating::widened;

/// Number of observers in the bank, one for each pair of a spread and a tempo.
pub(super) const BANK: usize = VARIANCES.len() * TRUST.len();
/// Number of all observers: the bank, and one that follows form.
pub(super) const OBSERVERS: usize = BANK + 1;
/// Index of the observer that follows a player's recent form.
pub(super) const FORM: usize = BANK;

/// Variances of players' strengths that the observers of the bank believe in, in squared log-odds, times the typical
/// team size. Each is about twice the one before.
const VARIANCES: [f64; 7] = [0.015, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0];
/// Variance of players' strengths that the observer of form believes in; in the unit of [`VARIANCES`].
const FORM_VARIANCE: f64 = 2.5;

const DAY: f64 = 86_400e6;

/// How fast observers forget what they believe about a player.
pub(super) struct Tempo {
    pub(super) name: &'static str,
    /// Rate at which a belief about a player returns to the prior, per round of the player. A rate r leaves exp(-r) of
    /// the variance's distance from the prior, and exp(-r/2) of the mean.
    per_round: f64,
    /// Rate at which a belief about a player returns to the prior, per day since the player's last round; acts like
    /// `per_round`.
    per_day: f64,
}

/// The tempos of the observers, slowest first. The last one is that of the observer of form, and of no other.
pub(super) const TEMPOS: [Tempo; 4] = [
    Tempo {
        name: "lasting",
        per_round: 0.0,
        per_day: 0.00002,
    },
    Tempo {
        name: "slow",
        per_round: 0.0003,
        per_day: 0.0001,
    },
    Tempo {
        name: "fast",
        per_round: 0.001,
        per_day: 0.001,
    },
    Tempo {
        name: "form",
        per_round: 0.002,
        per_day: 0.008,
    },
];

/// Prior logarithm of the weight of an observer of the bank, by its tempo: that of the smallest variance, and its change
/// with each doubling of the variance. A fast observer of a narrow spread expects even odds, which even teams never
/// refute, so it begins with the least weight.
const TRUST: [[f64; 2]; 3] = [[0.0, -0.2], [-3.5, 0.0], [-7.0, 0.3]];

/// Returns the index of an observer's tempo in [`TEMPOS`].
pub(super) const fn tempo(observer: usize) -> usize {
    observer / VARIANCES.len()
}

/// Returns the variance of players' strengths that an observer believes in, in squared log-odds, times the typical team
/// size.
pub(super) fn variance(observer: usize) -> f64 {
    if observer == FORM {
        FORM_VARIANCE
    } else {
        VARIANCES[observer % VARIANCES.len()]
    }
}

/// Returns the prior logarithm of the weight of an observer of the bank.
pub(super) fn trust(observer: usize) -> f64 {
    let [least, change] = TRUST[tempo(observer)];
    least + change * libm::log2(variance(observer) / VARIANCES[0])
}

/// Gaussian belief about a strength or a map's advantage, in log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Belief {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Belief {
    /// Updates this estimate of a player's strength or a map's advantage after a round, by the moments of a logistic
    /// likelihood (Weng and Lin 2011; Glickman 1999). `residual` is the first derivative of the round's log likelihood
    /// by the estimate, and `information` is the negative of the second.
    pub(super) fn learn(&mut self, residual: f64, information: f64) {
        let variance = self.variance;
        self.mean += variance * residual;
        self.variance = variance - variance * variance * information;
    }
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Beliefs(pub(super) [Belief; OBSERVERS]);

impl Beliefs {
    /// Returns the prior beliefs about the strength of an unknown player, one for each observer (filter), in teams of
    /// `size` players.
    pub(super) fn of_stranger(size: f64) -> Self {
        Self(std::array::from_fn(|observer| Belief {
            mean: 0.0,
            variance: variance(observer) / size,
        }))
    }

    /// Returns the beliefs about the strength of a player who has a rating from an admin, but no rounds, one for each
    /// observer (filter): prior variances, and the given `means`.
    pub(super) fn of_stranger_with(means: &Self, size: f64) -> Self {
        let mut beliefs = Self::of_stranger(size);
        for (belief, given) in beliefs.0.iter_mut().zip(&means.0) {
            belief.mean = given.mean;
        }
        beliefs
    }

    /// Returns the beliefs about a player's strength at the start of a season, in teams of `size` players. Means move
    /// towards 0, and variances towards the prior variances.
    pub(super) fn in_new_season(mut self, keep: Share, size: f64) -> Self {
        for (belief, new) in self.0.iter_mut().zip(&Self::of_stranger(size).0) {
            belief.mean *= keep.get();
            belief.variance = widened(belief.variance, new.variance, keep);
        }
        self
    }

    /// Returns the beliefs about a player's strength before a round that ends at `now`, after the player's last round
    /// ended at `last`. Beliefs age by an Ornstein-Uhlenbeck process towards the prior. A negative time span counts as
    /// 0.
    pub(super) fn aged(mut self, last: Timestamp, now: Timestamp, size: f64) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a day's fraction is enough")]
        let passed = (now.unix_micros() - last.unix_micros()).max(0) as f64;
        let kept_by_tempo = TEMPOS
            .each_ref()
            .map(|tempo| libm::exp(-(tempo.per_round + tempo.per_day * (passed / DAY))));
        for (observer, belief) in self.0.iter_mut().enumerate() {
            let kept = kept_by_tempo[tempo(observer)];
            belief.variance = kept * belief.variance + (1.0 - kept) * variance(observer) / size;
            belief.mean *= kept.sqrt();
        }
        self
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Opinions {
    /// Factor, 0 to 1, by which uncertainty about the players shrinks team a's lead; one for each observer (filter of
    /// players' strengths).
    pub(super) shrinkage: [f64; OBSERVERS],
    /// Lead of team a in log-odds by the strengths that each observer (filter) estimates, after shrinkage.
    pub(super) lead: [f64; OBSERVERS],
}

impl Opinions {
    pub(super) fn of<'players>(
        players: &(impl Iterator<Item = (Side, &'players Beliefs)> + Clone),
    ) -> Self {
        let summed = |observer: usize, number: fn(&Belief) -> f64| {
            let players = players.clone();
            sums(players.map(|(side, beliefs)| (side, number(&beliefs.0[observer]))))
        };
        let shrinkage = std::array::from_fn(|observer| {
            let [a, b] = summed(observer, |belief| belief.variance);
            shrinkage(a + b)
        });
        let lead = std::array::from_fn(|observer| {
            let [a, b] = summed(observer, |belief| belief.mean);
            shrinkage[observer] * (a - b)
        });
        Self { shrinkage, lead }
    }
}
