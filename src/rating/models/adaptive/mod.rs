//! `adaptive`: four observers rate every player side by side, and the pool learns from round to round whom of
//! them to trust, how far, and what a side, a map, an extra player and experience are worth. Everything begins
//! with the same constants in every pool.
//!
//! Strengths are log-odds. A lead about which there is a variance of v counts κ = 1/√(1 + π v/8) of itself: the
//! logistic-Gaussian integral (D. MacKay, The Evidence Framework Applied to Classification Networks, 1992; M.
//! Glickman, Parameter Estimation in Large Dynamic Paired Comparison Experiments, 1999). That who has played more
//! is better than results alone have shown yet is a term ln(1 + n/6) with a weight that is learnt.

mod observers;
mod weights;

use std::collections::HashMap;
use std::f64::consts::PI;

use super::Model;
use super::teams::probability;
use crate::domain::{MapName, PlayerId, Probability, Rating, Round, Score, Side, Timestamp};
use observers::{Belief, Beliefs, OBSERVERS, Opinions};
use weights::{Evidence, Weights};

/// A new player's rating, and the lowest there is.
const INITIAL: f64 = 1000.0;
const LOWEST: i32 = 100;
/// Rounds in which the rating follows what is believed; after them only the player's own results move it.
const HIDDEN: u32 = 50;
/// The most that one round moves a visible rating, in points; a draw half of it.
const MOST: i32 = 72;
/// The prior variance of a map's lean.
const MAP_VARIANCE: f64 = 0.15 * 0.15;
/// So many rounds double what the logarithm of experience counts.
const EXPERIENCE_ROUNDS: f64 = 6.0;
/// By which power of the teams' size an extra player counts less.
const HEADS_POWER: f64 = 0.4;
/// How fast running means follow.
const RATE: f64 = 0.02;
/// The running mean of shrinkage before the first round.
const SHRINKAGE: f64 = 0.8;

/// The model's state: the pool's own and the players'.
#[derive(Clone, Debug)]
pub(super) struct Adaptive {
    /// Θ: points for one unit of log-odds.
    theta: f64,
    /// The typical size of a team; `None` before the first round.
    size: Option<f64>,
    weights: Weights,
    maps: HashMap<Option<MapName>, Belief>,
    /// The running mean of what uncertainty leaves of a lead, by observer.
    shrinkage: [f64; OBSERVERS],
    players: HashMap<PlayerId, Player>,
}

#[derive(Clone, Copy, Debug)]
struct Player {
    rounds: u32,
    last_played: Timestamp,
    /// As shown after the last round; of a hidden player it is computed when it is asked for.
    rating: i32,
    beliefs: Beliefs,
}

/// A player's place in a round.
struct Seat {
    player: PlayerId,
    side: Side,
    in_roster: bool,
    is_rated: bool,
    rounds: u32,
    /// As shown before the round.
    rating: i32,
    /// Aged up to the round.
    beliefs: Beliefs,
}

impl Adaptive {
    pub(super) fn new(theta: f64) -> Self {
        Self {
            theta,
            size: None,
            weights: Weights::new(),
            maps: HashMap::new(),
            shrinkage: [SHRINKAGE; OBSERVERS],
            players: HashMap::new(),
        }
    }

    /// The rating that the pool's present beliefs about a player come to, where teams have `size` players.
    fn live(&self, rounds: u32, beliefs: &Beliefs, size: f64) -> i32 {
        let shares = self.weights.shares();
        let strength = (0..OBSERVERS).fold(0.0, |sum, observer| {
            sum + shares[observer] * self.shrinkage[observer] * beliefs.0[observer].mean
        });
        let strength = self.weights.temperature() * strength
            + self.weights.experience() * experience(rounds) / size;
        let rating = Rating::from_rounded(INITIAL + self.theta * strength);
        rating.points().max(LOWEST)
    }

    fn seats(&self, round: &Round, size: f64) -> Vec<Seat> {
        let now = round.ended_at();
        let seats = round.entries().map(|(side, entry)| {
            let known = self.players.get(&entry.id);
            let (rounds, rating, beliefs) = match known {
                None => (
                    0,
                    Rating::from_rounded(INITIAL).points(),
                    Beliefs::of_stranger(size),
                ),
                Some(player) => {
                    let rating = if player.rounds < HIDDEN {
                        self.live(player.rounds, &player.beliefs, size)
                    } else {
                        player.rating
                    };
                    let beliefs = player.beliefs.aged(player.last_played, now, size);
                    (player.rounds, rating, beliefs)
                }
            };
            Seat {
                player: entry.id,
                side,
                in_roster: entry.at_start,
                is_rated: entry.is_rated(),
                rounds,
                rating,
                beliefs,
            }
        });
        seats.collect()
    }
}

