//! Frontiers: seats of earlier players that must be remembered, because they affect the cost of later seats.

use super::chain::farthest_middle;
use super::order::shared;
use crate::partition::objective::Weights;
use crate::partition::problem::Problem;
use crate::partition::problem::newcomers::Evenness;
use crate::partition::problem::seat::Seat;

/// Wishes that link players, with the order in which players take their seats (team or bench).
pub(super) struct Links<'run> {
    problem: &'run Problem<'run>,
    weights: &'run Weights,
    /// Position of each player in the order in which players are seated, by player index.
    places: Vec<usize>,
    newcomers: Option<Block>,
}

/// First players in the order of seating, up to the last newcomer who is to be shared evenly between the teams.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) players: usize,
    /// `true` if partial splits remember team A's lead in players other than newcomers, `false` if they remember its
    /// lead in newcomers. Tables know the lead in all seated players, so either lead gives the other.
    pub(super) by_others: bool,
    evenness: Evenness,
    weight: u64,
}

impl Block {
    fn new(problem: &Problem<'_>, weights: &Weights, order: &[usize]) -> Option<Self> {
        let shared = shared(problem, weights);
        let players = 1 + order.iter().rposition(|player| shared.contains(player))?;
        let is_in_a_half = players <= farthest_middle(order.len());
        Some(Self {
            players,
            by_others: is_in_a_half && players <= 2 * shared.len(),
            evenness: problem.newcomers.as_ref()?.evenness,
            weight: weights.newcomer,
        })
    }

    pub(super) fn cost(self, lead: i64) -> u64 {
        self.evenness.excess(lead) * self.weight
    }
}

/// Facts about the players seated so far that determine the costs of the remaining seats. Lists are ascending and
/// contain only entries that still matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Frontier {
    /// Parties with some members seated: index, and the common seat, or `None` if already split and the cost counted.
    parties: Vec<(usize, Option<Seat>)>,
    /// Seated players on a team who should be apart from a player without a seat, with their seats.
    seats: Vec<(usize, Seat)>,
    /// Roles with some players seated: index, and players on A and on B, each capped at the minimum per team.
    roles: Vec<(usize, usize, usize)>,
    /// Newcomers on team A minus those on team B, among the first players up to the last newcomer. Counts the players
    /// other than newcomers instead if [`Block::by_others`].
    pub(super) lead: i64,
}

impl<'run> Links<'run> {
    pub(super) fn new(
        problem: &'run Problem<'run>,
        weights: &'run Weights,
        order: &[usize],
    ) -> Self {
        let mut places = vec![0; order.len()];
        for (place, player) in order.iter().enumerate() {
            places[*player] = place;
        }
        Self {
            problem,
            weights,
            places,
            newcomers: Block::new(problem, weights, order),
        }
    }

    /// Returns the first players in seating order up to the last newcomer, if frontiers store the lead in the players
    /// other than newcomers ([`Block::by_others`]).
    pub(super) fn block_by_others(&self) -> Option<Block> {
        self.newcomers.filter(|block| block.by_others)
    }

    /// Returns the frontier (earlier seats to remember) after `player` takes `seat`, and the cost of this seat.
    pub(super) fn extend(&self, before: &Frontier, player: usize, seat: Seat) -> (Frontier, u64) {
        let mut after = before.clone();
        let mut cost = self.weights.of_seat(player, seat);
        let place = self.places[player];
        for (number, party) in self.problem.parties.iter().enumerate() {
            if !party.contains(&player) {
                continue;
            }
            let known = after.parties.binary_search_by_key(&number, |known| known.0);
            match known {
                Err(at) => after.parties.insert(at, (number, Some(seat))),
                Ok(at) if after.parties[at].1.is_some_and(|others| others != seat) => {
                    cost += self.weights.party;
                    after.parties[at].1 = None;
                }
                Ok(_) => {}
            }
            if party.iter().all(|member| self.places[*member] <= place) {
                after.parties.retain(|known| known.0 != number);
            }
        }
        for (number, (members, each)) in self.problem.roles[..self.weights.roles].iter().enumerate()
        {
            if !members.contains(&player) {
                continue;
            }
            let known = after.roles.iter().position(|known| known.0 == number);
            let (_, a, b) = known.map_or((number, 0, 0), |at| after.roles.remove(at));
            let a = (a + usize::from(seat == Seat::A)).min(*each);
            let b = (b + usize::from(seat == Seat::B)).min(*each);
            if members.iter().all(|member| self.places[*member] <= place) {
                cost += self.weights.role * (2 * each - a - b) as u64;
            } else {
                after.roles.push((number, a, b));
                after.roles.sort_unstable();
            }
        }
        if let Some(block) = self.newcomers.filter(|block| place < block.players) {
            if shared(self.problem, self.weights).contains(&player) != block.by_others {
                after.lead += seat.weight();
            }
            if place + 1 == block.players {
                let lead = std::mem::take(&mut after.lead);
                cost += if block.by_others { 0 } else { block.cost(lead) };
            }
        }
        let mut matters_later = false;
        for &(one, other, weight) in &self.weights.apart {
            if one != player && other != player {
                continue;
            }
            let partner = one + other - player;
            if self.places[partner] > place {
                matters_later = true;
            } else if before.seats.contains(&(partner, seat)) {
                cost += weight;
            }
        }
        if matters_later && seat != Seat::Waiting {
            after.seats.push((player, seat));
        }
        let is_open = |player: usize| {
            let mut pairs = self.weights.apart.iter();
            pairs.any(|&(one, other, _)| {
                (one == player || other == player) && self.places[one + other - player] > place
            })
        };
        after.seats.retain(|(player, _)| is_open(*player));
        after.seats.sort_unstable();
        (after, cost)
    }
}
