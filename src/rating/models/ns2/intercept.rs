//! What team a is ahead by before anybody plays: how often it has won so far.

use serde::{Deserialize, Serialize};

use crate::domain::MapName;
use crate::rating::models::learnt::LearntFigure;
use crate::rating::models::maps::Maps;

/// A map counts as if so many rounds at the overall rate, and overall as if so many at even odds, had been played.
const PRIOR_ROUNDS: f64 = 50.0;

/// How often team a has won, overall and on each map.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Intercept {
    overall: Won,
    maps: Maps<Won>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Won {
    /// Rounds won, a draw counting half.
    score: f64,
    rounds: f64,
}

impl Won {
    /// The share of its rounds, drawn towards `expected`.
    fn share(self, expected: f64) -> f64 {
        (self.score + PRIOR_ROUNDS * expected) / (self.rounds + PRIOR_ROUNDS)
    }

    /// The log-odds of that share, with their standard error.
    fn lean(self, expected: f64) -> LearntFigure {
        let share = self.share(expected);
        let variance = 1.0 / ((self.rounds + PRIOR_ROUNDS) * share * (1.0 - share));
        LearntFigure::of((log_odds(share), variance), 1.0)
    }

    fn with(self, score: f64) -> Self {
        Self {
            score: self.score + score,
            rounds: self.rounds + 1.0,
        }
    }
}

impl Intercept {
    /// On a map, in log-odds; on one that was not played yet, overall.
    pub(super) fn on(&self, map: Option<&MapName>) -> f64 {
        let overall = self.overall.share(0.5);
        let known = self.maps.get(map).filter(|_| map.is_some());
        log_odds(known.map_or(overall, |won| won.share(overall)))
    }

    /// Takes in a round that team a has the `score` of.
    pub(super) fn take(&mut self, map: Option<&MapName>, score: f64) {
        self.overall = self.overall.with(score);
        if map.is_some() {
            let known = self.maps.get(map).copied().unwrap_or_default();
            self.maps.set(map, known.with(score));
        }
    }

    /// Overall, with its standard error.
    pub(super) fn side(&self) -> LearntFigure {
        self.overall.lean(0.5)
    }

    /// On each map beyond that, the last played first.
    pub(super) fn maps(&self) -> impl Iterator<Item = (&MapName, LearntFigure)> {
        let overall = self.overall.share(0.5);
        self.maps.named().map(move |(map, won)| {
            let lean = won.lean(overall);
            let beyond = LearntFigure {
                value: lean.value - log_odds(overall),
                ..lean
            };
            (map, beyond)
        })
    }
}

fn log_odds(share: f64) -> f64 {
    libm::log(share / (1.0 - share))
}
