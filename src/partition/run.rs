use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::brief::Brief;
use super::cost::{Cost, Width};
use super::group::{Group, Visit, Wanted};
use super::join::Join;
use super::linked::Linked;
use super::rules::Rules;
use super::split::{Seat, leader_first};
use super::spread::even_out;

/// One run over the sizes that leave the same seats open to the same players.
pub(super) struct Run<'run> {
    pub(super) brief: &'run Brief<'run>,
    pub(super) rules: &'run Rules,
    pub(super) members: &'run [Linked],
    /// What all differences are multiples of.
    pub(super) unit: i64,
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// The split that the prices put first, of those within the tolerance of the least difference.
    Best,
    /// The same with fewer parties split than within the tolerance of the `least` difference (in
    /// units), if their price above it pays for that.
    KeepMore { least: i64 },
}

/// What was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) seats: Vec<Seat>,
    /// The least difference, in units.
    pub(super) least: i64,
    pub(super) cost: u64,
}

impl Run<'_> {
    /// What is found for each of the goals, by size.
    pub(super) fn find(&self, goals: &[(usize, Goal)]) -> BTreeMap<usize, Found> {
        match Width::of(self.rules.prices.total) {
            Width::One => self.find_in::<u8>(goals),
            Width::Two => self.find_in::<i16>(goals),
            Width::Four => self.find_in::<i32>(goals),
        }
    }

    fn find_in<C: Cost>(&self, goals: &[(usize, Goal)]) -> BTreeMap<usize, Found> {
        let everybody: Group<'_, C> = Group::everybody(self.rules, self.members);
        let join = Join::new(&everybody, self.rules.most);
        let found = goals.iter().filter_map(|&(size, goal)| {
            let found = self.find_one(&everybody, &join, size, goal)?;
            Some((size, found))
        });
        found.collect()
    }

    fn find_one<C: Cost>(
        &self,
        everybody: &Group<'_, C>,
        join: &Join<'_, C>,
        size: usize,
        goal: Goal,
    ) -> Option<Found> {
        let prices = &self.rules.prices;
        let in_units = |points: u32| i64::from(points) / self.unit;
        let tolerance = in_units(self.brief.wishes.tolerance);
        let pairs = join.pairs(size);
        let (least, nearest, at_nearest) = match goal {
            Goal::Best => {
                let (least, cost) = match self.rules.slack {
                    // Beyond the slack the tables do not have everything.
                    Some(_) => join.near_difference(&pairs, 0)?,
                    None => join.next_difference(&pairs, 0)?,
                };
                (least, least, Some(cost))
            }
            Goal::KeepMore { least } => {
                let free = join.least_cost(&pairs, least, least + tolerance);
                let dearest = least + in_units(self.brief.wishes.party_price);
                let cost = join.least_cost(&pairs, least, dearest);
                let fewest = prices.parties_split(cost.get());
                if !cost.is_had() || fewest >= prices.parties_split(free.get()) {
                    return None;
                }
                // No more than the parties ask for is paid.
                let as_few = (fewest + 1) * prices.party - 1;
                let nearest = join.least_affordable(&pairs, least, dearest, as_few);
                (least, nearest, None)
            }
        };
        let limit = nearest + tolerance;
        let cost = at_nearest.filter(|_| tolerance == 0);
        let cost = cost.unwrap_or_else(|| join.least_cost(&pairs, least, limit));
        let cost = cost.get();
        let difference = join.least_affordable(&pairs, least, limit, cost);
        let mut seats = self.first(everybody, size, difference, cost, |_| true)?;
        if self.brief.repeats(&seats) {
            let is_new = |seats: &[Seat]| !self.brief.repeats(seats);
            let as_close = (difference..=limit).map(|difference| (difference, cost));
            let as_good = prices.as_good_but_for_spread(cost);
            let less_alike = (least..=limit).map(|difference| (difference, as_good));
            let other = as_close.chain(less_alike).find_map(|(difference, budget)| {
                self.first(everybody, size, difference, budget, is_new)
            });
            seats = other.unwrap_or(seats);
        }
        if self.brief.wishes.spread {
            self.make_alike(&mut seats);
        }
        Some(Found { seats, least, cost })
    }

    /// Makes the teams more alike, where that makes nothing else worse.
    fn make_alike(&self, seats: &mut [Seat]) {
        let prices = &self.rules.prices;
        let cost = prices.of_seats(self.brief, seats);
        let repeats = self.brief.repeats(seats);
        even_out(seats, &self.rules.points, |seats| {
            self.rules.are_open(seats)
                && prices.of_seats(self.brief, seats) <= cost
                && (repeats || !self.brief.repeats(seats))
        });
    }

    /// The first seats with this difference, either way round, for `budget` at most, that
    /// `is_wanted`.
    fn first<C: Cost>(
        &self,
        everybody: &Group<'_, C>,
        size: usize,
        difference: i64,
        budget: u64,
        is_wanted: impl Fn(&[Seat]) -> bool,
    ) -> Option<Vec<Seat>> {
        let mut found = None;
        let _ = self.each(everybody, size, difference, budget, &mut |_, seats| {
            if is_wanted(seats) {
                found = Some(seats.to_vec());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Visits all seats with this difference, either way round, for `budget` at most, until a
    /// visit breaks. Answers what more budget finds more, if any does.
    fn each<C: Cost>(
        &self,
        everybody: &Group<'_, C>,
        size: usize,
        difference: i64,
        budget: u64,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<(), Option<u64>> {
        let mut seats = vec![Seat::Waiting; self.brief.points.len()];
        let missed = Cell::new(u64::MAX);
        let both = [difference, -difference];
        for difference in &both[..if difference == 0 { 1 } else { 2 }] {
            let wanted = Wanted {
                a: size,
                b: size,
                difference: *difference,
                budget,
            };
            everybody.each(wanted, &mut seats, &missed, visit)?;
        }
        ControlFlow::Continue((missed.get() < u64::MAX).then(|| missed.get()))
    }

    /// Up to `count` splits of `size`, by difference and then by what they cost.
    pub(super) fn several(&self, size: usize, count: usize) -> Vec<Vec<Seat>> {
        match Width::of(self.rules.prices.total) {
            Width::One => self.several_in::<u8>(size, count),
            Width::Two => self.several_in::<i16>(size, count),
            Width::Four => self.several_in::<i32>(size, count),
        }
    }

    fn several_in<C: Cost>(&self, size: usize, count: usize) -> Vec<Vec<Seat>> {
        let everybody: Group<'_, C> = Group::everybody(self.rules, self.members);
        let join = Join::new(&everybody, self.rules.most);
        let pairs = join.pairs(size);
        let mut found: Vec<Vec<Seat>> = Vec::new();
        let mut floor = 0;
        while let Some((difference, cost)) = join.next_difference(&pairs, floor) {
            let mut budget = cost.get();
            loop {
                let flow = self.each(&everybody, size, difference, budget, &mut |_, seats| {
                    let seats = leader_first(seats);
                    if !found.contains(&seats) {
                        found.push(seats);
                    }
                    if found.len() < count {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                });
                match flow {
                    ControlFlow::Break(()) => return found,
                    ControlFlow::Continue(Some(more)) => budget += more,
                    ControlFlow::Continue(None) => break,
                }
            }
            floor = difference + 1;
        }
        found
    }
}
