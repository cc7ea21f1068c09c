//! What became of the wishes.

use super::Problem;
use super::seat::{Seat, Team, is_kept, is_together, moves};
use crate::domain::PlayerId;

/// What a split made of the [`Wishes`](super::Wishes), as seen from its teams alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The least difference that a split of the size can have without any wish but the anchor as it was
    /// asked for, in rating points; `None` where it is not known, because the tables that it takes
    /// exceed the [`Limits`](super::super::Limits).
    pub best_difference: Option<u64>,
    /// How many players change teams; `None` where the current teams were not given. Whoever goes
    /// to the bench or comes from it does not change teams.
    pub moves: Option<usize>,
    /// The parties that are on one team or all wait, those of the best player first, and each by
    /// descending rating.
    pub kept_parties: Vec<Vec<PlayerId>>,
    /// The other parties.
    pub split_parties: Vec<Vec<PlayerId>>,
    /// The pairs who should be apart and are on one team.
    pub together: Vec<[PlayerId; 2]>,
    /// The roles of which the teams have too few.
    pub missing_roles: Vec<MissingRole>,
    /// Newcomers on each team; `None` if no newcomers are shared out.
    pub newcomers: Option<SharedNewcomers>,
    /// Who should play and waits, for want of room.
    pub benched: Vec<PlayerId>,
    /// Who should wait and plays, for want of others.
    pub drafted: Vec<PlayerId>,
    /// The rounds that each of the waiting has waited before, in the order of
    /// [`Split::waiting`](super::split::Split::waiting).
    pub waited: Vec<u32>,
    /// The standard deviation (population) of team a's ratings.
    pub deviation_a: f64,
    /// That of team b's.
    pub deviation_b: f64,
    /// Whether the two best players of the pool (the first two in its order) are not on one team.
    pub top_two_apart: bool,
    /// Whether a recent split had these very teams.
    pub repeats: bool,
}

/// A role of which the teams have too few.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRole {
    /// What it is called.
    pub name: String,
    /// How many players both teams together lack, at least 1.
    pub missing: usize,
}

/// Newcomers on each team, and the cost of sharing them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedNewcomers {
    /// The newcomers on team a.
    pub a: usize,
    /// The newcomers on team b.
    pub b: usize,
    /// Rating points by which the difference of the closest split that shares them so evenly exceeds that of the closest
    /// split that serves the wishes above as well; `None` if unknown.
    pub cost: Option<u64>,
}

impl Outcome {
    /// What `seats`, by player, make of the wishes; the `best_difference` is for the caller to add.
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
