use std::ops::Range;

use super::cost::Cost;
use super::ranges::{common, hull};
use super::reach::Reach;

/// What some of the players can do to a split: for every number of them on team A and on team B
/// and every difference Σ_A - Σ_B that they can make of it, the least that it costs.
///
/// The costs of one pair of counts are an array over the difference, from the least that can be
/// reached to the greatest.
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

    /// Room for whatever one of the `steps`, of one player more, makes of its shape, as far as it is
    /// within `reach`; teams have `most` players at most.
    pub(super) fn after(most: usize, steps: &[(&Self, Step)], reach: Option<&Reach>) -> Self {
        let players = steps.iter().map(|(shape, _)| shape.players).max();
        let players = players.map_or(0, |players| players + 1);
        let side = players.min(most);
        let mut cells = vec![Span::default(); (side + 1) * (side + 1)];
        let mut start = 0;
        for a in 0..=side {
            for b in 0..=side.min(players - a) {
                let mut range: Option<Range<i64>> = None;
                for (shape, step) in steps {
                    if let Some(before) = shape.before(a, b, step) {
                        let (first, end) = (
                            before.first + step.difference,
                            before.end() + step.difference,
                        );
                        let reached = first..end;
                        range = Some(range.map_or(reached.clone(), |range| hull(&range, &reached)));
                    }
                }
                let range = range.map(|range| match reach {
                    Some(reach) => common(&range, &reach.differences(a, b)),
                    None => range,
                });
                if let Some(range) = range.filter(|range| !range.is_empty()) {
                    let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
                    cells[a * (side + 1) + b] = Span {
                        first: range.start,
                        start,
                        length,
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
    fn share_room(shapes: &mut [Self]) -> usize {
        let Some(side) = shapes.iter().map(|shape| shape.side).max() else {
            return 0;
        };
        let mut start = 0_usize;
        for (a, b) in (0..=side).flat_map(|a| (0..=side).map(move |b| (a, b))) {
            let spans = shapes.iter().filter_map(|shape| shape.span(a, b));
            let ranges = spans.map(|span| span.differences());
            let Some(all) = ranges.reduce(|one, other| hull(&one, &other)) else {
                continue;
            };
            for shape in &mut *shapes {
                if let Some(span) = shape.span_mut(a, b) {
                    span.start = start + places(all.start, &span.differences()).start;
                }
            }
            start += places(all.start, &all).end;
        }
        start
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

    /// The least that any of the `steps`, of one player more, makes of its table, as far as it is
    /// within `reach`; teams have `most` players at most. Without steps, nothing can be had.
    pub(super) fn after(most: usize, steps: &[(&Self, Step)], reach: Option<&Reach>) -> Self {
        let shapes: Vec<(&Shape, Step)> = steps
            .iter()
            .map(|(table, step)| (&table.shape, *step))
            .collect();
        let shape = Shape::after(most, &shapes, reach);
        let mut costs = Vec::with_capacity(shape.len());
        for a in 0..=shape.side {
            for b in 0..=shape.side.min(shape.players - a) {
                let Some(span) = shape.span(a, b) else {
                    continue;
                };
                // Cell by cell, so that what was just written is still near.
                costs.resize(span.start + span.length, C::NEVER);
                let target = &mut costs[span.start..];
                for (table, step) in steps {
                    if let Some(source) = table.shape.before(a, b, step) {
                        let moved = source.first + step.difference;
                        let reached = moved..source.end() + step.difference;
                        let common = common(&reached, &span.differences());
                        let costs = &table.costs_of(source)[places(moved, &common)];
                        improve(
                            &mut target[places(span.first, &common)],
                            costs,
                            C::of(step.price),
                        );
                    }
                }
            }
        }
        Self { shape, costs }
    }

    /// The same for one player after another, in place: by player the `steps` and the shape after
    /// them, as [`Shape::after`] has it.
    pub(super) fn after_all(self, players: &[Vec<Step>], mut shapes: Vec<Shape>) -> Self {
        let before = self.shape.clone();
        shapes.insert(0, before.clone());
        let mut table = Self {
            costs: vec![C::NEVER; Shape::share_room(&mut shapes)],
            shape: shapes.remove(0),
        };
        for (from, to) in before.cells.iter().zip(&table.shape.cells) {
            table.costs[to.places()].copy_from_slice(&self.costs[from.places()]);
        }
        for (steps, shape) in players.iter().zip(shapes) {
            table.seat(steps, shape);
        }
        table
    }

    /// One player more takes one of the `steps`; `after` is the shape then, in the same room.
    ///
    /// What a step starts from has fewer players on a team, or is what it leads to. So from the
    /// greatest counts to the least nothing is overwritten before it is used.
    fn seat(&mut self, steps: &[Step], after: Shape) {
        let stays = |step: &&Step| step.a == 0 && step.b == 0;
        let waits = steps.iter().find(stays);
        for a in (0..=after.side).rev() {
            for b in (0..=after.side.min(after.players - a)).rev() {
                let Some(span) = after.span(a, b) else {
                    continue;
                };
                let (lower, target) = self.costs.split_at_mut(span.start);
                let target = &mut target[..span.length];
                let kept = waits.and_then(|step| Some((self.shape.span(a, b)?, step.price)));
                if let Some((before, price)) = kept {
                    let kept = common(&before.differences(), &span.differences());
                    let kept = places(span.first, &kept);
                    target[..kept.start].fill(C::NEVER);
                    target[kept.end..].fill(C::NEVER);
                    if price > 0 {
                        raise(&mut target[kept], C::of(price));
                    }
                } else {
                    target.fill(C::NEVER);
                }
                for step in steps.iter().filter(|step| !stays(step)) {
                    if let Some(source) = self.shape.before(a, b, step) {
                        let moved = source.first + step.difference;
                        let reached = moved..source.end() + step.difference;
                        let common = common(&reached, &span.differences());
                        improve(
                            &mut target[places(span.first, &common)],
                            &lower[source.places()][places(moved, &common)],
                            C::of(step.price),
                        );
                    }
                }
            }
        }
        self.shape = after;
    }

    /// Which differences it has.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The span of these counts and the cost of each of its differences.
    pub(super) fn cell(&self, a: usize, b: usize) -> Option<(Span, &[C])> {
        let span = self.shape.span(a, b)?;
        Some((span, self.costs_of(span)))
    }

    /// By counts on A and B: the least that any difference costs.
    pub(super) fn least(&self) -> Vec<Vec<C>> {
        let counts = || 0..=self.shape.side;
        let of = |a, b| self.cell(a, b).map_or(C::NEVER, |(_, costs)| least(costs));
        counts()
            .map(|a| counts().map(|b| of(a, b)).collect())
            .collect()
    }

    /// The cost of these counts and this difference, if they can be had.
    pub(super) fn cost(&self, a: usize, b: usize, difference: i64) -> Option<C> {
        let (span, costs) = self.cell(a, b)?;
        let place = usize::try_from(difference - span.first).ok()?;
        costs.get(place).copied().filter(|cost| cost.is_had())
    }

    fn costs_of(&self, span: Span) -> &[C] {
        &self.costs[span.places()]
    }
}

/// Where `differences` stand in a list that begins with `first`, which is none of the greater.
fn places(first: i64, differences: &Range<i64>) -> Range<usize> {
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

/// Adds `price` to each of `costs`.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn raise<C: Cost>(costs: &mut [C], price: C) {
    for cost in costs {
        *cost = cost.plus(price);
    }
}

/// Lowers each of `target` to what `source` costs with `price` on top, where that is less.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn improve<C: Cost>(target: &mut [C], source: &[C], price: C) {
    for (target, source) in target.iter_mut().zip(source) {
        *target = (*target).min(source.plus(price));
    }
}
