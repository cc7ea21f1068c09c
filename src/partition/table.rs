use super::cell::{Cell, Span};
use super::chunks::make_each;
use super::cost::Cost;
use super::ranges::{common, places};
use super::seating::seat;
use super::shape::{Shape, Step};

/// What some of the players can do to a split: for every number of them on team A and on team B
/// and every difference Σ_A - Σ_B that they can make of it, the least that it costs.
///
/// The costs of one pair of counts stand in the order of the difference, in a span for each stretch of
/// differences that can be reached. They are told as what they exceed the [`Cell::base`] of the
/// counts by, which keeps them small: what it costs that so many must wait, and wherever the
/// differences are, is in the base.
#[derive(Debug)]
pub(super) struct Table<'shape, C> {
    shape: &'shape Shape,
    costs: Vec<C>,
}

impl<'shape, C: Cost> Table<'shape, C> {
    /// Of a `shape` of which everything costs nothing, as of [`Shape::nobody`].
    pub(super) fn free(shape: &'shape Shape) -> Self {
        Self {
            shape,
            costs: vec![C::FREE; shape.len()],
        }
    }

    /// The least that any of the `steps`, of one player more, makes of its table, in that shape.
    pub(super) fn after(shape: &'shape Shape, steps: &[(&Self, Step)]) -> Self {
        Self {
            shape,
            costs: made_of(shape, steps),
        }
    }

    /// The same in another `shape`, which has the same differences in a room of so many costs.
    pub(super) fn in_room(&self, shape: &'shape Shape, room: usize) -> Self {
        let mut costs = Vec::with_capacity(room);
        for (from, to) in self.shape.spans().iter().zip(shape.spans()) {
            debug_assert!(costs.len() <= to.start, "places ascend");
            // What is between the spans cannot be had, which `seat` relies on.
            costs.resize(to.start, C::NEVER);
            costs.extend_from_slice(self.costs_of(from));
        }
        Self { shape, costs }
    }

    /// One player more takes one of the `steps`; `after` is the shape then, in the same room.
    pub(super) fn seat(&mut self, steps: &[Step], after: &'shape Shape) {
        // Cells of more players stand behind all others, so that they are first written where they were just
        // made room for. Until then they cannot be had.
        let end = self.costs.len().max(after.end());
        self.costs.resize(end, C::NEVER);
        seat(&mut self.costs, self.shape, after, steps);
        self.shape = after;
    }

    /// Which differences it has.
    pub(super) fn shape(&self) -> &'shape Shape {
        self.shape
    }

    /// What each of the differences costs beyond the base of its cell.
    pub(super) fn costs_of(&self, span: &Span) -> &[C] {
        &self.costs[span.places()]
    }

    /// The cost of this difference in one of the cells of its shape, the base included, if it can be had.
    pub(super) fn cost_in(&self, cell: &Cell<'_>, difference: i64) -> Option<u64> {
        let span = cell.span(difference)?;
        let place = usize::try_from(difference - span.first).ok()?;
        let beyond = self.costs[span.start + place];
        beyond.is_had().then(|| cell.base + beyond.get())
    }
}

/// The costs of a table of that shape, which is what the steps lead to: each with the table that it starts
/// from.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn made_of<C: Cost>(shape: &Shape, steps: &[(&Table<'_, C>, Step)]) -> Vec<C> {
    let mut costs = Vec::with_capacity(shape.len());
    for total in 0..=shape.total() {
        for a in 0..=total {
            let b = total - a;
            let Some(cell) = shape.cell(a, b) else {
                continue;
            };
            // Cell by cell, so that what was just written is still near.
            let start = costs.len();
            costs.resize(start + cell.len(), C::NEVER);
            for (table, step) in steps {
                if let Some(before) = table.shape.before(a, b, step) {
                    improve(&mut costs[start..], &cell, (&before, &table.costs), step);
                }
            }
        }
    }
    costs
}

