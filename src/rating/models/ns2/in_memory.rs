//! The model with all players in memory, as it is compared with others.

use std::collections::HashMap;

use super::{Config, Ns2, Player, Seat, heads, time};
use crate::domain::{PlayerId, Probability, Rating, Round, Side};
use crate::rating::Parameters;
use crate::rating::models::Model;
use crate::rating::models::pool::Conditions;
use crate::rating::models::teams::above_new;

/// The model and everybody whom it rates.
#[derive(Debug)]
pub(in crate::rating::models) struct InMemory {
    parameters: Parameters,
    config: Config,
    pool: Ns2,
    players: HashMap<PlayerId, Player>,
}

impl InMemory {
    /// Before the first round; of `parameters` it takes Θ and the half-life of a round's seconds.
    pub(in crate::rating::models) fn new(parameters: Parameters, config: Config) -> Self {
        Self {
            parameters,
            config,
            pool: Ns2::default(),
            players: HashMap::new(),
        }
    }

    fn seats(&self, round: &Round) -> Vec<Seat> {
        let round_seconds = round.parts().round_seconds;
        let seats = round.entries().map(|(side, entry)| Seat {
            side,
            in_roster: entry.at_start,
            is_rated: entry.is_rated(),
            commands: entry.commands(),
            time: time(
                entry.presence(round_seconds),
                self.parameters.participation_half_life,
            ),
            player: self.players.get(&entry.id).copied().unwrap_or_default(),
        });
        seats.collect()
    }
}

impl Model for InMemory {
    fn rate(&mut self, round: &Round) -> Probability {
        let mut seats = self.seats(round);
        let conditions = Conditions::of(round, &self.parameters);
        self.pool
            .see(heads(seats.iter().map(|seat| seat.in_roster)));
        let expected = self.pool.expect(&seats, &self.config, &conditions);
        let score = round.parts().winner.score(Side::A);
        self.pool
            .learn(&mut seats, &self.config, &conditions, score);
        for ((_, entry), seat) in round.entries().zip(&seats) {
            if seat.is_rated {
                self.players.insert(entry.id, seat.player);
            }
        }
        expected
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let known = self.players.get(&player).copied().unwrap_or_default();
        let (above, _) = self.pool.strength(&known, &self.config, &self.parameters);
        above_new(above)
    }
}
