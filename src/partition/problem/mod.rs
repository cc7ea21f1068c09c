//! Input and output of a computation of splits: the pool, the wishes and the resulting splits.

pub(crate) mod newcomers;
pub(crate) mod outcome;
pub(crate) mod pool;
pub(crate) mod seat;
pub(crate) mod split;
pub(crate) mod wishes;

use std::collections::HashMap;

use crate::domain::PlayerId;
use newcomers::Newcomers;
use pool::Pool;
use seat::{Seat, is_together, leader_first};
use wishes::{Current, Wishes};

/// A pool and the wishes about it, with players as indices into the pool. Wishes about other players are dropped.
#[derive(Clone, Debug)]
pub(crate) struct Problem<'given> {
    pub(crate) pool: &'given Pool,
    pub(crate) wishes: &'given Wishes,
    /// Rating by player, in points. For teams of different sizes, less the handicap's points for an extra player.
    pub(crate) points: Vec<i64>,
    /// `true` if one team has one player more than the other.
    pub(crate) is_uneven: bool,
    /// Current seat by player, if the current teams are known. The best seated player is on A, because the order of
    /// the current teams does not matter.
    pub(crate) current: Option<Vec<Seat>>,
    /// Parties with at least two members in the pool, as player indices; parties and members ascending.
    pub(crate) parties: Vec<Vec<usize>>,
    /// Pairs of players to keep apart, without duplicates, ascending; the better player is first in each pair.
    pub(crate) apart: Vec<(usize, usize)>,
    /// For each role, the players who can take the role, ascending, and the minimum per team: 0 if no player of the
    /// pool can take the role.
    pub(crate) roles: Vec<(Vec<usize>, usize)>,
    /// Newcomers to share evenly between the teams, if sharing them may cost points.
    pub(crate) newcomers: Option<Newcomers>,
    pub(crate) must_play: Vec<bool>,
    pub(crate) must_wait: Vec<bool>,
    /// Number of rounds in a row that each player has waited, by player.
    pub(crate) waited: Vec<u32>,
    /// Seats by player of each past split that should not be repeated.
    pub(crate) recent: Vec<Vec<Seat>>,
    /// Index of the highest-rated player, who plays (the anchor); `None` if waived or if this player should wait.
    pub(crate) anchor: Option<usize>,
}

