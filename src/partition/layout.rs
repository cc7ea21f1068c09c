use super::chain::{Chain, Way};
use super::reach::{Reach, reaches};
use super::rules::{Rules, Sign};
use super::shape::{Shape, Step};

/// The most players alone who are seated one after another by trying all their seats that may lead to
/// what is wanted, without a table that says which do.
const TRIED: usize = 7;

/// Where everything stands in the tables of one half of the players. That depends on the rules alone
/// and not on how wide the costs are, so it is known before any table is computed.
#[derive(Debug)]
pub(super) struct Layout {
    /// By how many of those who are linked have a seat, by the number of what is remembered then;
    /// everywhere one at least.
    pub(super) linked: Vec<Vec<Shape>>,
    /// By how many of those alone have a seat: what all of them can do, each in the same room.
    pub(super) alone: Vec<Shape>,
    /// How many costs that room holds.
    pub(super) room: usize,
    /// By how many of those alone have a seat: where the costs stand in a table that is kept then, if
    /// one is.
    pub(super) kept: Vec<Option<Shape>>,
    /// How many costs it takes to compute, or as much work.
    pub(super) costs: u64,
}

/// How many costs are computed in the time that it takes to lay out one pair of counts, to begin a span,
/// and to come by the memory for one cost.
const COSTS_OF_COUNTS: usize = 8;
pub(super) const COSTS_OF_SPAN: usize = 256;
const COSTS_OF_ROOM: usize = 4;

impl Layout {
    /// Of the tables of these `members`, of whom those who are linked stand first, with that sign. What
    /// those behind a player and the `others` cannot bring near enough to 0 has no place. Nothing if
    /// that takes more than `most` costs.
    pub(super) fn new(
        rules: &Rules,
        members: &[Chain],
        others: &[Chain],
        sign: Sign,
        most: u64,
    ) -> Option<Self> {
        let mut reaches = reaches(rules, members, others, sign);
        let first_alone = members.partition_point(|chain| !chain.is_alone());
        let (linked_members, alone_members) = members.split_at(first_alone);
        let mut tally = Tally {
            rules,
            sign,
            costs: 0,
            most,
        };
        let mut linked = vec![vec![Shape::nobody()]];
        for ways in linked_members.iter().flat_map(|chain| &chain.ways) {
            let before = &linked[linked.len() - 1];
            let shapes = tally.after(before, ways, &reaches.next()?)?;
            linked.push(shapes);
        }
        let mut alone = vec![linked[linked.len() - 1][0].clone()];
        for ways in alone_members.iter().flat_map(|chain| &chain.ways) {
            let before = &alone[alone.len() - 1..];
            let mut shapes = tally.after(before, ways, &reaches.next()?)?;
            alone.append(&mut shapes);
        }
        let kept = kept(&alone);
        for shape in kept.iter().flatten() {
            tally.count(shape.len())?;
        }
        let room = Shape::share_room(&mut alone);
        tally.count(room.saturating_mul(COSTS_OF_ROOM))?;
        Some(Self {
            linked,
            alone,
            room,
            kept,
            costs: tally.costs,
        })
    }

    /// Tells what everything costs at least by the prices of these `members`, who are the same but for
    /// them.
    pub(super) fn price(&mut self, members: &[Chain], sign: Sign) {
        let mut ways = members.iter().flat_map(|chain| &chain.ways);
        let linked = ways.by_ref().take(self.linked.len() - 1);
        for (seated, ways) in linked.enumerate() {
            let (before, after) = self.linked.split_at_mut(seated + 1);
            price(&before[seated], &mut after[0], ways, sign);
        }
        let nobody_alone = &self.linked[self.linked.len() - 1][0];
        self.alone[0].cost_as(nobody_alone);
        for (seated, ways) in ways.enumerate() {
            let (before, after) = self.alone.split_at_mut(seated + 1);
            price(&before[seated..], &mut after[..1], ways, sign);
        }
        for (kept, shape) in self.kept.iter_mut().zip(&self.alone) {
            if let Some(kept) = kept {
                kept.cost_as(shape);
            }
        }
    }

    /// Where everything stands when so many have a seat, all of those who are linked among them.
    pub(super) fn shape(&self, seated: usize) -> Option<&Shape> {
        self.alone.get(seated.checked_sub(self.linked.len() - 1)?)
    }

    /// What the whole half can do.
    pub(super) fn last(&self) -> Option<&Shape> {
        self.alone.last()
    }
}

/// Lays out one player after another.
struct Tally<'rules> {
    rules: &'rules Rules,
    sign: Sign,
    /// How many costs that takes so far, and how many it may.
    costs: u64,
    most: u64,
}

impl Tally<'_> {
    /// The shapes after one player more, by the number of what is remembered then, to each of which
    /// those `ways` lead from the shapes before; nothing if that is too much.
    fn after(
        &mut self,
        before: &[Shape],
        ways: &[Vec<Way>],
        reach: &Reach<'_>,
    ) -> Option<Vec<Shape>> {
        let mut shapes = Vec::with_capacity(ways.len());
        for ways in ways {
            let shape = Shape::after(self.rules.most, &steps(before, ways, self.sign), reach);
            let spans = COSTS_OF_SPAN * shape.spans().len();
            let costs = shape.end().saturating_add(spans);
            self.count(costs.saturating_mul(ways.len()))?;
            self.count(COSTS_OF_COUNTS * shape.counts_told())?;
            shapes.push(shape);
        }
        if shapes.is_empty() {
            // They cannot all be seated, so nothing can be had.
            shapes.push(Shape::impossible());
        }
        Some(shapes)
    }

    /// Adds so many costs, if there may be as many.
    fn count(&mut self, more: usize) -> Option<()> {
        self.costs = self.costs.saturating_add(more as u64);
        (self.costs <= self.most).then_some(())
    }
}

/// Where these `ways` start from, and what they add.
fn steps<'shapes>(
    before: &'shapes [Shape],
    ways: &[Way],
    sign: Sign,
) -> Vec<(&'shapes Shape, Step)> {
    let steps = ways.iter().map(|way| (&before[way.from], way.step(sign)));
    steps.collect()
}

/// Tells what the shapes `after` one player more cost at least, to each of which those `ways` lead from
/// the shapes `before`.
fn price(before: &[Shape], after: &mut [Shape], ways: &[Vec<Way>], sign: Sign) {
    for (shape, ways) in after.iter_mut().zip(ways) {
        shape.price(&steps(before, ways, sign));
    }
}

/// By how many of those alone have a seat: the shape of a table that is kept then, if one is. They are
/// counted back from the last player, so that those which are kept are the smallest that will do; the last
/// table of all is the half's own.
fn kept(alone: &[Shape]) -> Vec<Option<Shape>> {
    let players = alone.len() - 1;
    let is_kept =
        |seated: usize| seated > 0 && seated < players && (players - seated).is_multiple_of(TRIED);
    let shapes = alone.iter().enumerate();
    shapes
        .map(|(seated, shape)| is_kept(seated).then(|| shape.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_are_tried_follow_a_table_that_is_kept() {
        let kept_after = |players: usize| -> Vec<usize> {
            let kept = kept(&vec![Shape::nobody(); players + 1]);
            let places = kept.iter().enumerate();
            let places = places.filter(|(_, shape)| shape.is_some());
            places.map(|(seated, _)| seated).collect()
        };
        let players = [0, TRIED, TRIED + 1, 2 * TRIED, 2 * TRIED + 2];
        let expected = [vec![], vec![], vec![1], vec![TRIED], vec![2, TRIED + 2]];
        assert_eq!(players.map(kept_after), expected);
    }
}
