use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::brief::Brief;
use super::chain::Chain;
use super::cost::{Cost, Width};
use super::half::Aside;
use super::hidden::MANY_SEATS;
use super::join::{Cheapest, Join, Teams};
use super::layout::Layout;
use super::prices::Prices;
use super::rules::Rules;
use super::split::{Seat, leader_first};
use super::spread::make_alike;

/// One run over the sizes that leave the same seats open to the same players.
pub(super) struct Run<'run> {
    pub(super) brief: &'run Brief<'run>,
    /// The prices of these may tell less than all wishes apart.
    pub(super) rules: Rules,
    /// Those that tell all apart.
    pub(super) exact: &'run Prices,
    /// All players, as they may be seated by the rules.
    pub(super) members: Vec<Chain>,
    /// Where the lower half of them begins; in each half, those who are linked stand first.
    pub(super) cut: usize,
    /// Of the tables of the upper half and the lower.
    pub(super) layouts: [Layout; 2],
    /// How wide the costs of the tables are.
    pub(super) width: Width,
    /// What all differences are multiples of.
    pub(super) unit: i64,
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Of what size.
    pub(super) size: usize,
    /// The least difference, in units, that there is.
    pub(super) least: i64,
    /// Which splits of that size.
    pub(super) choice: Choice,
}

