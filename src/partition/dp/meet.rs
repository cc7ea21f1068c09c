//! Meet in the middle: what both halves of the players make of one another.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::bound::{Sign, Targets};
use super::chain::Chain;
use super::cost::Cost;
use super::half::{Goal, Half, HalfPlan};
use super::layout::State;
use super::search::first_affordable;
use super::windows::{Row, from, least_between, least_sum, sums_up_to};
use crate::partition::limits::Pace;
use crate::partition::problem::seat::Seat;

/// Costs that are looked at together before any of them is looked at alone.
const BLOCK: usize = 64;
/// The work of finding out about a place, in bytes of tables that take as long.
const WORK_OF_PLACE: u64 = 50;

/// Of large tables, those behind every so many players are kept for the way back: mostly, and where
/// there would be too little memory. Between two of these, all seats of so many players are tried.
const CHECKPOINTS: usize = 4;
const RARE_CHECKPOINTS: usize = 8;

/// Both halves of a pool, whose tables are not computed yet.
#[derive(Debug)]
pub(crate) struct MeetPlan {
    /// The halves count differences with opposite signs, so that what fits together stands in both
    /// tables in the same order: a difference of all is that of the left half less that of the right
    /// one.
    left: HalfPlan,
    right: HalfPlan,
    /// How many frontiers there are between the halves.
    frontiers: usize,
    players: usize,
    /// After how many players a table is kept.
    every: usize,
}

/// The tables of both halves of a pool.
pub(crate) struct Halves<'run, C> {
    left: Half<'run, C>,
    right: Half<'run, C>,
    frontiers: usize,
    players: usize,
    pace: &'run Pace<'run>,
}

/// The ways to make teams of one size.
pub(crate) trait Teams {
    /// The least cost of a difference from `floor` to `limit`, either way round.
    fn least_cost(&self, floor: i64, limit: i64) -> Option<u64>;

    /// The least difference from `floor` to `limit`, either way round, of a split that costs no more
    /// than `budget`.
    fn least_difference(&self, floor: i64, limit: i64, budget: u64) -> Option<i64>;

    /// How many splits with this difference, either way round, there are for `budget` at least, counted
    /// up to a `limit`.
    fn count_at_least(&self, difference: i64, budget: u64, limit: usize) -> usize;

    /// Visits all seats with this difference, either way round, for `budget` at most, until a visit
    /// breaks, in an order that is always the same. Answers what the budget lacks at least to find more,
    /// if there are any and no visit broke.
    fn each(&self, difference: i64, budget: u64, visit: &mut Visit<'_>) -> Option<u64>;
}

/// Called with seats by player.
pub(crate) type Visit<'visit> = dyn FnMut(&[Seat]) -> ControlFlow<()> + 'visit;

/// Teams of one size by tables.
struct SizeTeams<'halves, C> {
    halves: &'halves Halves<'halves, C>,
    /// Those first that may cost the least.
    places: Vec<Meeting>,
}

/// Where the halves meet: a frontier, the players of both halves on team A and on B, and their cells.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    frontier: usize,
    of_left: (usize, usize),
    of_right: (usize, usize),
    left: usize,
    right: usize,
    /// Nothing here costs less.
    least: u64,
}

/// The numbers below `count`, out of order.
fn scattered(count: usize) -> impl Iterator<Item = usize> {
    // A prime has no factor in common with what it exceeds.
    (0..count).map(move |number| number * 2_147_483_647 % count)
}

/// A difference as it is and the other way round.
fn both_ways(difference: i64) -> impl Iterator<Item = i64> {
    let reverse = (difference != 0).then_some(-difference);
    std::iter::once(difference).chain(reverse)
}

impl MeetPlan {
    /// The halves of the chain for teams within these targets, where so many costs of `memory` would be
    /// enough; `points` are by player. `None` where planning has taken too much.
    pub(crate) fn new(
        chain: &Chain,
        points: &[i64],
        targets: &Targets,
        memory: u64,
        pace: &Pace<'_>,
    ) -> Option<Self> {
        let cut = chain.middle();
        let half = |sign| HalfPlan::new(chain, cut, points, targets, sign, pace);
        let (left, right) = (half(Sign::Plus)?, half(Sign::Minus)?);
        let kept = left.memory(CHECKPOINTS) + right.memory(CHECKPOINTS);
        Some(Self {
            frontiers: chain.stages[cut].frontiers,
            players: points.len(),
            every: if kept <= memory {
                CHECKPOINTS
            } else {
                RARE_CHECKPOINTS
            },
            left,
            right,
        })
    }

