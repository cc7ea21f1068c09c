use std::cell::Cell;

use super::chain::Chain;
use super::halves::{First, in_halves};
use super::layout::{COSTS_OF_SPAN, Layout};
use super::linked::Linked;
use super::rules::{Rules, Sign};

/// From how many costs on it is worth to look whether another order makes them fewer.
const SOME: u64 = 1 << 25;

/// Where more than this part of the work that is left would be spent, the order that makes the costs
/// fewer is looked for each time.
const SCARCE: u64 = 16;

/// All players in their halves, and where everything stands in the tables of these.
pub(super) struct LaidOut {
    pub(super) members: Vec<Chain>,
    /// Where the lower half begins.
    pub(super) cut: usize,
    pub(super) layouts: [Layout; 2],
    /// How many costs a run over the sizes computes or compares.
    pub(super) costs: u64,
}

impl LaidOut {
    /// In the order that is `remembered`, or else in the better one of two where that matters, which is
    /// remembered then; if a run over these sizes takes no more than `most` costs.
    pub(super) fn new(
        linked: &[Linked],
        rules: &Rules,
        sizes: &[usize],
        most: u64,
        remembered: &Cell<Option<First>>,
    ) -> Option<Self> {
        let in_order = |first, most| Self::in_order(first, linked, rules, sizes, most);
        let first = remembered.get();
        first
            .and_then(|first| in_order(first, most / SCARCE))
            .or_else(|| {
                let best = in_order(First::Best, most)?;
                if best.costs < SOME {
                    return Some(best);
                }
                let middle = in_order(First::Middle, best.costs - 1);
                let first = middle.as_ref().map_or(First::Best, |_| First::Middle);
                remembered.set(Some(first));
                Some(middle.unwrap_or(best))
            })
    }

    fn in_order(
        first: First,
        linked: &[Linked],
        rules: &Rules,
        sizes: &[usize],
        most: u64,
    ) -> Option<Self> {
        let (linked, cut) = in_halves(linked, &rules.points, first);
        let members = linked.iter().map(|linked| Chain::new(linked, rules));
        let members: Vec<Chain> = members.collect();
        let (left, right) = members.split_at(cut);
        let layouts = [
            Layout::new(rules, left, right, Sign::Plus, most)?,
            Layout::new(rules, right, left, Sign::Minus, most)?,
        ];
        let costs = costs(&layouts, sizes);
        (costs <= most).then_some(Self {
            members,
            cut,
            layouts,
            costs,
        })
    }
}

/// How many costs a run over these sizes computes or compares, or does as much work as that.
pub(super) fn costs(layouts: &[Layout; 2], sizes: &[usize]) -> u64 {
    let [left, right] = layouts;
    let mut costs = left.costs.saturating_add(right.costs);
    if let (Some(left), Some(right)) = (left.last(), right.last()) {
        for &size in sizes {
            let places = left.joined(right, size).map(|(_, left, right)| {
                let spans = left.spans.len().min(right.spans.len());
                (left.len().min(right.len()) + COSTS_OF_SPAN * spans) as u64
            });
            costs = places.fold(costs, u64::saturating_add);
        }
    }
    costs
}
