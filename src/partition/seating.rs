use super::cost::Cost;
use super::shape::{Cell, Shape, Span, Step, length};

/// One player more takes one of the `steps`, in place: of those that make somebody play there are two
/// at most.
///
/// What a step starts from has fewer players on a team, or is what it leads to. So from the
/// greatest counts to the least nothing is overwritten before it is used.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn seat<C: Cost>(costs: &mut [C], before: &Shape, after: &Shape, steps: &[Step]) {
    let stays = |step: &&Step| step.a == 0 && step.b == 0;
    for (a, b) in after.counts().rev() {
        let Some(cell) = after.cell(a, b) else {
            continue;
        };
        let (lower, target) = costs.split_at_mut(cell.spans[0].start);
        let source = |step: &Step| Some(Source::new(&before.before(a, b, step)?, &cell, step));
        let mut kept = steps.iter().find(stays).and_then(source);
        let mut plays = steps.iter().filter(|step| !stays(step)).filter_map(source);
        let (mut one, mut other) = (plays.next(), plays.next());
        for span in cell.spans {
            let mut target = &mut target[cell.places(span)];
            let mut first = span.first;
            while !target.is_empty() {
                let advance = |source: &mut Option<Source<'_, C>>| {
                    let source = source.as_mut();
                    source.map_or((None, i64::MAX), |source| source.advance(first))
                };
                let [kept_at, one_at, other_at] = [&mut kept, &mut one, &mut other].map(advance);
                let end = [kept_at, one_at, other_at].map(|(_, end)| end);
                let end = end.into_iter().fold(span.end(), i64::min);
                let (part, rest) = target.split_at_mut(length(&(first..end)));
                let costs = |place: Option<usize>, source: &Option<Source<'_, C>>| {
                    Some((&lower[place?..][..part.len()], source.as_ref()?.price))
                };
                let lists = [costs(one_at.0, &one), costs(other_at.0, &other)];
                let wait = kept_at.0.and(kept.as_ref()).map(|kept| kept.price);
                take_least(part, wait, lists);
                (target, first) = (rest, end);
            }
        }
    }
}

/// The costs of one pair of counts that a step starts from.
struct Source<'shape, C> {
    /// Those of them that may be asked for still.
    spans: &'shape [Span],
    /// What the step adds to the difference.
    difference: i64,
    /// What it costs beyond the base of the counts that it leads to.
    price: C,
}

impl<'shape, C: Cost> Source<'shape, C> {
    /// Of the counts `before` to those of the `cell`.
    fn new(before: &Cell<'shape>, cell: &Cell<'_>, step: &Step) -> Self {
        Self {
            spans: before.spans,
            difference: step.difference,
            price: C::of(step.price + before.base - cell.base),
        }
    }

    /// Goes on to a difference that the step leads to. Answers where the cost stands that leads there, if
    /// one does, and up to which difference those beside it lead to those that follow, or none does.
    fn advance(&mut self, difference: i64) -> (Option<usize>, i64) {
        let before = difference - self.difference;
        while let [span, rest @ ..] = self.spans {
            if before < span.first {
                return (None, span.first + self.difference);
            }
            if before < span.end() {
                let place = usize::try_from(before - span.first).unwrap_or_default();
                return (Some(span.start + place), span.end() + self.difference);
            }
            self.spans = rest;
        }
        (None, i64::MAX)
    }
}

/// Makes of costs the least of themselves, if that counts and for that price, and of what there is of two
/// lists, each for its price.
#[expect(
    clippy::inline_always,
    reason = "only where it is inlined does it have the instructions of the processor at hand"
)]
#[inline(always)]
fn take_least<C: Cost>(costs: &mut [C], wait: Option<C>, lists: [Option<(&[C], C)>; 2]) {
    match (wait, lists) {
        (Some(wait), [Some((ones, play)), Some((others, other))]) => {
            for ((cost, one), another) in costs.iter_mut().zip(ones).zip(others) {
                *cost = cost.plus(wait).min(one.plus(play)).min(another.plus(other));
            }
        }
        (Some(wait), [Some((ones, play)), None] | [None, Some((ones, play))]) => {
            for (cost, one) in costs.iter_mut().zip(ones) {
                *cost = cost.plus(wait).min(one.plus(play));
            }
        }
        (Some(wait), [None, None]) => {
            if wait > C::FREE {
                for cost in costs {
                    *cost = cost.plus(wait);
                }
            }
        }
        (None, [Some((ones, play)), Some((others, other))]) => {
            for ((cost, one), another) in costs.iter_mut().zip(ones).zip(others) {
                *cost = one.plus(play).min(another.plus(other));
            }
        }
        (None, [Some((ones, play)), None] | [None, Some((ones, play))]) => {
            for (cost, one) in costs.iter_mut().zip(ones) {
                *cost = one.plus(play);
            }
        }
        (None, [None, None]) => costs.fill(C::NEVER),
    }
}
