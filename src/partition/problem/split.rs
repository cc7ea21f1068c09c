//! A split of the pool.

use super::Problem;
use super::outcome::Outcome;
use super::pool::Candidate;
use super::seat::{Seat, difference, leader_first};
use crate::domain::SplitMethod;

/// Two disjoint teams of equal size and the players who wait (F7); of an odd number of whom nobody may
/// wait, one team has a player more.
///
/// The best player who plays, the first of them in the pool, is always in team a, unless one side is ahead
/// ([`Handicap`](super::handicap::Handicap)) and the other way round is nearer to even. Within `a`, `b` and
/// `waiting` players stand in the order of the pool, by descending rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// k: the number of players of each team, of the smaller one where they differ, at least 1.
    pub size: usize,
    /// Team a, the best who plays first.
    pub a: Vec<Candidate>,
    /// Team b.
    pub b: Vec<Candidate>,
    /// Everybody else in the pool.
    pub waiting: Vec<Candidate>,
    /// Σ_A, in rating points.
    pub sum_a: i64,
    /// Σ_B, in rating points.
    pub sum_b: i64,
    /// How far it is from even, in rating points: |Σ_A - Σ_B|, and with a handicap |Σ_A - Σ_B + lean|, of the team
    /// with a player more less what that takes away.
    pub difference: u64,
    /// How the split was found.
    pub method: SplitMethod,
    /// Whether it is proven that no split of this size is better: closer or, where wishes trade
    /// that, better at serving them in their order. Without wishes a difference of 0 proves itself,
    /// whatever the method. The likeness of the teams is no part of it.
    pub optimal: bool,
    /// What became of the wishes.
    pub outcome: Outcome,
}

impl Split {
    /// The split that seats the players, in the pool's order, as `seats` says, found by swaps.
    pub(crate) fn greedy(problem: &Problem<'_>, seats: &[Seat]) -> Self {
        let handicap = problem.pool.handicap();
        let mut seats = leader_first(seats);
        let lead = difference(&seats, &problem.points);
        if (handicap.lean - lead).abs() < (handicap.lean + lead).abs() {
            for seat in &mut seats {
                *seat = seat.opposite();
            }
        }
        let team = |wanted: Seat| -> Vec<Candidate> {
            let everybody = problem.pool.players().iter().zip(&seats);
            let there = everybody.filter(|&(_, &seat)| seat == wanted);
            there.map(|(&player, _)| player).collect()
        };
        let sum = |team: &[Candidate]| -> i64 {
            let points = team.iter().map(|player| i64::from(player.rating.points()));
            points.sum()
        };
        let (a, b) = (team(Seat::A), team(Seat::B));
        let (sum_a, sum_b) = (sum(&a), sum(&b));
        let difference = problem.distance(lead).unsigned_abs();
        let outcome = Outcome::new(problem, &seats);
        Self {
            size: a.len().min(b.len()),
            a,
            b,
            waiting: team(Seat::Waiting),
            sum_a,
            sum_b,
            difference,
            method: SplitMethod::Greedy,
            optimal: difference == 0
                && problem.wishes.are_none()
                && (outcome.top_two_apart || !problem.wishes.spread),
            outcome,
        }
    }

    /// The same, found by dynamic programming.
    pub(crate) fn exact(problem: &Problem<'_>, seats: &[Seat], optimal: bool) -> Self {
        Self {
            method: SplitMethod::Exact,
            optimal,
            ..Self::greedy(problem, seats)
        }
    }
}
