//! Intercept of the model `ns2`: team a's lead in log-odds before anybody plays, from its share of won rounds.

use serde::{Deserialize, Serialize};

use crate::domain::MapName;
use crate::rating::models::learnt::LearntFigure;
use crate::rating::models::maps::Maps;

/// Number of imaginary rounds that are added to team a's results to compute its share of won rounds. For all maps
/// together, team a wins half of these rounds; for one map, its share of all maps.
const PRIOR_ROUNDS: f64 = 50.0;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Intercept {
    overall: Won,
    maps: Maps<Won>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Won {
    /// Number of rounds that team a won, on one map or on all maps together; a draw counts half.
    score: f64,
    rounds: f64,
}

impl Won {
    /// Returns team a's share of won rounds, 0 to 1, after [`PRIOR_ROUNDS`] imaginary rounds with the share `expected`
    /// are added.
    fn share(self, expected: f64) -> f64 {
        (self.score + PRIOR_ROUNDS * expected) / (self.rounds + PRIOR_ROUNDS)
    }

    /// Returns the log-odds of team a's share of won rounds ([`Self::share`]), with their standard error.
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
    /// Returns the lead of team a on a map in log-odds, or the overall lead for a map that was not played yet.
    pub(super) fn on(&self, map: Option<&MapName>) -> f64 {
        let overall = self.overall.share(0.5);
        let known = self.maps.get(map).filter(|_| map.is_some());
        log_odds(known.map_or(overall, |won| won.share(overall)))
    }

    /// Counts a round on a map in team a's share of won rounds. `score` is team a's score: 0, 0.5 or 1.
    pub(super) fn take(&mut self, map: Option<&MapName>, score: f64) {
        self.overall = self.overall.with(score);
        if map.is_some() {
            let known = self.maps.get(map).copied().unwrap_or_default();
            self.maps.set(map, known.with(score));
        }
    }

    /// Returns the overall lead of team a, on all maps, in log-odds, with its standard error.
    pub(super) fn side(&self) -> LearntFigure {
        self.overall.lean(0.5)
    }

    /// Iterates over team a's leads on maps in log-odds, relative to the overall lead, the last played map first.
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
