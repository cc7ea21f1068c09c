//! SynElo, F1 to F5, as the service computes it.

use std::collections::{HashMap, VecDeque};

use super::pool::{Conditions, PoolModel, Profile, RatedRound, Seat, lead, points};
use super::state::{InvalidState, ModelState};
use super::{Model, ModelName};
use crate::domain::{
    MapName, PlayerId, Presence, Probability, Rating, Round, Side, Timestamp, Winner,
};
use crate::rating::{
    Parameters, Standing, Step, Totals, Window, boundaries, k_factor, participation_weight, rate,
    rounds_since_return, team_size_weight, win_probability,
};

/// SynElo as a pool is rated by it: all that it goes by are ratings and windows.
#[derive(Debug)]
pub(super) struct OfPool;

/// SynElo, which remembers nothing.
pub(super) fn resume(state: &ModelState) -> Result<Box<dyn PoolModel>, InvalidState> {
    if state.is_empty() {
        Ok(Box::new(OfPool))
    } else {
        Err(InvalidState)
    }
}

impl PoolModel for OfPool {
    fn name(&self) -> ModelName {
        ModelName::SynElo
    }

    fn follows_from_ratings(&self) -> bool {
        true
    }

    fn state(&self) -> Result<ModelState, InvalidState> {
        Ok(ModelState::default())
    }

    fn predict(
        &self,
        seats: &[Seat],
        conditions: &Conditions<'_>,
    ) -> Result<Probability, InvalidState> {
        let lead = lead(seats) + conditions.ahead();
        Ok(win_probability(lead, 0, conditions.parameters.theta))
    }

    fn rate(
        &mut self,
        seats: &mut [Seat],
        winner: Winner,
        conditions: &Conditions<'_>,
    ) -> Result<RatedRound, InvalidState> {
        let for_a = self.predict(seats, conditions)?;
        let roster = seats.iter().filter(|seat| seat.in_roster).count();
        let size_weight = team_size_weight(roster, conditions.parameters.team_size_exponent);
        let rated = seats.iter().filter(|seat| seat.is_rated).map(|seat| {
            let (expected, score) = (for_a.of(seat.side), winner.score(seat.side));
            let standing = &seat.standing;
            rate(
                standing,
                expected,
                score,
                weight(seat.presence, conditions.parameters) * size_weight,
                conditions.parameters,
            )
        });
        Ok(RatedRound {
            win_probability: for_a,
            players: rated.collect(),
        })
    }

    fn set(&self, _: Profile<'_>, _: Rating, _: &Parameters) -> Result<ModelState, InvalidState> {
        Ok(ModelState::default())
    }

    fn k_factor(
        &self,
        player: Profile<'_>,
        convergence: f64,
        parameters: &Parameters,
    ) -> Result<f64, InvalidState> {
        Ok(k_factor(player.rating, convergence, parameters))
    }

    fn lean(&self, map: Option<&MapName>, parameters: &Parameters) -> f64 {
        points(parameters.advantages.on(map))
    }
}

/// What the player's part of the round weighs, 0 to 1: all of it where it is not known.
fn weight(presence: Option<Presence>, parameters: &Parameters) -> f64 {
    presence.map_or(1.0, |presence| {
        participation_weight(presence, parameters.participation_half_life)
    })
}

#[derive(Debug)]
pub(super) struct SynElo {
    parameters: Parameters,
    players: HashMap<PlayerId, Player>,
}

#[derive(Debug)]
struct Player {
    rating: Rating,
    rounds: u32,
    /// The totals after each of the last W rounds, and before the first of them.
    totals: VecDeque<Totals>,
    /// When the last of them ended, as many as returns are looked for in.
    ended: VecDeque<Timestamp>,
}

impl Player {
    fn new(parameters: &Parameters) -> Self {
        Self {
            rating: parameters.initial_rating,
            rounds: 0,
            totals: VecDeque::from([Totals::default()]),
            ended: VecDeque::new(),
        }
    }

    fn window(&self, parameters: &Parameters) -> Window {
        let entries = u64::from(self.rounds);
        let ends = boundaries(entries, self.rounds, parameters.window);
        let first = (entries + 1).saturating_sub(self.totals.len() as u64);
        let at = |number: u64| {
            let index = usize::try_from(number.saturating_sub(first)).unwrap_or(usize::MAX);
            self.totals.get(index).copied().unwrap_or_default()
        };
        Window::between(
            ends,
            at(ends.start),
            at(ends.old_end),
            at(ends.new_start),
            at(entries),
        )
    }

    fn take(&mut self, rating: Rating, step: Step, at: Timestamp, parameters: &Parameters) {
        let last = self.totals.back().copied().unwrap_or_default();
        self.totals.push_back(last.with(step));
        if self.totals.len() as u64 > u64::from(parameters.window) + 1 {
            self.totals.pop_front();
        }
        self.ended.push_back(at);
        if self.ended.len() > parameters.returning_rounds() {
            self.ended.pop_front();
        }
        self.rating = rating;
        self.rounds += 1;
    }
}

impl SynElo {
    pub(super) fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            players: HashMap::new(),
        }
    }

    fn sum(&self, round: &Round, side: Side) -> i64 {
        let entries = round.entries();
        let roster = entries.filter(|(of, entry)| *of == side && entry.at_start);
        let ratings = roster.map(|(_, entry)| self.rating(entry.id));
        ratings.map(|rating| i64::from(rating.points())).sum()
    }
}

impl Model for SynElo {
    fn rate(&mut self, round: &Round) -> Probability {
        let parameters = &self.parameters;
        let (sum_a, sum_b) = (self.sum(round, Side::A), self.sum(round, Side::B));
        let parts = round.parts();
        let ahead = parameters.ahead(parts.map.as_ref(), &parts.bots);
        let for_a = win_probability(sum_a + ahead, sum_b, parameters.theta);
        let roster = round.entries().filter(|(_, entry)| entry.at_start).count();
        let size_weight = team_size_weight(roster, parameters.team_size_exponent);
        for (side, entry) in round.participants() {
            let player = self.players.entry(entry.id);
            let player = player.or_insert_with(|| Player::new(parameters));
            let (expected, score) = (for_a.of(side), parts.winner.score(side));
            let weight = weight(entry.presence(parts.round_seconds), parameters);
            let standing = Standing {
                rating: player.rating,
                rounds: player.rounds,
                window: player.window(parameters),
                since_return: rounds_since_return(
                    player.ended.iter().copied(),
                    round.ended_at(),
                    parameters,
                ),
            };
            let weight = weight * size_weight;
            let rated = rate(&standing, expected, score, weight, parameters);
            let step = Step::of(rated.rating, expected, score);
            player.take(rated.rating, step, round.ended_at(), parameters);
        }
        for_a
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let known = self.players.get(&player);
        known.map_or(self.parameters.initial_rating, |player| player.rating)
    }
}
