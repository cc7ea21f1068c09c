//! Report on which wishes a split serves.

use super::Problem;
use super::seat::{Seat, Team, is_kept, is_together, moves};
use crate::domain::PlayerId;

/// Report on how well a split serves the [`Wishes`](super::Wishes), derived from its teams alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Minimum difference of rating sums for this team size without any wish but the requested anchor, in points.
    /// `None` if unknown, because the tables exceed the [`Limits`](super::super::Limits).
    pub best_difference: Option<u64>,
    /// Number of players who change teams, or `None` if the current teams are unknown. Moves to and from the bench
    /// do not count.
    pub moves: Option<usize>,
    /// Parties that play on one team or all wait. Parties are ordered by their best player, members by descending
    /// rating.
    pub kept_parties: Vec<Vec<PlayerId>>,
    /// Parties whose members neither all play on one team nor all wait, in the same order as `kept_parties`.
    pub split_parties: Vec<Vec<PlayerId>>,
    /// Pairs of players who should be apart but are on one team.
    pub together: Vec<[PlayerId; 2]>,
    /// Roles for which the teams lack players.
    pub missing_roles: Vec<MissingRole>,
    /// Newcomers on each team; `None` if no newcomers are shared out.
    pub newcomers: Option<SharedNewcomers>,
    /// Players who should play but wait, because the teams are full.
    pub benched: Vec<PlayerId>,
    /// Players who should wait but play, because the teams need them.
    pub drafted: Vec<PlayerId>,
    /// Number of rounds in a row that each waiting player has waited before, in the order of
    /// [`Split::waiting`](super::split::Split::waiting).
    pub waited: Vec<u32>,
    /// Population standard deviation of team a's ratings, in points.
    pub deviation_a: f64,
    /// Population standard deviation of team b's ratings, in points.
    pub deviation_b: f64,
    /// `true` unless the two best players (the first two of the pool) are on one team.
    pub top_two_apart: bool,
    /// `true` if a recent split had exactly these teams.
    pub repeats: bool,
}

/// A role for which the teams lack players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRole {
    /// Name of the role.
    pub name: String,
    /// Number of players that both teams together lack for the role, at least 1.
    pub missing: usize,
}

/// Newcomers on each team, and the cost of sharing them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedNewcomers {
    /// Number of newcomers on team a.
    pub a: usize,
    /// Number of newcomers on team b.
    pub b: usize,
    /// Rating points that sharing newcomers evenly adds to the difference, compared with the closest split that serves
    /// all more important wishes as well. `None` if unknown.
    pub cost: Option<u64>,
}

impl Outcome {
    /// Derives the report on a split from `seats` by player. The caller fills in `best_difference`.
    pub(crate) fn new(problem: &Problem<'_>, seats: &[Seat]) -> Self {
        let players = problem.pool.players();
        let ids = |indices: &[usize]| -> Vec<PlayerId> {
            indices.iter().map(|&index| players[index].id).collect()
        };
        let parties = |kept: bool| {
            let parties = problem
                .parties
                .iter()
                .filter(|party| is_kept(party, seats) == kept);
            parties.map(|party| ids(party)).collect()
        };
        let flagged = |flags: &[bool], waits: bool| -> Vec<PlayerId> {
            let everybody = 0..seats.len();
            let flagged =
                everybody.filter(|&index| flags[index] && (seats[index] == Seat::Waiting) == waits);
            ids(&flagged.collect::<Vec<usize>>())
        };
        let together = problem
            .apart
            .iter()
            .filter(|pair| is_together(**pair, seats));
        let roles = problem
            .wishes
            .roles
            .iter()
            .enumerate()
            .map(|(number, role)| MissingRole {
                name: role.name.clone(),
                missing: if problem.roles[number].0.is_empty() {
                    2 * role.each
                } else {
                    problem.missing(number, seats)
                },
            });
        let waiting = seats
            .iter()
            .zip(&problem.waited)
            .filter(|(seat, _)| **seat == Seat::Waiting);
        let shared = problem.newcomers.as_ref().map(|newcomers| {
            let (a, b) = newcomers.on_teams(seats);
            SharedNewcomers { a, b, cost: None }
        });
        let [a, b, _] = Team::all(seats, &problem.points);
        Self {
            best_difference: None,
            moves: problem.current.as_ref().map(|from| moves(from, seats)),
            kept_parties: parties(true),
            split_parties: parties(false),
            together: together
                .map(|&(one, other)| [players[one].id, players[other].id])
                .collect(),
            missing_roles: roles.filter(|role| role.missing > 0).collect(),
            newcomers: shared,
            benched: flagged(&problem.must_play, true),
            drafted: flagged(&problem.must_wait, false),
            waited: waiting.map(|(_, rounds)| *rounds).collect(),
            deviation_a: a.deviation(),
            deviation_b: b.deviation(),
            top_two_apart: seats.len() < 2 || !is_together((0, 1), seats),
            repeats: problem.repeats(seats),
        }
    }
}
