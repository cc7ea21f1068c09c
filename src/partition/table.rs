use super::cost::Cost;
use super::ranges::common;
use super::shape::{Cell, Shape, Span, Step, places};

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
        let sources: Vec<(&Shape, &[C], Step)> = steps
            .iter()
            .map(|(table, step)| (table.shape, &table.costs[..], *step))
            .collect();
        Self {
            shape,
            costs: made_of(shape, &sources),
        }
    }

    /// The same in another `shape`, which has the same differences in a room of so many costs.
    pub(super) fn in_room(&self, shape: &'shape Shape, room: usize) -> Self {
        let mut costs = Vec::with_capacity(room);
        for (from, to) in self.shape.spans().iter().zip(shape.spans()) {
            debug_assert!(costs.len() <= to.start, "places ascend");
            // Nobody looks at what is between the spans.
            costs.resize(to.start, C::FREE);
            costs.extend_from_slice(self.costs_of(from));
        }
        costs.resize(room, C::FREE);
        Self { shape, costs }
    }

    /// One player more takes one of the `steps`; `after` is the shape then, in the same room.
    pub(super) fn seat(&mut self, steps: &[Step], after: &'shape Shape) {
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

    /// By counts on A and B: the least that any difference costs beyond the base.
    pub(super) fn least(&self) -> Vec<Vec<C>> {
        let counts = || 0..=self.shape.side();
        let of = |a, b| {
            let spans = self.shape.cell(a, b).map_or(&[][..], |cell| cell.spans);
            let least = spans.iter().map(|span| least(self.costs_of(span)));
            least.fold(C::NEVER, C::min)
        };
        counts()
            .map(|a| counts().map(|b| of(a, b)).collect())
            .collect()
    }

    /// The cost of these counts and this difference, the base included, if they can be had.
    pub(super) fn cost(&self, a: usize, b: usize, difference: i64) -> Option<u64> {
        let cell = self.shape.cell(a, b)?;
        let span = cell.span(difference)?;
        let place = usize::try_from(difference - span.first).ok()?;
        let beyond = self.costs[span.start + place];
        beyond.is_had().then(|| cell.base + beyond.get())
    }
}

#[multiversion::multiversion(targets("x86_64+avx2"))]
fn least<C: Cost>(costs: &[C]) -> C {
    costs.iter().copied().fold(C::NEVER, C::min)
}

/// The costs of a table of that shape, which is what the steps lead to: each with the shape and the
/// costs that it starts from.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn made_of<C: Cost>(shape: &Shape, sources: &[(&Shape, &[C], Step)]) -> Vec<C> {
    let mut costs = Vec::with_capacity(shape.len());
    for (a, b) in shape.counts() {
        let Some(cell) = shape.cell(a, b) else {
            continue;
        };
        // Cell by cell, so that what was just written is still near.
        let start = costs.len();
        costs.resize(start + cell.len(), C::NEVER);
        for (before, source, step) in sources {
            if let Some(before) = before.before(a, b, step) {
                improve(&mut costs[start..], &cell, (&before, source), step);
            }
        }
    }
    costs
}

/// One player more takes one of the `steps`, in place.
///
/// What a step starts from has fewer players on a team, or is what it leads to. So from the
/// greatest counts to the least nothing is overwritten before it is used.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn seat<C: Cost>(costs: &mut [C], before: &Shape, after: &Shape, steps: &[Step]) {
    let stays = |step: &&Step| step.a == 0 && step.b == 0;
    let waits = steps.iter().find(stays);
    for (a, b) in after.counts().rev() {
        let Some(cell) = after.cell(a, b) else {
            continue;
        };
        let (lower, target) = costs.split_at_mut(cell.spans[0].start);
        let kept = waits.and_then(|step| Some((before.cell(a, b)?, step.price)));
        match kept {
            Some((before, price)) => keep(target, &cell, &before, price),
            None => {
                for span in cell.spans {
                    target[cell.places(span)].fill(C::NEVER);
                }
            }
        }
        for step in steps.iter().filter(|step| !stays(step)) {
            if let Some(before) = before.before(a, b, step) {
                improve(target, &cell, (&before, lower), step);
            }
        }
    }
}

/// Makes of the costs in the `cell` before, in place, those of the same counts after somebody waits for
/// that price.
#[expect(
    clippy::inline_always,
    reason = "only where it is inlined does it have the instructions of the processor at hand"
)]
#[inline(always)]
fn keep<C: Cost>(target: &mut [C], cell: &Cell<'_>, before: &Cell<'_>, price: u64) {
    let beyond = C::of(price + before.base - cell.base);
    let mut sources = before.spans;
    for span in cell.spans {
        let target = &mut target[cell.places(span)];
        let mut done = 0;
        while let [source, rest @ ..] = sources
            && source.first < span.end()
        {
            sources = rest;
            let kept = places(
                span.first,
                &common(&source.differences(), &span.differences()),
            );
            if kept.is_empty() {
                continue;
            }
            target[done..kept.start].fill(C::NEVER);
            done = kept.end;
            if beyond > C::FREE {
                for cost in &mut target[kept] {
                    *cost = cost.plus(beyond);
                }
            }
        }
        target[done..].fill(C::NEVER);
    }
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
        let moved = source.first + step.difference..source.end() + step.difference;
        while let [span, rest @ ..] = spans
            && span.end() <= moved.start
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
        for (target, cost) in target.iter_mut().zip(costs) {
            *target = (*target).min(cost.plus(price));
        }
    }
}
