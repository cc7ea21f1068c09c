use super::cost::Cost;
use super::ranges::common;
use super::shape::{Shape, Span, Step, places};

/// What some of the players can do to a split: for every number of them on team A and on team B
/// and every difference Σ_A - Σ_B that they can make of it, the least that it costs.
///
/// The costs of one pair of counts are an array over the difference, from the least that can be
/// reached to the greatest. They are told as what they exceed the [`Span::base`] of the counts by,
/// which keeps them small: what it costs that so many must wait, and wherever the differences are,
/// is in the base.
#[derive(Clone, Debug)]
pub(super) struct Table<C> {
    shape: Shape,
    costs: Vec<C>,
}

impl<C: Cost> Table<C> {
    /// Nobody yet: no players, no difference, no cost.
    pub(super) fn nobody() -> Self {
        Self {
            shape: Shape::nobody(),
            costs: vec![C::FREE],
        }
    }

    /// The least that any of the `steps`, of one player more, makes of its table, in that shape.
    pub(super) fn after(shape: &Shape, steps: &[(&Self, Step)]) -> Self {
        let sources: Vec<(&Shape, &[C], Step)> = steps
            .iter()
            .map(|(table, step)| (&table.shape, &table.costs[..], *step))
            .collect();
        Self {
            costs: made_of(shape, &sources),
            shape: shape.clone(),
        }
    }

    /// The same in another `shape`, which has the same differences in a room of so many costs, in the
    /// order of their counts.
    pub(super) fn in_room(&self, shape: &Shape, room: usize) -> Self {
        let mut costs = Vec::with_capacity(room);
        for (from, to) in self.shape.cells.iter().zip(&shape.cells) {
            if to.length > 0 {
                debug_assert!(costs.len() <= to.start, "places ascend");
                costs.resize(to.start, C::NEVER);
                costs.extend_from_slice(self.costs_of(*from));
            }
        }
        costs.resize(room, C::NEVER);
        Self {
            shape: shape.clone(),
            costs,
        }
    }

    /// One player more takes one of the `steps`; `after` is the shape then, in the same room.
    pub(super) fn seat(&mut self, steps: &[Step], after: &Shape) {
        seat(&mut self.costs, &self.shape, after, steps);
        self.shape.clone_from(after);
    }

    /// Which differences it has.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The span of these counts and what each of its differences costs beyond the base.
    pub(super) fn cell(&self, a: usize, b: usize) -> Option<(Span, &[C])> {
        let span = self.shape.span(a, b)?;
        Some((span, self.costs_of(span)))
    }

    /// By counts on A and B: the least that any difference costs beyond the base.
    pub(super) fn least(&self) -> Vec<Vec<C>> {
        let counts = || 0..=self.shape.side;
        let of = |a, b| self.cell(a, b).map_or(C::NEVER, |(_, costs)| least(costs));
        counts()
            .map(|a| counts().map(|b| of(a, b)).collect())
            .collect()
    }

    /// The cost of these counts and this difference, the base included, if they can be had.
    pub(super) fn cost(&self, a: usize, b: usize, difference: i64) -> Option<u64> {
        let (span, costs) = self.cell(a, b)?;
        let place = usize::try_from(difference - span.first).ok()?;
        let beyond = costs.get(place).filter(|cost| cost.is_had())?;
        Some(span.base + beyond.get())
    }

    fn costs_of(&self, span: Span) -> &[C] {
        &self.costs[span.places()]
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
        let Some(span) = shape.span(a, b) else {
            continue;
        };
        // Cell by cell, so that what was just written is still near.
        costs.resize(span.start + span.length, C::NEVER);
        for (before, source, step) in sources {
            improve(
                &mut costs[span.start..],
                &span,
                (before, source),
                (a, b),
                step,
            );
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
        let Some(span) = after.span(a, b) else {
            continue;
        };
        let (lower, target) = costs.split_at_mut(span.start);
        let target = &mut target[..span.length];
        let kept = waits.and_then(|step| Some((before.span(a, b)?, step.price)));
        if let Some((before, price)) = kept {
            let kept = common(&before.differences(), &span.differences());
            let kept = places(span.first, &kept);
            target[..kept.start].fill(C::NEVER);
            target[kept.end..].fill(C::NEVER);
            let beyond = C::of(price + before.base - span.base);
            if beyond > C::FREE {
                for cost in &mut target[kept] {
                    *cost = cost.plus(beyond);
                }
            }
        } else {
            target.fill(C::NEVER);
        }
        for step in steps.iter().filter(|step| !stays(step)) {
            improve(target, &span, (before, lower), (a, b), step);
        }
    }
}

/// Lowers the costs of the `span` of counts `a` and `b` to what the `step` makes of those it starts from,
/// where that is less.
#[expect(
    clippy::inline_always,
    reason = "only where it is inlined does it have the instructions of the processor at hand"
)]
#[inline(always)]
fn improve<C: Cost>(
    target: &mut [C],
    span: &Span,
    (before, costs): (&Shape, &[C]),
    (a, b): (usize, usize),
    step: &Step,
) {
    let Some(source) = before.before(a, b, step) else {
        return;
    };
    let moved = source.first + step.difference;
    let common = common(
        &(moved..source.end() + step.difference),
        &span.differences(),
    );
    let price = C::of(step.price + source.base - span.base);
    let costs = &costs[source.places()][places(moved, &common)];
    let target = &mut target[places(span.first, &common)];
    for (target, cost) in target.iter_mut().zip(costs) {
        *target = (*target).min(cost.plus(price));
    }
}
