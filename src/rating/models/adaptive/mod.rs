//! `adaptive`: four observers rate every player side by side, and the pool learns from round to round whom of
//! them to trust, how far, and what a side, a map, an extra player and experience are worth. Everything begins
//! with the same constants in every pool.
//!
//! Strengths are log-odds. A lead about which there is a variance of v counts κ = 1/√(1 + π v/8) of itself: the
//! logistic-Gaussian integral (D. MacKay, The Evidence Framework Applied to Classification Networks, 1992; M.
//! Glickman, Parameter Estimation in Large Dynamic Paired Comparison Experiments, 1999). That who has played more
//! is better than results alone have shown yet is a term ln(1 + n/6) with a weight that is learnt.

mod observers;
mod pool;
mod weights;

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::domain::{MapName, Probability, Rating, Score, Side, Timestamp, Winner};
use crate::rating::Parameters;
use crate::rating::models::maps::Maps;
use crate::rating::models::pool::Conditions;
use crate::rating::models::teams::sums;
use crate::rating::probability::logistic;
use observers::{Belief, Beliefs, OBSERVERS, Opinions};
use weights::{Estimate, Evidence, Weights};

pub(super) use pool::resume;

/// The most that one round moves a visible rating, in points; a draw half of it.
const MAX: i32 = 72;
/// So many rounds double what the logarithm of experience counts.
const EXPERIENCE_ROUNDS: f64 = 6.0;
/// By which power of the teams' size an extra player counts less.
const HEADS_POWER: f64 = 0.4;
/// The prior standard deviation of a map's lean, in log-odds.
const MAP_DEVIATION: f64 = 0.15;
/// How fast running means follow.
const RATE: f64 = 0.02;
/// The running mean of shrinkage before the first round.
const SHRINKAGE: f64 = 0.8;

/// What is learnt of a pool besides its players.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Adaptive {
    /// The typical size of a team; `None` before the first round.
    size: Option<f64>,
    weights: Weights,
    maps: Maps<Belief>,
    /// The running mean of what uncertainty leaves of a lead, by observer.
    shrinkage: [f64; OBSERVERS],
}

/// What is remembered of a player between rounds.
#[derive(Clone, Copy, Debug)]
struct Memory {
    /// When the last round ended; `None` where an admin gave a rating before the first.
    last_played: Option<Timestamp>,
    beliefs: Beliefs,
}

/// A player's place in a round.
#[derive(Clone, Debug)]
struct Participant {
    side: Side,
    in_roster: bool,
    is_rated: bool,
    /// Rated rounds before.
    rounds: u32,
    /// As shown before the round.
    rating: Rating,
    /// Aged up to the round.
    beliefs: Beliefs,
}

/// What is expected of a round before it.
struct Forecast {
    opinions: Opinions,
    estimate: Estimate,
    map: Belief,
    /// What uncertainty leaves of the estimated lead, 0 to 1.
    certainty: f64,
    /// The probability that team a wins.
    for_a: Probability,
    /// The mean size of the two rosters, bots among them.
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

    /// What the present beliefs about a player come to, in points above or below a new player's rating.
    fn strength(&self, rounds: u32, beliefs: &Beliefs, parameters: &Parameters) -> f64 {
        let shares = self.weights.shares();
        let strength = (0..OBSERVERS).fold(0.0, |sum, observer| {
            sum + shares[observer] * self.shrinkage[observer] * beliefs.0[observer].mean
        });
        let strength = self.weights.temperature() * strength
            + self.weights.experience() * experience(rounds) / self.typical_size();
        parameters.theta * strength
    }

    /// The rating that they come to.
    fn live(&self, rounds: u32, beliefs: &Beliefs, parameters: &Parameters) -> Rating {
        let initial = f64::from(parameters.initial_rating.points());
        let strength = self.strength(rounds, beliefs, parameters);
        Rating::from_rounded(initial + strength).max(parameters.min_rating)
    }

    /// What is shown of a player with that rating after the last round: of a hidden one what is believed now.
    fn shown(
        &self,
        (rating, rounds): (Rating, u32),
        beliefs: &Beliefs,
        parameters: &Parameters,
    ) -> Rating {
        if rounds < parameters.shadow_rounds {
            self.live(rounds, beliefs, parameters)
        } else {
            rating
        }
    }

    /// What a point of log-odds in each observer's mean is worth in points of a rating.
    fn worth(&self, parameters: &Parameters) -> [f64; OBSERVERS] {
        let (shares, temperature) = (self.weights.shares(), self.weights.temperature());
        std::array::from_fn(|observer| {
            parameters.theta * temperature * shares[observer] * self.shrinkage[observer]
        })
    }

