//! Enumeration of all splits, for small pools whose wishes link so many players that tables are too large.

use crate::partition::dp::search::{Teams, Visit};
use crate::partition::problem::seat::Seat;

/// Maximum number of players for whom all splits are enumerated, some thousand per team size.
pub(crate) const MAX_PLAYERS: usize = 11;

#[derive(Debug)]
pub(crate) struct Enumeration {
    splits: Vec<Listed>,
}

#[derive(Debug)]
struct Listed {
    /// Distance of the teams' rating sums from even, in the unit of the ratings: 0 if exactly even.
    difference: i64,
    cost: u64,
    seats: Vec<Seat>,
}

impl Enumeration {
    /// Lists every split with one of these `counts` of players on A and on B, given the `open` seats by player.
    pub(crate) fn new(
        open: &[&[Seat]],
        counts: &[(usize, usize)],
        distance: impl Fn(&[Seat]) -> i64,
        cost: impl Fn(&[Seat]) -> u64,
    ) -> Self {
        let list = |seats: Vec<Seat>| Listed {
            difference: distance(&seats),
            cost: cost(&seats),
            seats,
        };
        let all = all_seats(open, counts).into_iter();
        Self {
            splits: all.map(list).collect(),
        }
    }

    fn affordable(&self, difference: i64, budget: u64) -> impl Iterator<Item = &Listed> {
        self.splits
            .iter()
            .filter(move |one| one.difference == difference && one.cost <= budget)
    }
}

/// Returns every choice of open seats by player that makes teams with one of these numbers of players on A and on B.
fn all_seats(open: &[&[Seat]], counts: &[(usize, usize)]) -> Vec<Vec<Seat>> {
    let count = |seats: &[Seat]| {
        let on = |team| seats.iter().filter(|seat| **seat == team).count();
        (on(Seat::A), on(Seat::B))
    };
    let mut all = vec![Vec::with_capacity(open.len())];
    for seats in open {
        let extended = all.iter().flat_map(|before: &Vec<Seat>| {
            seats
                .iter()
                .map(|seat| [before.as_slice(), &[*seat]].concat())
        });
        all = extended.collect();
        all.retain(|seats| {
            let (a, b) = count(seats);
            counts
                .iter()
                .any(|(all_a, all_b)| a <= *all_a && b <= *all_b)
        });
    }
    all.retain(|seats| counts.contains(&count(seats)));
    all
}

impl Teams for Enumeration {
    fn least_cost(&self, floor: i64, limit: i64) -> Option<u64> {
        let splits = self.splits.iter();
        let near = splits.filter(|one| (floor..=limit).contains(&one.difference));
        near.map(|one| one.cost).min()
    }

    fn count_at_least(&self, difference: i64, budget: u64, limit: usize) -> usize {
        self.affordable(difference, budget).take(limit).count()
    }

    fn each(&self, difference: i64, budget: u64, visit: &mut Visit<'_>) -> Option<u64> {
        let mut splits = self.affordable(difference, budget);
        if splits.try_for_each(|one| visit(&one.seats)).is_break() {
            return None;
        }
        let all = self.affordable(difference, u64::MAX);
        all.filter_map(|one| one.cost.checked_sub(budget))
            .filter(|missed| *missed > 0)
            .min()
    }
}