    /// How many costs are computed.
    pub(crate) fn work(&self) -> u64 {
        self.left.work() + self.right.work()
    }

    /// How many costs are there at once at most.
    pub(crate) fn memory(&self) -> u64 {
        self.left.memory(self.every) + self.right.memory(self.every)
    }

    /// How many bytes it takes to look up where everything is, and where the halves meet, one size at a time.
    pub(crate) fn overhead(&self) -> u64 {
        let places = self.left.cells() * self.frontiers * size_of::<Meeting>();
        (places + self.left.bytes() + self.right.bytes()) as u64
    }

    /// Computes the tables, as long as they are still wanted.
    pub(crate) fn compute<'run, C: Cost>(self, pace: &'run Pace<'run>) -> Option<Halves<'run, C>> {
        Some(Halves {
            left: self.left.compute(self.every, pace)?,
            right: self.right.compute(self.every, pace)?,
            frontiers: self.frontiers,
            players: self.players,
            pace,
        })
    }
}

impl<C: Cost> Halves<'_, C> {
    /// The ways to make teams of these numbers of players on A and on B.
    pub(crate) fn teams(&self, counts: &[(usize, usize)]) -> impl Teams + '_ {
        let (lefts, rights) = (self.left.table().1, self.right.table().1);
        let lefts = (0..lefts.cells.len()).map(|cell| (lefts.counts(cell), cell));
        let cells = lefts.flat_map(|((a, b), left)| {
            counts.iter().filter_map(move |&(all_a, all_b)| {
                let right = (all_a.checked_sub(a)?, all_b.checked_sub(b)?);
                Some(((a, b), left, right, rights.place(right)?))
            })
        });
        let mut places: Vec<Meeting> = cells
            .flat_map(|(of_left, left, of_right, right)| {
                (0..self.frontiers).filter_map(move |frontier| {
                    if !self.pace.goes_on(WORK_OF_PLACE) {
                        return None;
                    }
                    let least =
                        self.left.least(left, frontier)? + self.right.least(right, frontier)?;
                    Some(Meeting {
                        frontier,
                        of_left,
                        of_right,
                        left,
                        right,
                        least,
                    })
                })
            })
            .collect();
        // Of equals those that put equally many players of a half on each team, where most splits are.
        places.sort_unstable_by_key(|place| {
            let (a, b) = place.of_left;
            let counts = (a.abs_diff(b), place.of_left, place.of_right);
            (place.least, counts, place.frontier)
        });
        SizeTeams {
            halves: self,
            places,
        }
    }
}

impl<C: Cost> Teams for SizeTeams<'_, C> {
    fn least_cost(&self, floor: i64, limit: i64) -> Option<u64> {
        let mut least = None;
        for place in &self.places {
            if least.is_some_and(|least| least <= place.least) {
                break;
            }
            let cost = self.cost_between(place, floor, limit);
            least = least.into_iter().chain(cost).min();
        }
        least
    }

    fn least_difference(&self, floor: i64, limit: i64, budget: u64) -> Option<i64> {
        let affords = |floor, limit| {
            let mut places = self.places.iter().take_while(|place| place.least <= budget);
            places.any(|place| {
                let cost = self.cost_between(place, floor, limit);
                cost.is_some_and(|cost| cost <= budget)
            })
        };
        first_affordable(floor, limit, affords)
    }

    fn count_at_least(&self, difference: i64, budget: u64, limit: usize) -> usize {
        let places = self.places.iter();
        let mut count = 0;
        for place in places.take_while(|place| place.least <= budget) {
            for difference in both_ways(difference) {
                let (_, lefts, rights) = self.aligned(place, difference);
                if !self.halves.pace.goes_on(lefts.len() as u64) {
                    return limit;
                }
                count += sums_up_to(lefts, rights, C::of(budget));
            }
            if count >= limit {
                return limit;
            }
        }
        count
    }

    fn each(&self, difference: i64, budget: u64, visit: &mut Visit<'_>) -> Option<u64> {
        let mut search = Search {
            halves: self.halves,
            budget,
            missed: Cell::new(u64::MAX),
            visit,
        };
        let mut seats = vec![Seat::Waiting; self.halves.players];
        // Neighbours are much like each other: out of order, those that are wanted are found sooner.
        let mut places = scattered(self.places.len()).map(|number| &self.places[number]);
        let flow = places.try_for_each(|place| {
            if place.least > budget {
                search.miss(place.least);
                return ControlFlow::Continue(());
            }
            both_ways(difference).try_for_each(|difference| {
                let aligned = self.aligned(place, difference);
                search.each_at(place, difference, aligned, &mut seats)
            })
        });
        let missed = search.missed.get();
        (flow.is_continue() && missed < u64::MAX).then_some(missed)
    }
}

