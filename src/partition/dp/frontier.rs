//! What the seats taken so far leave to be known by the players to come.

use super::chain::farthest_middle;
use super::order::shared;
use crate::partition::objective::weights::Weights;
use crate::partition::problem::Problem;
use crate::partition::problem::newcomers::Evenness;
use crate::partition::problem::seat::Seat;

/// The wishes that link players, seen in the order in which these take their seats.
pub(super) struct Links<'run> {
    problem: &'run Problem<'run>,
    weights: &'run Weights,
    /// By player: the place in the order.
    places: Vec<usize>,
    newcomers: Option<Block>,
}

/// The newcomers who are shared out and whoever takes a seat before the last of them: the first players of the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Number of players in the block.
    pub(super) players: usize,
    /// True if frontiers remember the lead of A in the other players of the block instead of its lead in newcomers. If the
    /// whole block is in one half, the counts of a state give the rest.
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

    /// Returns the cost of A's lead in newcomers.
    pub(super) fn cost(self, lead: i64) -> u64 {
        self.evenness.excess(lead) * self.weight
    }
}

/// What is to be known of the players who have a seat, in order to know what the seats of the others
/// cost. Lists are ascending and name only what still matters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Frontier {
    /// The parties of which some have a seat and some have none: the seat of all who have one, or
    /// nothing where they sit apart, which is paid already.
    parties: Vec<(usize, Option<Seat>)>,
    /// The players on a team from whom somebody without a seat should be apart.
    seats: Vec<(usize, Seat)>,
    /// The roles of whose players some have a seat and some have none, with those on A and on B, as far
    /// as each team should have them.
    roles: Vec<(usize, usize, usize)>,
    /// Lead of A over B in the remembered players of the block.
    pub(super) lead: i64,
}

impl<'run> Links<'run> {
    /// The links between players who take their seats in this `order`.
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

    /// The block of newcomers, if its cost follows from the counts of states.
    pub(super) fn block_by_others(&self) -> Option<Block> {
        self.newcomers.filter(|block| block.by_others)
    }

    /// What is to be known after `player`, whose turn it is, takes `seat`, and what that costs.
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