/// Lowers the costs of the `cell` to what the `step` makes of those it starts from, where that is less.
#[expect(
    clippy::inline_always,
    reason = "only where it is inlined does it have the instructions of the processor at hand"
)]
#[inline(always)]
fn improve<C: Cost>(
    target: &mut [C],
    cell: &Cell<'_>,
    (before, costs): (&Cell<'_>, &[C]),
    step: &Step,
) {
    let price = C::of(step.price + before.base - cell.base);
    let mut spans = cell.spans;
    for source in before.spans {
        let moved = source.first + step.difference..source.end + step.difference;
        while let [span, rest @ ..] = spans
            && span.end <= moved.start
        {
            spans = rest;
        }
        // All that is within reach stands in one span.
        let Some(span) = spans.first() else {
            break;
        };
        let common = common(&moved, &span.differences());
        let costs = &costs[source.places()][places(moved.start, &common)];
        let target = &mut target[cell.places(span)][places(span.first, &common)];
        make_each(target, [costs], |target, [cost]| {
            target.min(cost.plus(price))
        });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reach::Reach;
    use super::super::rules::Sign;
    use super::super::slack::Slack;
    use super::*;

    /// What one player adds in each seat that is open: team A, team B, waiting.
    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let points = prop::sample::select(vec![0_i64, 1, 2, 30, 31, 300]);
        (points, prop::array::uniform3(0..5_u64), 0..8_usize).prop_map(
            |(points, prices, closed)| {
                let seats = [(1, 0, points), (0, 1, -points), (0, 0, 0)].into_iter();
                let steps = seats.zip(prices).map(|((a, b, difference), price)| Step {
                    a,
                    b,
                    difference,
                    price,
                    untold: 0,
                });
                let mut steps: Vec<Step> = steps.collect();
                match closed {
                    0..3 => drop(steps.remove(closed)),
                    3..6 => steps = vec![steps[closed - 3]],
                    _ => {}
                }
                steps
            },
        )
    }

    /// Seats the players, of whom each takes one of the steps, in place and in new tables.
    fn compare(players: &[Vec<Step>], slacks: [i64; 3]) {
        let slack = Slack::new((1..4).zip(slacks));
        let points = players.iter().map(|steps| steps[0].difference.abs());
        let mut rest: Vec<i64> = points.collect();
        let mut apart = vec![Shape::nobody()];
        for player in players {
            rest.remove(0);
            let mut points = rest.clone();
            points.sort_unstable();
            let reach = Reach::new(&points, &slack, Sign::Plus);
            let before = &apart[apart.len() - 1];
            let steps: Vec<(&Shape, Step)> = player.iter().map(|step| (before, *step)).collect();
            let after = Shape::after(3, &steps, &reach);
            apart.push(after);
        }
        let mut together = apart.clone();
        let room = Shape::share_room(&mut together);
        let mut anew = Table::<u8>::free(&apart[0]);
        let mut in_place = anew.in_room(&together[0], room);
        for (number, steps) in players.iter().enumerate() {
            let steps_of_tables: Vec<(&Table<'_, u8>, Step)> =
                steps.iter().map(|step| (&anew, *step)).collect();
            anew = Table::after(&apart[number + 1], &steps_of_tables);
            in_place.seat(steps, &together[number + 1]);
            for (a, b) in anew.shape().counts() {
                let spans = anew.shape().cell(a, b).map_or(&[][..], |cell| cell.spans);
                for difference in spans.iter().flat_map(Span::differences) {
                    let costs = [&anew, &in_place].map(|table| {
                        let cell = table.shape().cell(a, b)?;
                        table.cost_in(&cell, difference)
                    });
                    assert_eq!(costs[0], costs[1], "player {number}: {a} {b} {difference}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn seated_in_place_all_cost_what_they_do_in_new_tables(
            players in prop::collection::vec(steps(), 1..8),
            slacks in prop::array::uniform3(0..400_i64),
        ) {
            compare(&players, slacks);
        }
    }

    #[test]
    fn what_ends_where_somebody_must_play_does_not_come_back() {
        let [a, b, wait] = [(1, 0), (0, 1), (0, 0)];
        let player = |points: i64, seats: &[(usize, usize)]| -> Vec<Step> {
            let difference = |(a, b)| points * (i64::from(a == 1) - i64::from(b == 1));
            let steps = seats.iter().map(|&(a, b)| Step {
                a,
                b,
                difference: difference((a, b)),
                price: 0,
                untold: 0,
            });
            steps.collect()
        };
        // The first two against each other are even, but the third must play, and against one of them that
        // is beyond reach. With the fourth one against one is within reach again, but not even.
        let players = [
            player(300, &[a, b, wait]),
            player(300, &[a, b, wait]),
            player(1, &[a, b]),
            player(0, &[a, b, wait]),
        ];
        compare(&players, [1, 0, 0]);
    }
}