impl<C: Cost> SizeTeams<'_, C> {
    /// The costs of both halves at a place, that lie side by side where together they have the
    /// difference; and the left half's at the first.
    fn aligned(&self, place: &Meeting, difference: i64) -> (i64, &[C], &[C]) {
        let [left, right] = self.rows(place);
        // What the left half has is as much above the right half's as the difference says.
        let moved = right.differences.start + difference;
        let first = left.differences.start.max(moved);
        let lefts = from(first, left.differences.start, left.costs);
        (first, lefts, from(first, moved, right.costs))
    }

    /// The costs of both halves at a place.
    fn rows(&self, place: &Meeting) -> [Row<'_, C>; 2] {
        let halves = [
            (&self.halves.left, place.left),
            (&self.halves.right, place.right),
        ];
        halves.map(|(half, cell)| {
            let (table, layout) = half.table();
            Row {
                differences: &layout.cells[cell].differences,
                costs: table.costs(layout, cell, place.frontier),
            }
        })
    }

    /// The least cost of a difference from `floor` to `limit`, either way round, at a place.
    fn cost_between(&self, place: &Meeting, floor: i64, limit: i64) -> Option<u64> {
        let [left, right] = self.rows(place);
        // Windows of a row are looked at as often as their width doubles.
        let work = 8 * left.costs.len() as u64 + WORK_OF_PLACE;
        let least = || least_between(left, right, floor, limit);
        self.halves.pace.goes_on(work).then(least)?.get()
    }
}

/// A search for seats.
struct Search<'run, 'visit, C> {
    halves: &'run Halves<'run, C>,
    budget: u64,
    /// What the budget lacks at least to find more.
    missed: Cell<u64>,
    visit: &'run mut Visit<'visit>,
}

impl<C: Cost> Search<'_, '_, C> {
    fn miss(&self, cost: u64) {
        let missed = self.missed.get().min(cost - self.budget);
        self.missed.set(missed);
    }

    /// Visits the seats in a place with this difference, whose costs are aligned.
    fn each_at(
        &mut self,
        place: &Meeting,
        difference: i64,
        (first, lefts, rights): (i64, &[C], &[C]),
        seats: &mut [Seat],
    ) -> ControlFlow<()> {
        if !self.halves.pace.goes_on(lefts.len() as u64 + WORK_OF_PLACE) {
            return ControlFlow::Break(());
        }
        let blocks = lefts.chunks(BLOCK).zip(rights.chunks(BLOCK));
        for ((lefts, rights), first) in blocks.zip((first..).step_by(BLOCK)) {
            let Some(least) = least_sum(lefts, rights).get() else {
                continue;
            };
            if least > self.budget {
                self.miss(least);
                continue;
            }
            for ((cost, other), left) in lefts.iter().zip(rights).zip(first..) {
                match (cost.get(), other.get()) {
                    (Some(cost), Some(other)) if cost + other > self.budget => {
                        self.miss(cost + other);
                    }
                    (Some(_), Some(other)) => {
                        self.each_meeting(place, left, left - difference, other, seats)?;
                    }
                    _ => {}
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the seats with which the halves make these differences in a place, where the right half
    /// costs `other` at least.
    fn each_meeting(
        &mut self,
        place: &Meeting,
        left: i64,
        right: i64,
        other: u64,
        seats: &mut [Seat],
    ) -> ControlFlow<()> {
        let goal = |counts, difference, budget| Goal {
            state: State { counts, difference },
            frontier: place.frontier,
            budget,
        };
        let Self {
            halves,
            budget,
            missed,
            visit,
        } = self;
        let of_left = goal(place.of_left, left, *budget - other);
        halves
            .left
            .each(&of_left, seats, missed, &mut |spent, seats| {
                let of_right = goal(place.of_right, right, *budget - spent);
                let visit = &mut |_, seats: &mut [Seat]| visit(seats);
                halves.right.each(&of_right, seats, missed, visit)
            })
    }
}