/// Which splits are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Those that the prices put first, of all within the tolerance of the least difference.
    Best,
    /// The same with fewer parties split than within the tolerance of the least difference, if
    /// their price above it pays for that.
    KeepMore,
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
    /// What is found for each of the goals, by size; nothing where it costs too much for the width.
    pub(super) fn find(&self, goals: &[Goal]) -> BTreeMap<usize, Found> {
        match self.width {
            Width::One => self.find_in::<u8>(goals),
            Width::Two => self.find_in::<i16>(goals),
            Width::Four => self.find_in::<i32>(goals),
        }
    }

    fn find_in<C: Cost>(&self, goals: &[Goal]) -> BTreeMap<usize, Found> {
        let join = Join::<C>::new(self);
        let patience = Cell::new(MANY_SEATS);
        let found = goals.iter().filter_map(|goal| {
            let found = self.find_one(&join, goal, &patience)?;
            Some((goal.size, found))
        });
        found.collect()
    }

    fn find_one<C: Cost>(
        &self,
        join: &Join<'_, C>,
        goal: &Goal,
        patience: &Cell<u64>,
    ) -> Option<Found> {
        let prices = &self.rules.prices;
        let Goal {
            size,
            least,
            choice,
        } = *goal;
        let tolerance = self.in_units(self.brief.wishes.tolerance);
        let teams = Teams::new(join, size);
        let nearest = match choice {
            Choice::Best => least,
            Choice::KeepMore => self.nearest_that_keeps_more(&teams, least)?,
        };
        let limit = nearest + tolerance;
        let Cheapest { cost, at } = teams.least_cost(nearest, limit)?;
        let as_good = prices.as_good_but_for_spread(cost);
        if !teams.tell(as_good) {
            return None;
        }
        let difference = teams.least_affordable(nearest, limit, cost);
        let mut seats = self.first(&teams, at, difference, cost, |_| true)?;
        if let Some(budget) = prices.hidden(self.brief, &seats) {
            seats = self.best_within(&teams, at, nearest..=limit, budget, seats, patience)?;
        } else if self.brief.repeats(&seats) {
            let exactly = self.exact.of_seats(self.brief, &seats);
            let as_close = teams.affordable(difference..=limit, cost);
            let as_close = as_close.map(|difference| (difference, cost, exactly));
            let less_alike = teams.affordable(nearest..=limit, as_good);
            let exactly = self.exact.as_good_but_for_spread(exactly);
            let less_alike = less_alike.map(|difference| (difference, as_good, exactly));
            let mut others = as_close.chain(less_alike);
            let other = others.find_map(|(difference, budget, exactly)| {
                self.first(&teams, at, difference, budget, |seats| {
                    !self.brief.repeats(seats) && self.exact.of_seats(self.brief, seats) <= exactly
                })
            });
            seats = other.unwrap_or(seats);
        }
        if self.brief.wishes.spread {
            make_alike(&mut seats, self.brief, self.exact, &self.rules.seats);
        }
        let cost = self.exact.of_seats(self.brief, &seats);
        Some(Found { seats, least, cost })
    }

    /// The least difference with as few parties split as the price of parties above the `least`
    /// difference pays for, if it has to pay.
    fn nearest_that_keeps_more<C: Cost>(&self, teams: &Teams<'_, C>, least: i64) -> Option<i64> {
        let prices = &self.rules.prices;
        debug_assert_eq!(
            prices.total, self.exact.total,
            "else parties cannot be counted"
        );
        let wishes = self.brief.wishes;
        let dearest = least + self.in_units(wishes.party_price);
        // If it paid to keep all of them, that would be the goal. So one is split at least, and what
        // splits no more will do.
        let cost = teams.cost_up_to(2 * prices.party - 1, least, dearest)?.cost;
        let as_few = (prices.parties_split(cost) + 1) * prices.party - 1;
        // No more than the parties ask for is paid, and nothing if they ask for nothing.
        let nearest = teams.least_affordable(least, dearest, as_few);
        (nearest > least + self.in_units(wishes.tolerance)).then_some(nearest)
    }

    fn in_units(&self, points: u32) -> i64 {
        i64::from(points) / self.unit
    }

    /// The first seats with this difference, either way round, for `budget` at most, that
    /// `is_wanted`, those of the pair `at` some place first.
    fn first<C: Cost>(
        &self,
        teams: &Teams<'_, C>,
        at: usize,
        difference: i64,
        budget: u64,
        is_wanted: impl Fn(&[Seat]) -> bool,
    ) -> Option<Vec<Seat>> {
        let mut found = None;
        let mut visit = |_, seats: &mut [Seat]| {
            if is_wanted(seats) {
                found = Some(seats.to_vec());
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let aside = Aside::default();
        let _ = teams.each(self.players(), at, difference, budget, aside, &mut visit);
        found
    }

    pub(super) fn players(&self) -> usize {
        self.brief.points.len()
    }

    /// Up to `count` splits of `size`, by difference and then by what they cost; `differences` are
    /// those that there are, ascending, in units.
    pub(super) fn several(&self, size: usize, count: usize, differences: &[i64]) -> Vec<Vec<Seat>> {
        match self.width {
            Width::One => self.several_in::<u8>(size, count, differences),
            Width::Two => self.several_in::<i16>(size, count, differences),
            Width::Four => self.several_in::<i32>(size, count, differences),
        }
    }

    fn several_in<C: Cost>(
        &self,
        size: usize,
        count: usize,
        differences: &[i64],
    ) -> Vec<Vec<Seat>> {
        let join = Join::<C>::new(self);
        let teams = Teams::new(&join, size);
        let mut found: Vec<Vec<Seat>> = Vec::new();
        for &difference in differences {
            let Some(cheapest) = teams.least_cost(difference, difference) else {
                continue;
            };
            let mut budget = cheapest.cost;
            loop {
                let missed = Cell::new(u64::MAX);
                let aside = Aside {
                    missed: Some(&missed),
                    ..Aside::default()
                };
                let flow = teams.each(
                    self.players(),
                    cheapest.at,
                    difference,
                    budget,
                    aside,
                    &mut |_, seats| {
                        let seats = leader_first(seats);
                        if !found.contains(&seats) {
                            found.push(seats);
                        }
                        if found.len() < count {
                            ControlFlow::Continue(())
                        } else {
                            ControlFlow::Break(())
                        }
                    },
                );
                match (flow, missed.get()) {
                    (ControlFlow::Break(()), _) => return found,
                    (_, u64::MAX) => break,
                    (_, more) => budget += more,
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::exact::exact;
    use super::super::pool::generators::{player, pool_of};
    use super::super::prices::Order;
    use super::super::room::generators::all_seats;
    use super::super::split::difference;
    use super::super::wishes::{Current, Wishes};
    use super::super::work::Work;
    use super::*;

    proptest! {
        /// Few moves are told apart in the unit tests, and tables are narrow where that will do.
        #[test]
        fn in_narrow_tables_the_best_is_found(
            ratings in prop::collection::vec(prop::sample::select(vec![0, 1, 2, 3, 7, 30]), 6..9),
            order in Just((1..9_u64).collect::<Vec<u64>>()).prop_shuffle(),
            waited in prop::collection::vec(0..3_u32, 8),
            spread in any::<bool>(),
            tolerance in 0..4_u32,
        ) {
            let players = ratings.len();
            let pool = pool_of(&ratings);
            let order: Vec<_> = order.into_iter().map(player).collect();
            let mut wishes = Wishes {
                current: Some(Current { a: order[..4].to_vec(), b: order[4..].to_vec() }),
                parties: vec![vec![player(2), player(5)], vec![player(3), player(4)]],
                party_price: 0,
                apart: vec![[player(1), player(6)]],
                waited: (1..9).map(player).zip(waited).collect(),
                spread,
                tolerance,
                anchor: false,
                ..Wishes::default()
            };
            for _ in 0..2 {
                let brief = Brief::new(&pool, &wishes);
                let prices = Prices::new(&brief, Order::TurnsFirst, 1);
                let sizes: Vec<usize> = (2..=players / 2).collect();
                let mut found = exact(&brief, &sizes, Work::new(u64::MAX, u64::MAX));
                let mut seen = Vec::new();
                for size in sizes {
                    let best = found.remove(&size).unwrap().seats;
                    let all = all_seats(players, size);
                    let difference = |seats: &[Seat]| difference(seats, &brief.points).abs();
                    let least = all.iter().map(|seats| difference(seats)).min().unwrap();
                    let rank = |seats: &[Seat]| {
                        let difference = difference(seats);
                        let beyond = (difference - least - i64::from(tolerance)).max(0);
                        let cost = prices.of_seats(&brief, seats);
                        let as_good = prices.as_good_but_for_spread(cost);
                        (beyond, as_good, brief.repeats(seats), cost, difference)
                    };
                    let expected = all.iter().map(|seats| rank(seats)).min();
                    prop_assert_eq!(Some(rank(&best)), expected);
                    let ids = |team| {
                        let all = pool.players().iter().zip(&best);
                        all.filter(|(_, seat)| **seat == team).map(|(player, _)| player.id).collect()
                    };
                    seen.push(Current { a: ids(Seat::A), b: ids(Seat::B) });
                }
                // Once more, none of them to be repeated.
                wishes.recent = seen;
            }
        }
    }
}