impl Model for Adaptive {
    fn rate(&mut self, round: &Round) -> Probability {
        let heads = |side| {
            let entries = round.entries();
            entries.fold(0.0, |count, (of, entry)| {
                if of == side && entry.at_start {
                    count + 1.0
                } else {
                    count
                }
            })
        };
        let (heads_a, heads_b): (f64, f64) = (heads(Side::A), heads(Side::B));
        let mean_size = f64::midpoint(heads_a, heads_b);
        let size = *self.size.get_or_insert(mean_size);
        let mut seats = self.seats(round, size);

        let roster = seats.iter().filter(|seat| seat.in_roster);
        let opinions = Opinions::of(&roster.clone().map(|seat| (sign(seat.side), &seat.beliefs)));
        let evidence = Evidence {
            lead: opinions.lead,
            heads: (heads_a - heads_b) / libm::pow(mean_size, HEADS_POWER),
            experience: roster.fold(0.0, |sum, seat| {
                sum + sign(seat.side) * experience(seat.rounds) / size
            }),
        };
        let map = self.maps.get(&round.parts().map).copied();
        let mut map = map.unwrap_or(Belief {
            mean: 0.0,
            variance: MAP_VARIANCE,
        });
        let estimate = self.weights.estimate(&evidence, map.mean);
        let certainty = shrinkage(estimate.variance + map.variance);
        let for_a = logistic(certainty * estimate.lead);

        // All of what follows is by the values from before the round.
        let score = round.parts().winner.score(Side::A).value();
        for (observer, (kept, lead)) in opinions.shrinkage.iter().zip(opinions.lead).enumerate() {
            let expected = logistic(estimate.offset + lead);
            let residual = kept * (score - expected);
            let information = kept * kept * expected * (1.0 - expected);
            for seat in &mut seats {
                seat.beliefs.0[observer].learn(sign(seat.side) * residual, information);
            }
            self.shrinkage[observer] += RATE * (kept - self.shrinkage[observer]);
        }
        let residual = certainty * (score - for_a);
        let information = certainty * certainty * for_a * (1.0 - for_a);
        self.weights.learn(&estimate, residual, information);
        map.learn(residual, information);
        self.maps.insert(round.parts().map.clone(), map);
        let size = size + RATE * (mean_size - size);
        self.size = Some(size);
        for seat in seats.iter().filter(|seat| seat.is_rated) {
            let rounds = seat.rounds + 1;
            let step = self.live(rounds, &seat.beliefs, size) - seat.rating;
            let step = if rounds > HIDDEN {
                let (least, most) = bounds(round.parts().winner.score(seat.side));
                step.clamp(least, most)
            } else {
                step
            };
            let player = Player {
                rounds,
                last_played: round.ended_at(),
                rating: (seat.rating + step).max(LOWEST),
                beliefs: seat.beliefs,
            };
            self.players.insert(seat.player, player);
        }
        probability(for_a)
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let points = match (self.players.get(&player), self.size) {
            (Some(player), Some(size)) if player.rounds < HIDDEN => {
                self.live(player.rounds, &player.beliefs, size)
            }
            (Some(player), Some(_)) => player.rating,
            _ => return Rating::from_rounded(INITIAL),
        };
        Rating::from_rounded(f64::from(points))
    }
}

/// How far one round may move a visible rating: never against its result.
fn bounds(score: Score) -> (i32, i32) {
    match score {
        Score::WIN => (0, MOST),
        Score::LOSS => (-MOST, 0),
        _ => (-MOST / 2, MOST / 2),
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

/// The logistic function, without an overflow on either side.
fn logistic(log_odds: f64) -> f64 {
    if log_odds >= 0.0 {
        1.0 / (1.0 + libm::exp(-log_odds))
    } else {
        let odds = libm::exp(log_odds);
        odds / (1.0 + odds)
    }
}

#[cfg(test)]
mod tests;
