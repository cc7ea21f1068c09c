//! Model `adaptive`: many observers rate every player in parallel. They differ in the spread of strengths that they
//! believe in, and in how fast they forget. The pool learns how far to trust each observer, and the values of a side, a
//! map, an extra player and experience. Every pool starts with the same constants.
//!
//! Strengths are log-odds. A lead with the variance v counts κ = 1/√(1 + π v/8) of itself: the logistic-Gaussian
//! integral (D. MacKay, The Evidence Framework Applied to Classification Networks, 1992; M. Glickman, Parameter
//! Estimation in Large Dynamic Paired Comparison Experiments, 1999). Experienced players are better than their results
//! have shown yet. The term ln(1 + n/6), with n rounds and a learnt weight, expresses this.

mod observers;
mod pool;
mod weights;

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::domain::{MapName, Probability, Rating, Score, Side, Timestamp, Winner};
use crate::rating::Parameters;
use crate::rating::models::maps::Maps;
use crate::rating::models::pool::{Conditions, LineupMember, sums};
use crate::rating::probability::logistic;
use observers::{Belief, Beliefs, OBSERVERS, Opinions};
use weights::{Estimate, Evidence, Weights};

pub(super) use pool::resume;

/// Maximum change of a player's visible rating by one round, in points; half of it for a draw.
const MAX: i32 = 72;
/// Divisor of a player's number of rounds n in the experience ln(1 + n/6), in rounds.
const EXPERIENCE_ROUNDS: f64 = 6.0;
/// Exponent e of the team size: the value of an extra player is divided by size^e.
const HEADS_POWER: f64 = 0.4;
/// Prior standard deviation of a map's advantage for team a, in log-odds.
const MAP_DEVIATION: f64 = 0.15;
/// Smoothing factor of running means over rounds: the weight of the latest round, 0 to 1.
const RATE: f64 = 0.02;
/// Initial running mean of the factor, 0 to 1, by which uncertainty about the players shrinks a team's lead.
const SHRINKAGE: f64 = 0.8;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Adaptive {
    /// Running mean of the number of players in a team; `None` before the first round.
    size: Option<f64>,
    weights: Weights,
    maps: Maps<Belief>,
    /// Running mean of the factor, 0 to 1, by which uncertainty shrinks team a's lead; one for each observer (filter of
    /// players' strengths).
    shrinkage: [f64; OBSERVERS],
}

#[derive(Clone, Copy, Debug)]
struct Memory {
    /// Time at which the player's last round ended; `None` if an admin gave a rating before the first round.
    last_played: Option<Timestamp>,
    beliefs: Beliefs,
}

/// Player of a round, with the state that the model stored for the player decoded.
#[derive(Clone, Debug)]
struct DecodedMember {
    side: Side,
    in_roster: bool,
    is_rated: bool,
    rounds: u32,
    rating: Rating,
    /// Beliefs about the player's strength, one from each observer (filter), aged up to the time of the round.
    beliefs: Beliefs,
}

struct Forecast {
    opinions: Opinions,
    estimate: Estimate,
    map: Belief,
    /// Factor, 0 to 1, by which uncertainty shrinks team a's estimated lead.
    certainty: f64,
    for_a: Probability,
    /// Mean number of players in the two rosters, including bots.
    mean_size: f64,
}

impl Adaptive {
    pub(super) fn new() -> Self {
        Self {
            size: None,
            weights: Weights::new(),
            maps: Maps::default(),
            shrinkage: [SHRINKAGE; OBSERVERS],
        }
    }

    /// Returns the value of the model's estimates in rating points.
    fn worth(&self, parameters: &Parameters) -> Worth {
        let (shares, temperature) = (self.weights.shares(), self.weights.temperature());
        Worth {
            strength: std::array::from_fn(|observer| {
                parameters.theta * temperature * shares[observer] * self.shrinkage[observer]
            }),
            experience: parameters.theta * self.weights.experience() / self.typical_size(),
            initial: f64::from(parameters.initial_rating.points()),
        }
    }

    /// Returns the typical number of players in a team, or 1 before the first round.
    fn typical_size(&self) -> f64 {
        self.size.unwrap_or(1.0)
    }

    /// Sets the typical number of players in a team, if this round is the first.
    fn see(&mut self, lineup: &[LineupMember]) {
        let places = lineup.iter().map(|member| (member.side, member.in_roster));
        let [a, b] = [Side::A, Side::B].map(|side| heads(places.clone(), side));
        self.size.get_or_insert(f64::midpoint(a, b));
    }

    /// Returns a map's advantage for team a in log-odds, or the prior for a map that was not played yet.
    fn map(&self, map: Option<&MapName>) -> Belief {
        self.maps.get(map).copied().unwrap_or(Belief {
            mean: 0.0,
            variance: MAP_DEVIATION * MAP_DEVIATION,
        })
    }

