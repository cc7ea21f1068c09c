//! Beliefs about a player's strength by four observers, which are instances of one filter with different constants.

use serde::{Deserialize, Serialize};

use super::shrinkage;
use crate::domain::{Share, Side, Timestamp};
use crate::rating::models::teams::sums;
use crate::rating::widened;

pub(super) const OBSERVERS: usize = 4;

const DAY: f64 = 86_400e6;

pub(super) struct Observer {
    pub(super) name: &'static str,
    /// Prior variance of a player's strength in squared log-odds, times the typical team size.
    variance: f64,
    /// Rate at which a belief about a player returns to the prior, per round of the player. A rate r leaves exp(-r) of
    /// the variance's distance from the prior, and exp(-r/2) of the mean.
    per_round: f64,
    /// Rate at which a belief about a player returns to the prior, per day since the player's last round; acts like
    /// `per_round`.
    per_day: f64,
    /// Initial share of this filter of players' strengths in the model's predictions, 0 to 1. The shares of all filters
    /// sum to 1.
    pub(super) share: f64,
}

/// All observers: filters that estimate every player's strength in parallel, each with its own constants. The last one
/// follows a player's recent form.
pub(super) const ALL: [Observer; OBSERVERS] = [
    Observer {
        name: "cautious",
        variance: 0.06,
        per_round: 0.00002,
        per_day: 0.00002,
        share: 0.60,
    },
    Observer {
        name: "steady",
        variance: 0.4,
        per_round: 0.0001,
        per_day: 0.0001,
        share: 0.30,
    },
    Observer {
        name: "bold",
        variance: 2.5,
        per_round: 0.0002,
        per_day: 0.0001,
        share: 0.05,
    },
    Observer {
        name: "form",
        variance: 2.5,
        per_round: 0.002,
        per_day: 0.008,
        share: 0.05,
    },
];

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
        Self(ALL.each_ref().map(|observer| Belief {
            mean: 0.0,
            variance: observer.variance / size,
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
        for (observer, belief) in ALL.iter().zip(&mut self.0) {
            let forgotten = observer.per_round + observer.per_day * (passed / DAY);
            let kept = libm::exp(-forgotten);
            belief.variance = kept * belief.variance + (1.0 - kept) * observer.variance / size;
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