    /// The typical size of a team. Before the first round nothing that is divided by it is above 0.
    fn typical_size(&self) -> f64 {
        self.size.unwrap_or(1.0)
    }

    /// Takes the first round's teams as typical.
    fn see(&mut self, participants: &[(Side, bool)]) {
        self.size.get_or_insert(f64::midpoint(
            heads(participants.iter().copied(), Side::A),
            heads(participants.iter().copied(), Side::B),
        ));
    }

    /// How far a map leans to team a, in log-odds; of one that was not played yet, the prior.
    fn map(&self, map: Option<&MapName>) -> Belief {
        self.maps.get(map).copied().unwrap_or(Belief {
            mean: 0.0,
            variance: MAP_DEVIATION * MAP_DEVIATION,
        })
    }

    fn forecast(&self, participants: &[Participant], conditions: &Conditions<'_>) -> Forecast {
        let places = participants
            .iter()
            .map(|participant| (participant.side, participant.in_roster));
        let [bots_a, bots_b] = conditions.bots.counts().map(f64::from);
        let heads_a = heads(places.clone(), Side::A) + bots_a;
        let heads_b = heads(places, Side::B) + bots_b;
        let mean_size = f64::midpoint(heads_a, heads_b);
        let roster = participants
            .iter()
            .filter(|participant| participant.in_roster);
        let opinions = Opinions::of(
            &roster
                .clone()
                .map(|participant| (participant.side, &participant.beliefs)),
        );
        let [experience_a, experience_b] = sums(roster.map(|participant| {
            (
                participant.side,
                experience(participant.rounds) / self.typical_size(),
            )
        }));
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

    /// Learns how a round ended: the participants get the beliefs after it. All is by the values from before.
    fn learn(
        &mut self,
        forecast: &Forecast,
        participants: &mut [Participant],
        winner: Winner,
        map: Option<&MapName>,
        parameters: &Parameters,
    ) {
        let score = winner.score(Side::A).value();
        let Opinions {
            shrinkage: kept,
            lead,
        } = &forecast.opinions;
        for (observer, (kept, lead)) in kept.iter().zip(lead).enumerate() {
            let expected = logistic(forecast.estimate.offset + lead);
            let residual = kept * (score - expected.get());
            let information = kept * kept * bend(expected);
            for participant in &mut *participants {
                participant.beliefs.0[observer]
                    .learn(sign(participant.side) * residual, information);
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

    /// The rating after a round that the model has learnt from, and which left the player of the `participant` with
    /// `rounds`: a visible one moves only as its result points.
    fn moved(
        &self,
        participant: &Participant,
        rounds: u32,
        winner: Winner,
        parameters: &Parameters,
    ) -> Rating {
        let before = participant.rating.points();
        let step = self.live(rounds, &participant.beliefs, parameters).points() - before;
        let step = if rounds > parameters.shadow_rounds {
            let (least, most) = bounds(winner.score(participant.side));
            step.clamp(least, most)
        } else {
            step
        };
        Rating::from_rounded(f64::from(before + step)).max(parameters.min_rating)
    }
}

/// How many stood on that side at the start.
fn heads(participants: impl Iterator<Item = (Side, bool)>, side: Side) -> f64 {
    participants.fold(0.0, |count, (of, in_roster)| {
        if of == side && in_roster {
            count + 1.0
        } else {
            count
        }
    })
}

/// How far one round may move a visible rating: never against its result.
fn bounds(score: Score) -> (i32, i32) {
    match score {
        Score::WIN => (0, MAX),
        Score::LOSS => (-MAX, 0),
        _ => (-MAX / 2, MAX / 2),
    }
}

/// 1 on team a, -1 on team b.
fn sign(side: Side) -> f64 {
    match side {
        Side::A => 1.0,
        Side::B => -1.0,
    }
}

/// What so many rounds played count.
fn experience(rounds: u32) -> f64 {
    libm::log(1.0 + f64::from(rounds) / EXPERIENCE_ROUNDS)
}

/// κ: what a variance leaves of a lead in log-odds, 0 to 1.
fn shrinkage(variance: f64) -> f64 {
    1.0 / (1.0 + PI / 8.0 * variance).sqrt()
}

/// Variance of an outcome with this probability.
fn bend(expected: Probability) -> f64 {
    expected.get() * expected.complement().get()
}

#[cfg(test)]
mod tests;