    fn forecast(&self, lineup: &[DecodedMember], conditions: &Conditions<'_>) -> Forecast {
        let places = lineup.iter().map(|member| (member.side, member.in_roster));
        let [bots_a, bots_b] = conditions.bots.counts().map(f64::from);
        let heads_a = heads(places.clone(), Side::A) + bots_a;
        let heads_b = heads(places, Side::B) + bots_b;
        let mean_size = f64::midpoint(heads_a, heads_b);
        let roster = lineup.iter().filter(|member| member.in_roster);
        let opinions = Opinions::of(&roster.clone().map(|member| (member.side, &member.beliefs)));
        let [experience_a, experience_b] = sums(
            roster.map(|member| (member.side, experience(member.rounds) / self.typical_size())),
        );
        let evidence = Evidence {
            lead: opinions.lead,
            heads: (heads_a - heads_b) / libm::pow(mean_size, HEADS_POWER),
            experience: experience_a - experience_b,
        };
        let map = self.map(conditions.map);
        let ahead = conditions.ahead_of_new() / conditions.parameters.theta;
        let estimate = self.weights.estimate(&evidence, map.mean + ahead);
        let certainty = shrinkage(estimate.variance + map.variance);
        Forecast {
            opinions,
            for_a: logistic(certainty * estimate.lead),
            estimate,
            map,
            certainty,
            mean_size,
        }
    }

    /// Learns the result of a round, and updates the beliefs about the participants. Every update uses the values from
    /// before the round.
    fn learn(
        &mut self,
        forecast: &Forecast,
        lineup: &mut [DecodedMember],
        winner: Winner,
        map: Option<&MapName>,
        parameters: &Parameters,
    ) {
        let score = winner.score(Side::A).value();
        let Opinions {
            shrinkage: kept,
            lead,
        } = &forecast.opinions;
        let expected = lead.map(|lead| logistic(forecast.estimate.offset + lead));
        self.weights.judge(&expected, winner.score(Side::A));
        for (observer, (kept, expected)) in kept.iter().zip(expected).enumerate() {
            let residual = kept * (score - expected.get());
            let information = kept * kept * bend(expected);
            for member in &mut *lineup {
                member.beliefs.0[observer].learn(sign(member.side) * residual, information);
            }
            self.shrinkage[observer] += RATE * (kept - self.shrinkage[observer]);
        }
        let certainty = forecast.certainty;
        let residual = certainty * (score - forecast.for_a.get());
        let information = certainty * certainty * bend(forecast.for_a);
        self.weights.learn(
            &forecast.estimate,
            residual,
            information,
            parameters.experience_floor,
        );
        let mut belief = forecast.map;
        belief.learn(residual, information);
        self.maps.set(map, belief);
        let size = self.typical_size();
        self.size = Some(size + RATE * (forecast.mean_size - size));
    }
}

/// Value of the estimates of a player's strength in rating points, at one moment of the model.
struct Worth {
    /// Points for one unit of log-odds in the estimate of each observer (filter of players' strengths).
    strength: [f64; OBSERVERS],
    /// Points for one unit of experience.
    experience: f64,
    /// Rating of a new player, in points.
    initial: f64,
}

impl Worth {
    /// Returns the exact rating of a player with these `beliefs`, in points.
    fn points(&self, rounds: u32, beliefs: &Beliefs) -> f64 {
        let pairs = self.strength.iter().zip(&beliefs.0);
        let strength = pairs.fold(0.0, |sum, (worth, belief)| sum + worth * belief.mean);
        self.initial + strength + self.experience * experience(rounds)
    }

    fn rating(&self, rounds: u32, beliefs: &Beliefs) -> Rating {
        Rating::from_rounded(self.points(rounds, beliefs))
    }

    /// Returns the rating points by which a prediction error of 1 moves a player. `kept` has, for each observer (filter
    /// of players' strengths), the factor from 0 to 1 by which uncertainty shrinks a team's lead.
    fn sensitivity(&self, beliefs: &Beliefs, kept: &[f64]) -> f64 {
        let observers = self.strength.iter().zip(kept).zip(&beliefs.0);
        observers.fold(0.0, |sum, ((worth, kept), belief)| {
            sum + worth * kept * belief.variance
        })
    }

    /// Returns the player's rating after a round that the model has learnt. A visible rating never moves against the
    /// result.
    fn moved(&self, member: &DecodedMember, winner: Winner, shadow_rounds: u32) -> Rating {
        let rounds = member.rounds.saturating_add(1);
        let before = member.rating.points();
        let step = self.rating(rounds, &member.beliefs).points() - before;
        let step = if rounds > shadow_rounds {
            let (least, most) = bounds(winner.score(member.side));
            step.clamp(least, most)
        } else {
            step
        };
        Rating::from_rounded(f64::from(before + step))
    }
}

fn heads(lineup: impl Iterator<Item = (Side, bool)>, side: Side) -> f64 {
    lineup.fold(0.0, |count, (of, in_roster)| {
        if of == side && in_roster {
            count + 1.0
        } else {
            count
        }
    })
}

/// Returns the range in which one round may move a visible rating, in points. No rating moves against its result.
fn bounds(score: Score) -> (i32, i32) {
    match score {
        Score::WIN => (0, MAX),
        Score::LOSS => (-MAX, 0),
        _ => (-MAX / 2, MAX / 2),
    }
}

fn sign(side: Side) -> f64 {
    match side {
        Side::A => 1.0,
        Side::B => -1.0,
    }
}

/// Returns the experience of a player with this number of rounds: ln(1 + n/6).
fn experience(rounds: u32) -> f64 {
    libm::log(1.0 + f64::from(rounds) / EXPERIENCE_ROUNDS)
}

/// Returns κ, the factor from 0 to 1 by which a lead in log-odds with this variance is shrunk.
fn shrinkage(variance: f64) -> f64 {
    1.0 / (1.0 + PI / 8.0 * variance).sqrt()
}

/// Returns the variance of a round's outcome with this win probability, 0 to 0.25.
fn bend(expected: Probability) -> f64 {
    expected.get() * expected.complement().get()
}

#[cfg(test)]
mod tests;
