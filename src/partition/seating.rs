use super::cell::{Cell, Span};
use super::chunks::make_each;
use super::cost::Cost;
use super::ranges::length;
use super::shape::{Shape, Step};

/// One player more takes one of the `steps`, in place: of those that make somebody play there are two
/// at most.
///
/// What a step starts from has fewer players on a team, or is what it leads to. So from the
/// greatest counts to the least nothing is overwritten before it is used.
///
/// Where the shape `before` has no place, but `after` has, nothing could be had so far: what stands there
/// is [`Cost::NEVER`]. It is so from the start, and is made so where somebody may not wait, even of counts
/// that cannot be had then, because later players may bring them back. What was left out as beyond reach
/// still stands, but the fewer have no seat yet the less is within reach.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn seat<C: Cost>(costs: &mut [C], before: &Shape, after: &Shape, steps: &[Step]) {
    let stays = |step: &&Step| step.a == 0 && step.b == 0;
    let waiting = steps.iter().find(stays);
    for total in (0..=after.total()).rev() {
        for a in (0..=total).rev() {
            let b = total - a;
            let own = before.cell(a, b);
            if waiting.is_none() {
                let spans = own.iter().flat_map(|own| own.spans);
                spans.for_each(|span| costs[span.places()].fill(C::NEVER));
            }
            let Some(cell) = after.cell(a, b) else {
                continue;
            };
            let wait = own.zip(waiting).map_or(C::FREE, |(own, step)| {
                C::of(step.price + own.base - cell.base)
            });
            let (lower, target) = costs.split_at_mut(cell.spans[0].start);
            let mut plays = steps.iter().filter(|step| !stays(step));
            let [mut one, mut other] = std::array::from_fn(|_| {
                let step = plays.next();
                step.map_or(Source::NONE, |step| {
                    Source::new(before, (a, b), &cell, step)
                })
            });
            for span in cell.spans {
                let mut target = &mut target[cell.places(span)];
                let mut first = span.first;
                while !target.is_empty() {
                    for source in [&mut one, &mut other] {
                        source.skip_to(first);
                    }
                    let ends = [&one, &other].map(|source| source.end_from(first));
                    let end = ends.into_iter().fold(span.end, i64::min);
                    let (part, rest) = target.split_at_mut(length(&(first..end)));
                    let lists = [&one, &other].map(|source| source.costs_from(first, lower));
                    take_least(part, wait, lists);
                    (target, first) = (rest, end);
                }
            }
        }
    }
}

/// The costs of one pair of counts that a step starts from, or nothing.
struct Source<'shape, C> {
    /// The first difference that the span leads to which is asked for next.
    first: i64,
    /// One past the last of these.
    end: i64,
    /// Where the costs of that span stand.
    start: usize,
    /// Those behind it.
    spans: &'shape [Span],
    /// What the step adds to the difference.
    difference: i64,
    /// What it costs beyond the base of the counts that it leads to.
    price: C,
}

impl<'shape, C: Cost> Source<'shape, C> {
    /// Nothing leads anywhere.
    const NONE: Self = Self {
        first: i64::MAX,
        end: i64::MAX,
        start: 0,
        spans: &[],
        difference: 0,
        price: C::FREE,
    };

    /// Of the counts in the shape `before` from which the step leads to the `cell` of these counts.
    fn new(before: &'shape Shape, (a, b): (usize, usize), cell: &Cell<'_>, step: &Step) -> Self {
        let Some(before) = before.before(a, b, step) else {
            return Self::NONE;
        };
        let mut source = Self {
            spans: before.spans,
            difference: step.difference,
            price: C::of(step.price + before.base - cell.base),
            ..Self::NONE
        };
        source.go_on();
        source
    }

    /// To the next span, if there is one.
    fn go_on(&mut self) {
        let Some((span, rest)) = self.spans.split_first() else {
            *self = Self::NONE;
            return;
        };
        self.first = span.first + self.difference;
        self.end = span.end + self.difference;
        self.start = span.start;
        self.spans = rest;
    }

    /// Goes on to the span that leads to this difference, or else to the next.
    #[inline]
    fn skip_to(&mut self, difference: i64) {
        while self.end <= difference {
            self.go_on();
        }
    }

    /// Whether it leads to this difference, when it has gone on to it.
    #[inline]
    fn has(&self, difference: i64) -> bool {
        self.first <= difference
    }

    /// Up to where it leads to all that follow, or to none.
    #[inline]
    fn end_from(&self, difference: i64) -> i64 {
        if self.has(difference) {
            self.end
        } else {
            self.first
        }
    }

    /// The costs from the one on that leads to this difference, if one does, and the price.
    #[inline]
    fn costs_from<'costs>(&self, difference: i64, costs: &'costs [C]) -> Option<(&'costs [C], C)> {
        self.has(difference).then(|| {
            let place = usize::try_from(difference - self.first).unwrap_or_default();
            (&costs[self.start + place..], self.price)
        })
    }
}

/// Makes of costs the least of themselves, for the price to `wait`, and of what there is of two lists, each
/// for its price. Where nobody can wait none of the costs can be had, whatever that price.
#[expect(
    clippy::inline_always,
    reason = "only where it is inlined does it have the instructions of the processor at hand"
)]
#[inline(always)]
fn take_least<C: Cost>(costs: &mut [C], wait: C, lists: [Option<(&[C], C)>; 2]) {
    match lists {
        [Some((ones, play)), Some((others, other))] => {
            make_each(costs, [ones, others], |cost, [one, another]| {
                cost.plus(wait).min(one.plus(play)).min(another.plus(other))
            });
        }
        [Some((ones, play)), None] | [None, Some((ones, play))] => {
            make_each(costs, [ones], |cost, [one]| {
                cost.plus(wait).min(one.plus(play))
            });
        }
        [None, None] => {
            if wait > C::FREE {
                make_each(costs, [], |cost, []| cost.plus(wait));
            }
        }
    }
}
