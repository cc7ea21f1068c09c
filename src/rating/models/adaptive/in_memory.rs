//! The model with all players in memory, as it is compared with others.

use std::collections::HashMap;

use super::{Adaptive, Player, Seat, observers::Beliefs};
use crate::domain::{PlayerId, Probability, Rating, Round};
use crate::rating::Parameters;
use crate::rating::models::Model;
use crate::rating::models::pool::Conditions;

/// The model and everybody whom it rates.
#[derive(Clone, Debug)]
pub(in crate::rating::models) struct InMemory {
    pub(super) parameters: Parameters,
    pub(super) pool: Adaptive,
    pub(super) players: HashMap<PlayerId, Known>,
}

/// A player who has played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) rounds: u32,
    /// As shown after the last round; of a hidden player it is computed when it is asked for.
    pub(super) rating: Rating,
    player: Player,
}

impl InMemory {
    /// Before the first round; of `parameters` it takes Θ, the rating of a new player, the lowest, how long
    /// a player is hidden, and whether experience has a floor.
    pub(in crate::rating::models) fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            pool: Adaptive::new(),
            players: HashMap::new(),
        }
    }

    fn seats(&self, round: &Round) -> Vec<Seat> {
        let size = self.pool.typical_size();
        let seats = round.entries().map(|(side, entry)| {
            let known = self.players.get(&entry.id);
            Seat {
                side,
                in_roster: entry.at_start,
                is_rated: entry.is_rated(),
                rounds: known.map_or(0, |known| known.rounds),
                rating: self.rating(entry.id),
                beliefs: known.map_or_else(
                    || Beliefs::of_stranger(size),
                    |known| known.player.before(round.ended_at(), size),
                ),
            }
        });
        seats.collect()
    }
}

impl Model for InMemory {
    fn rate(&mut self, round: &Round) -> Probability {
        let places = round.entries().map(|(side, entry)| (side, entry.at_start));
        self.pool.see(&places.collect::<Vec<_>>());
        let mut seats = self.seats(round);
        let parts = round.parts();
        let (winner, map) = (parts.winner, parts.map.as_ref());
        let conditions = Conditions::of(round, &self.parameters);
        let forecast = self.pool.forecast(&seats, &conditions);
        self.pool
            .learn(&forecast, &mut seats, winner, map, &self.parameters);
        for ((_, entry), seat) in round.entries().zip(&seats) {
            if seat.is_rated {
                let rounds = seat.rounds + 1;
                let known = Known {
                    rounds,
                    rating: self.pool.moved(seat, rounds, winner, &self.parameters),
                    player: Player {
                        last_played: Some(round.ended_at()),
                        beliefs: seat.beliefs,
                    },
                };
                self.players.insert(entry.id, known);
            }
        }
        forecast.for_a
    }

    /// What is shown of the player now.
    fn rating(&self, player: PlayerId) -> Rating {
        let known = self.players.get(&player);
        known.map_or(self.parameters.initial_rating, |known| {
            let shown = (known.rating, known.rounds);
            self.pool
                .shown(shown, &known.player.beliefs, &self.parameters)
        })
    }
}
