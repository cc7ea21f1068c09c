//! Objective function that compares splits by the wishes they leave unserved: lexicographic weights, which express all
//! unserved wishes of a split in one number.

use std::collections::BTreeMap;

use super::problem::Problem;
use super::problem::newcomers::Newcomers;
use super::problem::seat::{Seat, is_kept, is_together};

/// Upper bound of all sums of weights of unserved wishes, so that a 32-bit cost holds them.
pub(crate) const LIMIT: u64 = 1 << 29;

/// Order of importance of turns on the bench and parties, among the wishes about a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Order among splits with equal differences of rating sums: turns on the bench come before parties.
    TurnsFirst,
    /// Order for splits that may be less even to keep a party together: parties come before turns on the bench.
    PartiesFirst,
}

/// Weight of each unserved wish in the cost of a split.
///
/// The weights are lexicographic: one unserved wish costs more than all less important wishes together. The split
/// with the minimum cost therefore serves the wishes in their order. A cost is a mixed-radix number with one digit
/// per kind of wish.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// Dimensionless weight of letting each player wait another round, by player.
    wait: Vec<u64>,
    /// Team, by player, on which the player would have changed teams; `None` for players of no current team.
    moved: Vec<Option<Seat>>,
    moving: u64,
    /// Pairs of players to keep apart, better player first, with the weight of each pair on one team.
    pub(crate) apart: Vec<(usize, usize, u64)>,
    /// Dimensionless weight of each player whom a team lacks in a role.
    pub(crate) role: u64,
    /// Number of roles, from the first, that the cost of a split considers.
    pub(crate) roles: usize,
    /// Dimensionless weight of each newcomer who should change teams for even sharing; 0 if newcomers do not count.
    pub(crate) newcomer: u64,
    pub(crate) party: u64,
    /// Number of parties plus one: the radix of the digit for parties in a mixed-radix cost.
    parties: u64,
    pub(crate) waits_are_distinct: bool,
    /// Number greater than the sum of all weights of wishes.
    pub(crate) total: u64,
}

impl Weights {
    /// Computes the weights of all wishes in this order of importance. Considers only the first `links` wishes that
    /// link players: pairs apart, then roles, then the sharing of newcomers.
    pub(crate) fn new(problem: &Problem<'_>, order: Order, links: usize) -> Self {
        let players = problem.points.len();
        // Weight of the two best players on one team: the least important wish.
        let top_two = (problem.wishes.spread && players > 1).then_some((0, 1, 1));
        let moving = 1 + u64::from(top_two.is_some());
        let moved: Vec<Option<Seat>> = match &problem.current {
            None => vec![None; players],
            Some(seats) => seats
                .iter()
                .map(|seat| (*seat != Seat::Waiting).then(|| seat.opposite()))
                .collect(),
        };
        // Exchanging the team names turns moves into stays, so at most half of the players move.
        let movers = moved.iter().flatten().count() as u64 / 2;
        let above_moves = moving * (movers + 1);
        let newcomers = problem
            .newcomers
            .iter()
            .take(links.saturating_sub(problem.links()));
        let excess = newcomers.map(Newcomers::most).sum::<u64>();
        let role = above_moves * (excess + 1);
        let wished = &problem.apart[..links.min(problem.apart.len())];
        let roles = problem.roles.len().min(links - wished.len());
        let lacking = problem.roles[..roles]
            .iter()
            .map(|(_, each)| 2 * *each as u64);
        let pair = role * (lacking.sum::<u64>() + 1);
        let above_pairs = pair * (wished.len() as u64 + 1);
        let wished = wished.iter().map(|&(one, other)| (one, other, pair));
        let parties = problem.parties.len() as u64 + 1;
        let levels = LIMIT.div_ceil(above_pairs * parties);
        let (party, waits, total) = match order {
            Order::TurnsFirst => {
                let waits = Waits::new(&problem.waited, above_pairs * parties, levels);
                let total = waits.radix;
                (above_pairs, waits, total)
            }
            Order::PartiesFirst => {
                let waits = Waits::new(&problem.waited, above_pairs, levels);
                let party = waits.radix;
                (party, waits, party * parties)
            }
        };
        Self {
            wait: waits.weights,
            moved,
            moving,
            apart: wished.chain(top_two).collect(),
            role,
            roles,
            newcomer: if excess > 0 { above_moves } else { 0 },
            party,
            parties,
            waits_are_distinct: waits.are_distinct,
            total,
        }
    }

