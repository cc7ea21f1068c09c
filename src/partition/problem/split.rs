//! Split of the present players into two teams and a waiting group.

use super::Problem;
use super::outcome::Outcome;
use super::pool::{Candidate, Pool};
use super::seat::{Seat, difference, leader_first};
use super::wishes::Wishes;
use crate::domain::{PlayerId, SplitMethod};

/// Two disjoint teams of equal size, and the waiting players (F7). If nobody may wait, one team of an odd number of
/// players has one player more.
///
/// The best player who plays is on team a. With a [`Handicap`](crate::domain::Handicap), this player is on team b if
/// those sides are closer to even. Players in `a`, `b` and `waiting` are listed by descending rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// Number of players per team, k, at least 1. For teams of different sizes, the smaller number.
    pub size: usize,
    /// Players of team a, by descending rating.
    pub a: Vec<Candidate>,
    /// Players of team b, by descending rating.
    pub b: Vec<Candidate>,
    /// Players on neither team, by descending rating.
    pub waiting: Vec<Candidate>,
    /// Rating sum of team a, Σ_A.
    pub sum_a: i64,
    /// Rating sum of team b, Σ_B.
    pub sum_b: i64,
    /// Distance of the teams from even, in rating points: |Σ_A - Σ_B|, or |Σ_A - Σ_B + lean| with a handicap that
    /// gives team a `lean` points. The points for one extra player are first subtracted from the larger team.
    pub difference: u64,
    /// Algorithm that found the split.
    pub method: SplitMethod,
    /// `true` if it is proven that no split of this size is closer, or as close and better at serving the wishes in
    /// their order. Without wishes, a difference of 0 is proof enough. The similarity of the teams' spreads is not
    /// part of the proof.
    pub optimal: bool,
    /// Report on how well the split serves the wishes.
    pub outcome: Outcome,
}

impl Split {
    /// Creates a split that the greedy search found, from the seat of each player, by descending rating.
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

    /// Returns the split of the same players in which `team` plays against the others.
    ///
    /// `pool` and `wishes` must be those that this split was made of.
    #[must_use]
    pub fn with_team(&self, pool: &Pool, wishes: &Wishes, team: &[PlayerId]) -> Self {
        let problem = Problem::new(pool, wishes);
        let waits = |id| self.waiting.iter().any(|waiting| waiting.id == id);
        let seats: Vec<Seat> = pool
            .players()
            .iter()
            .map(|player| match player.id {
                id if team.contains(&id) => Seat::A,
                id if waits(id) => Seat::Waiting,
                _ => Seat::B,
            })
            .collect();
        Self::greedy(&problem, &seats)
    }

    pub(crate) fn exact(problem: &Problem<'_>, seats: &[Seat], optimal: bool) -> Self {
        Self {
            method: SplitMethod::Exact,
            optimal,
            ..Self::greedy(problem, seats)
        }
    }
}
