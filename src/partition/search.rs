use std::ops::ControlFlow;

use super::cost::Cost;
use super::half::{Aside, Visit, Wanted};
use super::join::{Join, Pair, Teams, costs_from, least_sum};
use super::split::Seat;

/// Costs that are looked at together before any of them is looked at alone.
const BLOCK: usize = 64;

/// An entry of the left half's table and one of the right half's that make a split together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries {
    left: Wanted,
    /// With the budget for both.
    right: Wanted,
}

impl<C: Cost> Teams<'_, C> {
    /// Visits all seats of so many `players` with this difference, either way round, for `budget` at
    /// most, until a visit breaks: first those of the pair `at` some place, then those that may cost
    /// the least.
    pub(super) fn each(
        &self,
        players: usize,
        at: usize,
        difference: i64,
        budget: u64,
        aside: Aside<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let mut seats = vec![Seat::Waiting; players];
        self.each_entries(at, difference, budget, aside, &mut |entries| {
            self.join.each(entries, &mut seats, aside, visit)
        })
    }

    /// Calls `each` for whatever entries such seats have, in that order, until it breaks.
    pub(super) fn each_entries(
        &self,
        at: usize,
        difference: i64,
        budget: u64,
        aside: Aside<'_>,
        each: &mut impl FnMut(&Entries) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let both = [difference, -difference];
        let both = &both[..if difference == 0 { 1 } else { 2 }];
        let others = self.pairs[..at].iter().chain(&self.pairs[at + 1..]);
        // Those that are too dear anyway matter only to somebody who asks what is missed.
        let others = others.take_while(|pair| pair.base <= budget || aside.missed.is_some());
        for pair in std::iter::once(&self.pairs[at]).chain(others) {
            for &difference in both {
                self.join
                    .each_entries(pair, difference, budget, aside, each)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<C: Cost> Join<'_, C> {
    /// Visits the seats that have these entries, until a visit breaks.
    pub(super) fn each(
        &self,
        entries: &Entries,
        seats: &mut [Seat],
        aside: Aside<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Entries { left, right } = *entries;
        self.left.each(left, seats, aside, &mut |cost, seats| {
            let of_right = Wanted {
                budget: right.budget - cost.told,
                untold: cost.untold,
                ..right
            };
            self.right.each(of_right, seats, aside, visit)
        })
    }

    /// Those of [`Teams::each_entries`] with these counts and this difference, this way round.
    fn each_entries(
        &self,
        pair: &Pair,
        difference: i64,
        budget: u64,
        aside: Aside<'_>,
        each: &mut impl FnMut(&Entries) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((left, right)) = self.cells(pair) else {
            return ControlFlow::Continue(());
        };
        debug_assert!(
            aside.missed.is_none() || aside.dearest.is_none(),
            "what is missed is told of the whole budget"
        );
        let most = match aside.dearest {
            None => Some(budget),
            Some(dearest) => dearest.budget(left.untold + right.untold),
        };
        let Some(most) = most else {
            return ControlFlow::Continue(());
        };
        for one in left.spans {
            // What the left half has is as much above the right half's as the difference says.
            for other in right.spans_with(&(one.first - difference..one.end - difference)) {
                let moved = other.first + difference;
                let first = one.first.max(moved);
                let lefts = costs_from(first, one.first, self.left.table().costs_of(one));
                let rights = costs_from(first, moved, self.right.table().costs_of(other));
                let (lefts, rights) = ((left.base, lefts), (right.base, rights));
                each_within(most, first, lefts, rights, aside, |at_left, other| {
                    each(&Entries {
                        left: Wanted {
                            a: pair.left.0,
                            b: pair.left.1,
                            difference: at_left,
                            budget: budget - other,
                            untold: right.untold,
                        },
                        right: Wanted {
                            a: pair.right.0,
                            b: pair.right.1,
                            difference: at_left - difference,
                            budget,
                            untold: left.untold,
                        },
                    })
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Calls `each` for two costs that stand at the same place, each beyond a base, where both together are
/// within the `budget`: with the difference there, which is `first` for the first place, and what the
/// right one costs.
fn each_within<C: Cost>(
    budget: u64,
    first: i64,
    (left_base, lefts): (u64, &[C]),
    (right_base, rights): (u64, &[C]),
    aside: Aside<'_>,
    mut each: impl FnMut(i64, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let blocks = lefts.chunks(BLOCK).zip(rights.chunks(BLOCK));
    for ((lefts, rights), first) in blocks.zip((first..).step_by(BLOCK)) {
        let least = least_sum(lefts, rights);
        if !least.is_had() {
            continue;
        }
        let cost = left_base + right_base + least.get();
        if cost > budget {
            aside.miss(cost, budget);
            continue;
        }
        for ((cost, other), difference) in lefts.iter().zip(rights).zip(first..) {
            if !(cost.is_had() && other.is_had()) {
                continue;
            }
            let (cost, other) = (left_base + cost.get(), right_base + other.get());
            if cost + other > budget {
                aside.miss(cost + other, budget);
                continue;
            }
            each(difference, other)?;
        }
    }
    ControlFlow::Continue(())
}