impl<'given> Problem<'given> {
    pub(crate) fn new(pool: &'given Pool, wishes: &'given Wishes) -> Self {
        let indices: HashMap<PlayerId, usize> = (0..)
            .zip(pool.players())
            .map(|(index, player)| (player.id, index))
            .collect();
        let index = |id: &PlayerId| indices.get(id).copied();
        let flags = |ids: &[PlayerId]| {
            let mut flags = vec![false; pool.len()];
            for index in ids.iter().filter_map(index) {
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
        let members = |ids: &[PlayerId]| {
            let mut members: Vec<usize> = ids.iter().filter_map(index).collect();
            members.sort_unstable();
            members
        };
        let mut parties: Vec<Vec<usize>> = wishes
            .parties
            .iter()
            .map(|party| members(party))
            .filter(|members| members.len() > 1)
            .collect();
        let roles = wishes.roles.iter().map(|role| {
            let members = members(&role.players);
            let each = if members.is_empty() { 0 } else { role.each };
            (members, each)
        });
        parties.sort_unstable();
        let pair = |[one, other]: &[PlayerId; 2]| {
            let (one, other) = (index(one)?, index(other)?);
            (one != other).then(|| (one.min(other), one.max(other)))
        };
        let mut apart: Vec<(usize, usize)> = wishes.apart.iter().filter_map(pair).collect();
        apart.sort_unstable();
        apart.dedup();
        let mut waited = vec![0; pool.len()];
        for (id, rounds) in &wishes.waited {
            if let Some(index) = index(id) {
                waited[index] = *rounds;
            }
        }
        let must_wait = flags(&wishes.must_wait);
        let may_play = must_wait.first().is_some_and(|waits| !waits);
        let current = wishes.current.as_ref().map(seats);
        let is_shared = wishes.newcomers_price > 0;
        let newcomers = is_shared.then(|| Newcomers::new(flags(&wishes.newcomers), &parties));
        let is_uneven = !wishes.bench && !pool.len().is_multiple_of(2);
        let handicap = if is_uneven {
            pool.handicap().extra_player
        } else {
            0
        };
        let ratings = pool.players().iter().map(|player| player.rating.points());
        Self {
            pool,
            wishes,
            is_uneven,
            points: ratings.map(|points| i64::from(points) - handicap).collect(),
            current: current.map(|seats| leader_first(&seats)),
            parties,
            apart,
            roles: roles.collect(),
            newcomers: newcomers.flatten(),
            must_play: flags(&wishes.must_play),
            must_wait,
            waited,
            recent: wishes.recent.iter().map(seats).collect(),
            anchor: (wishes.anchor && may_play).then_some(0),
        }
    }

    pub(crate) fn sizes(&self) -> Vec<usize> {
        let sizes = self.wishes.sizes.as_ref();
        let is_asked_for = |size: &usize| {
            let is_of_all = self.wishes.bench || *size == self.points.len() / 2;
            is_of_all && sizes.is_none_or(|sizes| sizes.contains(size))
        };
        self.pool.sizes().filter(is_asked_for).collect()
    }

    /// Returns the possible numbers of players on A and on B; of different sizes, either may be the larger one.
    pub(crate) fn team_counts(&self, size: usize) -> Vec<(usize, usize)> {
        if self.is_uneven {
            vec![(size, size + 1), (size + 1, size)]
        } else {
            vec![(size, size)]
        }
    }

    pub(crate) fn distance(&self, difference: i64) -> i64 {
        self.pool.handicap().distance(difference)
    }

    /// Returns the number of pairs of players to keep apart plus the number of wished roles.
    pub(crate) fn links(&self) -> usize {
        self.apart.len() + self.roles.len()
    }

    /// Returns the number of pairs to keep apart and wished roles, plus one if the teams share newcomers evenly.
    pub(crate) fn links_with_newcomers(&self) -> usize {
        self.links() + usize::from(self.newcomers.is_some())
    }

    /// Returns the number of players that both teams together lack in a role.
    pub(crate) fn missing(&self, role: usize, seats: &[Seat]) -> usize {
        let (members, each) = &self.roles[role];
        let on = |team| {
            members
                .iter()
                .filter(|member| seats[**member] == team)
                .count()
        };
        each.saturating_sub(on(Seat::A)) + each.saturating_sub(on(Seat::B))
    }

    /// Returns `true` if `seats` serve all pairs apart, roles and newcomers, except the first `first` of these.
    pub(crate) fn serves_links(&self, first: usize, seats: &[Seat]) -> bool {
        let mut apart = self.apart.iter().skip(first);
        let mut roles = first.saturating_sub(self.apart.len())..self.roles.len();
        let mut newcomers = self
            .newcomers
            .iter()
            .skip(first.saturating_sub(self.links()));
        !apart.any(|pair| is_together(*pair, seats))
            && roles.all(|role| self.missing(role, seats) == 0)
            && newcomers.all(|newcomers| newcomers.excess_of(seats) == 0)
    }

    /// Returns `true` if a recent split had the teams of `seats`, in either order.
    pub(crate) fn repeats(&self, seats: &[Seat]) -> bool {
        let is_mirrored = |recent: &[Seat]| {
            let mut pairs = recent.iter().zip(seats);
            pairs.all(|(recent, seat)| *recent == seat.opposite())
        };
        let mut recent = self.recent.iter();
        recent.any(|recent| recent == seats || is_mirrored(recent))
    }
}
