use super::chain::{Chain, Way};
use super::reach::reaches;
use super::rules::{Rules, Sign};
use super::table::{Shape, Step};

/// The most players alone who are seated one after another by trying all their seats, without a
/// table that says which of them lead to what is wanted.
const TRIED: usize = 5;

/// Where everything stands in the tables of one half of the players. That depends on the rules alone
/// and not on how wide the costs are, so it is known before any table is computed.
#[derive(Clone, Debug)]
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
    /// How many costs are computed or copied.
    pub(super) costs: u64,
}

impl Layout {
    /// Of the tables of these `members`, of whom those who are linked stand first, with that sign. What
    /// those behind a player and the `others` cannot bring near enough to 0 has no place.
    pub(super) fn new(rules: &Rules, members: &[Chain], others: &[Chain], sign: Sign) -> Self {
        let reaches = reaches(rules, members, others, sign);
        let mut costs = 0_u64;
        let mut count = |shape: &Shape, sources: usize| {
            let more = shape.len().saturating_mul(sources);
            costs = costs.saturating_add(more as u64);
        };
        let mut linked = vec![vec![Shape::nobody()]];
        let mut alone: Vec<Shape> = Vec::new();
        for (chain, reaches) in members.iter().zip(&reaches) {
            for (position, ways) in chain.ways.iter().enumerate() {
                let before = match alone.last() {
                    Some(shape) => std::slice::from_ref(shape),
                    None => linked.last().map_or(&[][..], Vec::as_slice),
                };
                let after = |ways: &Vec<Way>| {
                    let steps = ways.iter().map(|way| (&before[way.from], way.step(sign)));
                    let steps: Vec<(&Shape, Step)> = steps.collect();
                    Shape::after(rules.most, &steps, reaches.get(position))
                };
                let mut shapes: Vec<Shape> = ways.iter().map(after).collect();
                if shapes.is_empty() {
                    // They cannot all be seated, so nothing can be had.
                    shapes.push(Shape::impossible());
                }
                for (shape, ways) in shapes.iter().zip(ways) {
                    count(shape, ways.len());
                }
                if chain.is_alone() {
                    if alone.is_empty() {
                        alone.extend(before.first().cloned());
                    }
                    alone.append(&mut shapes);
                } else {
                    linked.push(shapes);
                }
            }
        }
        if alone.is_empty() {
            alone.extend(linked.last().and_then(|shapes| shapes.first()).cloned());
        }
        let blocks = (alone.len() - 1).div_ceil(TRIED).max(1);
        let stride = (alone.len() - 1).div_ceil(blocks).max(1);
        let is_kept =
            |seated: usize| seated > 0 && seated < alone.len() - 1 && seated.is_multiple_of(stride);
        let kept = alone.iter().enumerate();
        let kept = kept.map(|(seated, shape)| is_kept(seated).then(|| shape.clone()));
        let kept: Vec<Option<Shape>> = kept.collect();
        for shape in kept.iter().flatten() {
            count(shape, 1);
        }
        Self {
            room: Shape::share_room(&mut alone),
            linked,
            alone,
            kept,
            costs,
        }
    }

    /// What the whole half can do.
    pub(super) fn last(&self) -> Option<&Shape> {
        self.alone.last()
    }
}
