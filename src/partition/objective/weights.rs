//! Lexicographic weights: all wishes in one number.

use super::waits::Waits;
use crate::partition::problem::Problem;
use crate::partition::problem::newcomers::Newcomers;
use crate::partition::problem::seat::{Seat, is_kept, is_together};

/// Sums of weights stay below this, so that a 32-bit cost holds them.
pub(crate) const LIMIT: u64 = 1 << 29;

/// Which wish comes first where both cannot be served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Turns on the bench before parties, as among splits that are equally close.
    TurnsFirst,
    /// Parties before turns, as where a party's price is paid.
    PartiesFirst,
}

/// The weight of each unserved wish in the cost of a split.
///
/// The weights are lexicographic: one of a more important wish exceeds all of the less important
/// ones together, so the split of least cost serves the wishes in their order. A cost is thus a
/// number of several digits, one for each kind of wish, each with a radix of its own.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// By player: of waiting once more.
    wait: Vec<u64>,
    /// By player: the seat that is a move, if there is one.
    moved: Vec<Option<Seat>>,
    /// Of one player's move.
    moving: u64,
    /// The pairs who should be apart, the better player first, and the weight of each.
    pub(crate) apart: Vec<(usize, usize, u64)>,
    /// Of one player whom a team lacks in a role.
    pub(crate) role: u64,
    /// How many of the roles count.
    pub(crate) roles: usize,
    /// Cost of each newcomer whom a team has in excess; 0 if newcomers do not count.
    pub(crate) newcomer: u64,
    /// Of one split party.
    pub(crate) party: u64,
    /// The number of parties, and one: the radix of their digit.
    parties: u64,
    /// Whether no two different waits have the same weight.
    pub(crate) waits_are_distinct: bool,
    /// More than all of them together.
    pub(crate) total: u64,
}

impl Weights {
    /// The weights in this order where only the first `links` of the problem count, newcomers being the last.
    pub(crate) fn new(problem: &Problem<'_>, order: Order, links: usize) -> Self {
        let players = problem.points.len();
        // The two best on one team: the least of all wishes.
        let top_two = (problem.wishes.spread && players > 1).then_some((0, 1, 1));
        let moving = 1 + u64::from(top_two.is_some());
        let moved: Vec<Option<Seat>> = match &problem.current {
            None => vec![None; players],
            Some(seats) => seats
                .iter()
                .map(|seat| (*seat != Seat::Waiting).then(|| seat.opposite()))
                .collect(),
        };
        // Of both ways round, one moves at most half of the players, and only that one counts.
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

    /// What it costs that `player` takes `seat`, whoever else sits where.
    pub(crate) fn of_seat(&self, player: usize, seat: Seat) -> u64 {
        let is_move = self.moved[player] == Some(seat);
        let waits = seat == Seat::Waiting;
        u64::from(is_move) * self.moving + u64::from(waits) * self.wait[player]
    }

    /// How many parties are split where all wishes cost `cost`.
    pub(crate) fn parties_split(&self, cost: u64) -> u64 {
        cost / self.party % self.parties
    }

    /// The most that seats cost which are no worse than those for `cost` in any wish above the two best
    /// players being apart.
    pub(crate) fn as_good_but_for_spread(&self, cost: u64) -> u64 {
        most_of_digit(cost, self.moving)
    }

    /// Returns the greatest cost that is as good as `cost` in every wish down to the newcomers, if these count.
    pub(crate) fn as_good_with_newcomers(&self, cost: u64) -> Option<u64> {
        (self.newcomer > 0).then(|| most_of_digit(cost, self.newcomer))
    }

    /// Returns the greatest cost that is as good as `cost` in every wish above the newcomers.
    pub(crate) fn as_good_but_for_newcomers(&self, cost: u64) -> u64 {
        most_of_digit(cost, self.role)
    }

    /// What all seats cost together.
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

/// The greatest cost that differs from `cost` only in what less than `digit` counts.
fn most_of_digit(cost: u64, digit: u64) -> u64 {
    cost - cost % digit + digit - 1
}
