//! What is believed of a player: four observers, the same filter with different tempers.

use serde::{Deserialize, Serialize};

use super::shrinkage;
use crate::domain::{Share, Side, Timestamp};
use crate::rating::models::teams::sums;
use crate::rating::widened;

/// How many there are.
pub(super) const OBSERVERS: usize = 4;

/// Microseconds of a day.
const DAY: f64 = 86_400e6;

/// How an observer looks at players.
pub(super) struct Observer {
    /// What it is called.
    pub(super) name: &'static str,
    /// The prior variance of a player's strength, in squared log-odds, times the typical team size.
    variance: f64,
    /// What is forgotten with each round that the player plays.
    per_round: f64,
    /// What is forgotten with each day away.
    per_day: f64,
    /// How much the pool trusts this observer at first; all shares sum to 1.
    pub(super) share: f64,
}

/// All of them; the last looks at the player's form.
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

/// A Gaussian, in log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Belief {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Belief {
    /// Learns from a round that was missed by `residual`, where an outcome carries that much `information`: the moments of a
    /// logistic likelihood (Weng and Lin 2011; Glickman 1999).
    pub(super) fn learn(&mut self, residual: f64, information: f64) {
        let variance = self.variance;
        self.mean += variance * residual;
        self.variance = variance - variance * variance * information;
    }
}

/// What the observers believe of a player, by observer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Beliefs(pub(super) [Belief; OBSERVERS]);

impl Beliefs {
    /// Of a player who has not been seen, where teams have `size` players.
    pub(super) fn of_stranger(size: f64) -> Self {
        Self(ALL.each_ref().map(|observer| Belief {
            mean: 0.0,
            variance: observer.variance / size,
        }))
    }

    /// The same with other means, where nobody has seen the player, but an admin gave a rating.
    pub(super) fn of_stranger_with(means: &Self, size: f64) -> Self {
        let mut beliefs = Self::of_stranger(size);
        for (belief, given) in beliefs.0.iter_mut().zip(&means.0) {
            belief.mean = given.mean;
        }
        beliefs
    }

    /// The same so much nearer to what is believed of a stranger as the start of a season makes them, where teams have
    /// `size` players: means of 0, and the prior variances.
    pub(super) fn in_new_season(mut self, keep: Share, size: f64) -> Self {
        for (belief, new) in self.0.iter_mut().zip(&Self::of_stranger(size).0) {
            belief.mean *= keep.get();
            belief.variance = widened(belief.variance, new.variance, keep);
        }
        self
    }

    /// Before a round that ends at `now`, where the last one ended at `last`: an Ornstein-Uhlenbeck process
    /// towards the prior. A clock that runs backwards ages nobody.
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

/// What the observers think of a pair of teams, by observer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opinions {
    /// What uncertainty about the players leaves of a lead, 0 to 1.
    pub(super) shrinkage: [f64; OBSERVERS],
    /// Team a's lead in log-odds, shrunk.
    pub(super) lead: [f64; OBSERVERS],
}

impl Opinions {
    /// Returns the opinions of all observers about `players`, given with their sides.
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
