use std::collections::HashMap;

use super::outcome::Outcome;
use super::pool::Pool;
use super::split::{Seat, leader_first};
use super::wishes::{Current, Wishes};
use crate::domain::PlayerId;

/// The wishes about one pool, players by their index in it. Whoever is not in the pool is gone.
#[derive(Clone, Debug)]
pub(super) struct Brief<'given> {
    pub(super) pool: &'given Pool,
    pub(super) wishes: &'given Wishes,
    /// The ratings in points.
    pub(super) points: Vec<i64>,
    /// Where each player stands at present, if that was said; the best of those who play on A, so
    /// that it does not matter which team was sent as which.
    pub(super) current: Option<Vec<Seat>>,
    /// The parties of which two or more are here, ascending within.
    pub(super) parties: Vec<Vec<usize>>,
    /// The pairs apart, the better player first, each once.
    pub(super) apart: Vec<(usize, usize)>,
    pub(super) must_play: Vec<bool>,
    pub(super) must_wait: Vec<bool>,
    pub(super) waited: Vec<u32>,
    /// The seats of the splits not to repeat.
    pub(super) recent: Vec<Vec<Seat>>,
    /// Who always plays (F7): the best of those who are not told to wait; nobody where the anchor
    /// is waived or everybody is to wait.
    pub(super) anchor: Option<usize>,
}

impl<'given> Brief<'given> {
    pub(super) fn new(pool: &'given Pool, wishes: &'given Wishes) -> Self {
        let places: HashMap<PlayerId, usize> = (0..)
            .zip(pool.players())
            .map(|(index, player)| (player.id, index))
            .collect();
        let place = |id: &PlayerId| places.get(id).copied();
        let flags = |ids: &[PlayerId]| {
            let mut flags = vec![false; pool.len()];
            for index in ids.iter().filter_map(place) {
                flags[index] = true;
            }
            flags
        };
        let seats = |teams: &Current| {
            let (a, b) = (flags(&teams.a), flags(&teams.b));
            let seat = |(a, b)| match (a, b) {
                (true, false) => Seat::A,
                (false, true) => Seat::B,
                _ => Seat::Waiting,
            };
            a.into_iter().zip(b).map(seat).collect::<Vec<Seat>>()
        };
        let parties = wishes.parties.iter().map(|party| {
            let mut members: Vec<usize> = party.iter().filter_map(place).collect();
            members.sort_unstable();
            members
        });
        let apart = wishes.apart.iter().filter_map(|[one, other]| {
            let (one, other) = (place(one)?, place(other)?);
            (one != other).then(|| (one.min(other), one.max(other)))
        });
        let mut apart: Vec<(usize, usize)> = apart.collect();
        apart.sort_unstable();
        apart.dedup();
        let mut waited = vec![0; pool.len()];
        for (id, rounds) in &wishes.waited {
            if let Some(index) = place(id) {
                waited[index] = *rounds;
            }
        }
        let must_wait = flags(&wishes.must_wait);
        let anchor = must_wait.iter().position(|waits| !waits);
        Self {
            pool,
            wishes,
            points: pool.points(),
            current: wishes
                .current
                .as_ref()
                .map(|teams| leader_first(&seats(teams))),
            parties: parties.filter(|members| members.len() > 1).collect(),
            apart,
            must_play: flags(&wishes.must_play),
            must_wait,
            waited,
            recent: wishes.recent.iter().map(seats).collect(),
            anchor: anchor.filter(|_| wishes.anchor),
        }
    }

    /// The ids of these players.
    fn ids(&self, indices: impl IntoIterator<Item = usize>) -> Vec<PlayerId> {
        let players = self.pool.players();
        indices.into_iter().map(|index| players[index].id).collect()
    }

    /// What `seats`, by player, make of the wishes; `best_difference` is for the caller to know.
    pub(super) fn outcome(&self, seats: &[Seat], best_difference: u64) -> Outcome {
        let everybody = 0..seats.len();
        let waiting = |index: &usize| seats[*index] == Seat::Waiting;
        let (kept, split): (Vec<_>, Vec<_>) =
            self.parties.iter().partition(|party| is_kept(party, seats));
        let parties = |parties: Vec<&Vec<usize>>| -> Vec<Vec<PlayerId>> {
            let ids = |party: &Vec<usize>| self.ids(party.iter().copied());
            parties.into_iter().map(ids).collect()
        };
        let together = self.apart.iter().filter(|pair| is_together(**pair, seats));
        Outcome {
            best_difference,
            moves: self.current.as_ref().map(|from| moves(from, seats)),
            kept_parties: parties(kept),
            split_parties: parties(split),
            together: together
                .map(|&(one, other)| {
                    let players = self.pool.players();
                    [players[one].id, players[other].id]
                })
                .collect(),
            benched: self.ids(
                everybody
                    .clone()
                    .filter(|index| self.must_play[*index] && waiting(index)),
            ),
            drafted: self.ids(
                everybody
                    .clone()
                    .filter(|index| self.must_wait[*index] && !waiting(index)),
            ),
            waited: everybody
                .filter(waiting)
                .map(|index| self.waited[index])
                .collect(),
            deviation_a: self.deviation(seats, Seat::A),
            deviation_b: self.deviation(seats, Seat::B),
            top_two_apart: seats.len() < 2 || !is_together((0, 1), seats),
            repeats: self.repeats(seats),
        }
    }

    /// Whether a recent split had the teams of `seats`, whichever way round.
    pub(super) fn repeats(&self, seats: &[Seat]) -> bool {
        self.recent.iter().any(|recent| {
            recent == seats
                || recent
                    .iter()
                    .zip(seats)
                    .all(|(&recent, &seat)| recent == seat.opposite())
        })
    }

    /// The population standard deviation of the ratings in a seat, 0 where there is nobody.
    fn deviation(&self, seats: &[Seat], team: Seat) -> f64 {
        let members = || {
            let everybody = self.points.iter().zip(seats);
            everybody
                .filter(|(_, seat)| **seat == team)
                .map(|(points, _)| *points)
        };
        let count = members().count().max(1);
        #[expect(
            clippy::cast_precision_loss,
            reason = "sums of at most 128 ratings stay far below 2^53"
        )]
        let (count, sum) = (count as f64, members().sum::<i64>() as f64);
        let mean = sum / count;
        #[expect(clippy::cast_precision_loss, reason = "ratings are small")]
        let squares: f64 = members().map(|points| (points as f64 - mean).powi(2)).sum();
        (squares / count).sqrt()
    }
}

/// Whether a party is on one team or waits as one.
pub(super) fn is_kept(party: &[usize], seats: &[Seat]) -> bool {
    party
        .windows(2)
        .all(|pair| seats[pair[0]] == seats[pair[1]])
}

/// Whether two players are on one team.
pub(super) fn is_together((one, other): (usize, usize), seats: &[Seat]) -> bool {
    seats[one] == seats[other] && seats[one] != Seat::Waiting
}

/// How many players change teams between two seatings; the sides are interchangeable, so the way
/// round that moves fewer counts.
pub(super) fn moves(from: &[Seat], to: &[Seat]) -> usize {
    let pairs = || from.iter().zip(to);
    let changed = pairs().filter(|(from, to)| **from != Seat::Waiting && **to == from.opposite());
    let stayed = pairs().filter(|(from, to)| **from != Seat::Waiting && to == from);
    changed.count().min(stayed.count())
}
