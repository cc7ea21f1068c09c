//! Meet in the middle: joins the tables of both halves of the players into splits.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::bound::{Sign, Targets};
use super::chain::Chain;
use super::half::{Goal, Half, HalfPlan};
use super::layout::State;
use super::search::{Teams, Visit};
use super::table::Cost;
use super::windows::{Row, from, least_between, least_sum, sums_up_to};
use crate::partition::limits::Pace;
use crate::partition::problem::seat::Seat;

/// Number of table entries (costs) in a block, which is skipped if its minimum cost exceeds the budget.
const BLOCK: usize = 64;
/// Work to examine a meeting place (a pair of table cells), in the unit of [`Pace`].
const WORK_OF_PLACE: u64 = 50;

/// Number of players from one large table that is kept in memory to the next. Backtracking tries all seats of the
/// players between two kept tables.
const CHECKPOINTS: usize = 4;
const RARE_CHECKPOINTS: usize = 8;

/// Plan of the tables of partial splits for both halves of the players.
#[derive(Debug)]
pub(crate) struct MeetPlan {
    /// Plan for the first players in seating order. Its tables hold team A's rating sum minus B's, and those of `right`
    /// B's minus A's, so that matching costs have the same order in both. A split's difference is the left difference
    /// minus the right one.
    left: HalfPlan,
    right: HalfPlan,
    frontiers: usize,
    players: usize,
    /// Number of players from one large table that is kept for backtracking to the next.
    every: usize,
}

pub(crate) struct Halves<'run, C> {
    left: Half<'run, C>,
    right: Half<'run, C>,
    frontiers: usize,
    players: usize,
    pace: &'run Pace<'run>,
}

struct SizeTeams<'halves, C> {
    halves: &'halves Halves<'halves, C>,
    /// Meeting places (pairs of table cells) of both halves of the players, by ascending minimum cost.
    places: Vec<MeetingPlace>,
}

/// Pair of table cells, one from each half of the players, whose players together make teams of a wanted size. Has the
/// counts on A and B and the index of each cell, and the frontier (remembered seats) that both share.
#[derive(Clone, Copy, Debug)]
struct MeetingPlace {
    frontier: usize,
    of_left: (usize, usize),
    of_right: (usize, usize),
    left: usize,
    right: usize,
    /// Lower bound of the costs of the splits that join these two table cells.
    least: u64,
}

/// Iterates over the numbers below `count` in a scattered, deterministic order.
fn scattered(count: usize) -> impl Iterator<Item = usize> {
    // A prime is coprime to every smaller number, so each number appears once.
    (0..count).map(move |number| number * 2_147_483_647 % count)
}

/// Iterates over a difference of the teams' rating sums and its negation, without repeating 0.
fn both_ways(difference: i64) -> impl Iterator<Item = i64> {
    let reverse = (difference != 0).then_some(-difference);
    std::iter::once(difference).chain(reverse)
}

impl MeetPlan {
    /// Plans the tables of both halves of the players for these wanted team sizes; `points` are the ratings by player.
    /// `memory` is the number of costs that may be in memory at once. Returns `None` if planning exceeds its work
    /// limit.
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

    /// Returns the number of costs of partial splits to compute, in all tables for both halves of the players.
    pub(crate) fn work(&self) -> u64 {
        self.left.work() + self.right.work()
    }

    /// Returns the maximum number of costs in memory at once, in the tables for both halves of the players.
    pub(crate) fn memory(&self) -> u64 {
        self.left.memory(self.every) + self.right.memory(self.every)
    }

    /// Returns the size in bytes of the plan itself: the layouts of its tables, the transitions of its players, and the
    /// pairs of table cells that make one team size.
    pub(crate) fn overhead(&self) -> u64 {
        let places = self.left.cells() * self.frontiers * size_of::<MeetingPlace>();
        (places + self.left.bytes() + self.right.bytes()) as u64
    }

    /// Computes the costs of partial splits for both halves; `None` if the computation is cancelled.
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
    /// Returns the splits with any of these numbers of players on A and on B.
    pub(crate) fn teams(&self, counts: &[(usize, usize)]) -> impl Teams + '_ {
        let (lefts, rights) = (self.left.table().1, self.right.table().1);
        let lefts = (0..lefts.cells.len()).map(|cell| (lefts.counts(cell), cell));
        let cells = lefts.flat_map(|((a, b), left)| {
            counts.iter().filter_map(move |&(all_a, all_b)| {
                let right = (all_a.checked_sub(a)?, all_b.checked_sub(b)?);
                Some(((a, b), left, right, rights.place(right)?))
            })
        });
        let mut places: Vec<MeetingPlace> = cells
            .flat_map(|(of_left, left, of_right, right)| {
                (0..self.frontiers).filter_map(move |frontier| {
                    if !self.pace.goes_on(WORK_OF_PLACE) {
                        return None;
                    }
                    let least =
                        self.left.least(left, frontier)? + self.right.least(right, frontier)?;
                    Some(MeetingPlace {
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
        // Among equal costs, cells with balanced counts come first, because they contain the most splits.
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

    fn affords(&self, floor: i64, limit: i64, budget: u64) -> bool {
        let mut places = self.places.iter().take_while(|place| place.least <= budget);
        places.any(|place| {
            let cost = self.cost_between(place, floor, limit);
            cost.is_some_and(|cost| cost <= budget)
        })
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
        // Neighbouring places are similar; a scattered order finds wanted seats sooner.
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
    /// Aligns the costs of the two table cells of `place` for splits with this `difference` of the teams' rating sums:
    /// costs at one index belong to one split. Also returns the left cell's difference at the first index.
    fn aligned(&self, place: &MeetingPlace, difference: i64) -> (i64, &[C], &[C]) {
        let [left, right] = self.rows(place);
        // A left difference minus the matching right difference is `difference`.
        let moved = right.differences.start + difference;
        let first = left.differences.start.max(moved);
        let lefts = from(first, left.differences.start, left.costs);
        (first, lefts, from(first, moved, right.costs))
    }

    fn rows(&self, place: &MeetingPlace) -> [Row<'_, C>; 2] {
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

    /// Returns the minimum cost of splits that combine the two table cells of `place`, with an absolute difference of
    /// the teams' rating sums from `floor` to `limit`.
    fn cost_between(&self, place: &MeetingPlace, floor: i64, limit: i64) -> Option<u64> {
        let [left, right] = self.rows(place);
        // Each doubling of the window width scans a row once.
        let work = 8 * left.costs.len() as u64 + WORK_OF_PLACE;
        let least = || least_between(left, right, floor, limit);
        self.halves.pace.goes_on(work).then(least)?.get()
    }
}

struct Search<'run, 'visit, C> {
    halves: &'run Halves<'run, C>,
    budget: u64,
    /// Smallest increase of `budget` (cost of unserved wishes) that allows more splits.
    missed: Cell<u64>,
    visit: &'run mut Visit<'visit>,
}

impl<C: Cost> Search<'_, '_, C> {
    fn miss(&self, cost: u64) {
        let missed = self.missed.get().min(cost - self.budget);
        self.missed.set(missed);
    }

    /// Visits the splits that combine the two table cells of `place` with this difference of the teams' rating sums.
    /// `first`, `lefts` and `rights` are from [`SizeTeams::aligned`].
    fn each_at(
        &mut self,
        place: &MeetingPlace,
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

    /// Visits the splits that combine the two table cells of `place` at the rating-sum differences `left` and `right`.
    /// `other` is the minimum cost of seating the right half of the players.
    fn each_meeting(
        &mut self,
        place: &MeetingPlace,
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