    /// Returns the weight of the wishes of `player` alone that `seat` leaves unserved: to stay on the current team, and
    /// not to wait again.
    pub(crate) fn of_seat(&self, player: usize, seat: Seat) -> u64 {
        let is_move = self.moved[player] == Some(seat);
        let waits = seat == Seat::Waiting;
        u64::from(is_move) * self.moving + u64::from(waits) * self.wait[player]
    }

    /// Extracts the number of split parties from the cost of a split.
    pub(crate) fn parties_split(&self, cost: u64) -> u64 {
        cost / self.party % self.parties
    }

    /// Returns the maximum cost of a split as good as one of this `cost`, except that the two best may be together.
    pub(crate) fn as_good_but_for_spread(&self, cost: u64) -> u64 {
        most_of_digit(cost, self.moving)
    }

    /// Returns the maximum cost of a split that serves the sharing of newcomers, and all more important wishes, as well
    /// as a split with this `cost`. Returns `None` if newcomers do not count.
    pub(crate) fn as_good_with_newcomers(&self, cost: u64) -> Option<u64> {
        (self.newcomer > 0).then(|| most_of_digit(cost, self.newcomer))
    }

    /// Returns the maximum cost of a split as good as one of this `cost` in all wishes above the newcomers.
    pub(crate) fn as_good_but_for_newcomers(&self, cost: u64) -> u64 {
        most_of_digit(cost, self.role)
    }

    pub(crate) fn of_seats(&self, problem: &Problem<'_>, seats: &[Seat]) -> u64 {
        let everybody = seats.iter().enumerate();
        let alone = everybody.map(|(player, seat)| self.of_seat(player, *seat));
        let split = problem
            .parties
            .iter()
            .filter(|party| !is_kept(party, seats))
            .count() as u64;
        let together = self
            .apart
            .iter()
            .filter(|(one, other, _)| is_together((*one, *other), seats));
        let missing = (0..self.roles).map(|role| problem.missing(role, seats) as u64);
        let newcomers = problem.newcomers.iter();
        let excess = newcomers.map(|newcomers| newcomers.excess_of(seats));
        alone.sum::<u64>()
            + split * self.party
            + missing.sum::<u64>() * self.role
            + excess.sum::<u64>() * self.newcomer
            + together.map(|(_, _, weight)| weight).sum::<u64>()
    }
}

/// Returns the maximum cost that differs from `cost` only in digits (kinds of wishes) less significant than `digit`.
fn most_of_digit(cost: u64, digit: u64) -> u64 {
    cost - cost % digit + digit - 1
}

/// Penalties for letting players wait another round, as dimensionless weights in the cost of a split.
#[derive(Clone, Debug)]
struct Waits {
    /// Penalty by player for waiting another round, 0 for those who have not waited. A longer wait weighs more than all
    /// shorter waits together.
    weights: Vec<u64>,
    /// Number greater than the sum of all penalties for waiting: the smallest weight for a more important wish.
    radix: u64,
    /// `true` if players with different numbers of rounds waited always have different penalties.
    are_distinct: bool,
}

impl Waits {
    /// Computes penalties for waiting, larger for longer waits, as multiples of `unit` with a sum below `levels` units.
    /// If there are too many different waits, the shortest ones share a penalty.
    fn new(waited: &[u32], unit: u64, levels: u64) -> Self {
        let mut players_by_wait: BTreeMap<u32, u64> = BTreeMap::new();
        for rounds in waited.iter().filter(|rounds| **rounds > 0) {
            *players_by_wait.entry(*rounds).or_default() += 1;
        }
        let mut waits: Vec<(u32, u64)> = players_by_wait.into_iter().collect();
        let different = waits.len();
        let radix = |waits: &[(u32, u64)], unit| {
            let digits = waits.iter().map(|(_, players)| players + 1);
            digits.fold(unit, u64::saturating_mul)
        };
        while waits.len() > 1 && radix(&waits, 1) >= levels {
            // The two shortest waits merge into the longer one.
            let (_, players) = waits.remove(0);
            waits[0].1 += players;
        }
        let weight = |rounds: &u32| {
            let shorter = waits.iter().filter(|(longest, _)| longest < rounds);
            let weight = shorter.fold(unit, |weight, (_, players)| weight * (players + 1));
            if *rounds == 0 { 0 } else { weight }
        };
        Self {
            weights: waited.iter().map(weight).collect(),
            radix: radix(&waits, unit),
            are_distinct: waits.len() == different,
        }
    }
}
