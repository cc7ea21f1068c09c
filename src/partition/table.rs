use std::ops::Range;

use super::cost::Cost;
use super::ranges::{common, hull};
use super::reach::Reach;

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

/// Which differences a [`Table`] has room for.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// How many players there are.
    players: usize,
    /// The most of them on one team.
    side: usize,
    /// By count on A times (side + 1) plus count on B.
    cells: Vec<Span>,
}

/// The differences of one pair of counts, and where their costs stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    /// The least difference.
    pub(super) first: i64,
    start: usize,
    /// How many differences there are; 0 where the counts cannot be had.
    pub(super) length: usize,
    /// No difference costs less: what the cheapest seats with these counts cost, whatever difference
    /// they make. A step from one span to another costs at least what it adds to the base, so what
    /// is beyond the base never falls on the way to a split.
    pub(super) base: u64,
}

/// What somebody who takes a seat adds to a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// To the number of players on team A.
    pub(super) a: usize,
    /// On team B.
    pub(super) b: usize,
    /// To the difference.
    pub(super) difference: i64,
    /// To the cost.
    pub(super) price: u64,
}

impl Shape {
    /// Nobody yet: no players, no difference.
    pub(super) fn nobody() -> Self {
        Self {
            players: 0,
            side: 0,
            cells: vec![Span {
                length: 1,
                ..Span::default()
            }],
        }
    }

    /// Nothing can be had.
    pub(super) fn impossible() -> Self {
        Self {
            players: 0,
            side: 0,
            cells: vec![Span::default()],
        }
    }

    /// Room for whatever one of the `steps`, of one player more, makes of its shape, as far as it is
    /// within `reach`; teams have `most` players at most.
    pub(super) fn after(most: usize, steps: &[(&Self, Step)], reach: &Reach<'_>) -> Self {
        let players = steps.iter().map(|(shape, _)| shape.players).max();
        let players = players.map_or(0, |players| players + 1);
        let side = players.min(most);
        let mut cells = vec![Span::default(); (side + 1) * (side + 1)];
        let mut start = 0;
        for a in 0..=side {
            for b in 0..=side.min(players - a) {
                let mut range: Option<Range<i64>> = None;
                let mut base = u64::MAX;
                for (shape, step) in steps {
                    if let Some(before) = shape.before(a, b, step) {
                        base = base.min(before.base + step.price);
                        let (first, end) = (
                            before.first + step.difference,
                            before.end() + step.difference,
                        );
                        let reached = first..end;
                        range = Some(range.map_or(reached.clone(), |range| hull(&range, &reached)));
                    }
                }
                let range = range.map(|range| common(&range, &reach.differences(a, b)));
                if let Some(range) = range.filter(|range| !range.is_empty()) {
                    let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
                    cells[a * (side + 1) + b] = Span {
                        first: range.start,
                        start,
                        length,
                        base,
                    };
                    start = start.saturating_add(length);
                }
            }
        }
        Self {
            players,
            side,
            cells,
        }
    }

    /// Gives every pair of counts a place of its own, with room for what any of the `shapes` has
    /// there, and makes all of them stand in it. Answers how many costs that takes.
    pub(super) fn share_room(shapes: &mut [Self]) -> usize {
        let side = shapes.iter().map(|shape| shape.side).max();
        let side = side.unwrap_or_default();
        let mut all: Vec<Range<i64>> = vec![0..0; (side + 1) * (side + 1)];
        for shape in &*shapes {
            for (a, b) in shape.counts() {
                if let Some(span) = shape.span(a, b) {
                    let all = &mut all[a * (side + 1) + b];
                    *all = hull(all, &span.differences());
                }
            }
        }
        let mut room = 0_usize;
        let starts = all.iter().map(|all| {
            let start = room;
            room += places(all.start, all).end;
            start
        });
        let starts: Vec<usize> = starts.collect();
        for shape in shapes {
            for (a, b) in shape.counts() {
                if let Some(span) = shape.span_mut(a, b) {
                    let place = a * (side + 1) + b;
                    span.start =
                        starts[place] + places(all[place].start, &span.differences()).start;
                }
            }
        }
        room
    }

    /// The counts on A and B that there may be, ascending.
    fn counts(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let (players, side) = (self.players, self.side);
        (0..=side).flat_map(move |a| (0..=side.min(players - a)).map(move |b| (a, b)))
    }

    fn span_mut(&mut self, a: usize, b: usize) -> Option<&mut Span> {
        if a > self.side || b > self.side {
            return None;
        }
        let span = &mut self.cells[a * (self.side + 1) + b];
        (span.length > 0).then_some(span)
    }

    /// The span from which `step` leads to counts `a` and `b`.
    fn before(&self, a: usize, b: usize, step: &Step) -> Option<Span> {
        self.span(a.checked_sub(step.a)?, b.checked_sub(step.b)?)
    }

    /// The span of these counts, if they can be had.
    pub(super) fn span(&self, a: usize, b: usize) -> Option<Span> {
        if a > self.side || b > self.side {
            return None;
        }
        let span = self.cells[a * (self.side + 1) + b];
        (span.length > 0).then_some(span)
    }

    /// How many pairs of counts it tells of.
    pub(super) fn counts_told(&self) -> usize {
        self.cells.len()
    }

    /// How many costs there are room for.
    pub(super) fn len(&self) -> usize {
        let ends = self
            .cells
            .iter()
            .map(|span| span.start.saturating_add(span.length));
        ends.max().unwrap_or_default()
    }
}

impl Span {
    /// The differences from the least to one past the greatest.
    pub(super) fn differences(&self) -> Range<i64> {
        self.first..self.end()
    }

    /// Where its costs stand.
    fn places(&self) -> Range<usize> {
        self.start..self.start + self.length
    }

    fn end(&self) -> i64 {
        let length = i64::try_from(self.length).unwrap_or(i64::MAX);
        self.first.saturating_add(length)
    }
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

/// Where `differences` stand in a list that begins with `first`, which is none of the greater.
pub(super) fn places(first: i64, differences: &Range<i64>) -> Range<usize> {
    let place = |difference: i64| usize::try_from(difference - first).unwrap_or_default();
    if differences.is_empty() {
        return 0..0;
    }
    place(differences.start)..place(differences.end)
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
