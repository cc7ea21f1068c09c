use std::cell::Cell;

use super::halves::{First, Halving};
use super::laid_out::LaidOut;
use super::linked::Linked;
use super::rules::Rules;

/// From how many costs on it is worth to look whether another order makes them fewer, or another cut: where wide
/// gaps are left out, and anyway. An order seldom does without gaps, and then by little.
const SOME_WITH_GAPS: u64 = if cfg!(test) { 1 << 20 } else { 1 << 25 };
const SOME_WITHOUT: u64 = 1 << 28;

/// From how many times the costs of the other half on a half is looked at with fewer players.
const LOPSIDED: u64 = 4;

/// Where more than this part of the work that is left would be spent, the best halves are looked for each time.
const SCARCE: u64 = 16;

impl LaidOut {
    /// In halves as `remembered`, or else in better ones than usual where that matters, which are remembered
    /// then; if a run over these sizes takes no more than `most` costs.
    pub(super) fn new(
        linked: &[Linked],
        rules: &Rules,
        sizes: &[usize],
        most: u64,
        remembered: &Cell<Option<Halving>>,
    ) -> Option<Self> {
        let parted = |halving, most| Self::parted(halving, linked, rules, sizes, most);
        if let Some(halving) = remembered.get()
            && let Some(laid_out) = parted(halving, most / SCARCE)
        {
            return Some(laid_out);
        }
        let usual = Halving::default();
        let or_in_other_order = |best: Option<Self>| {
            if best.as_ref().is_some_and(Self::is_settled) {
                return best;
            }
            let (halving, fewer) = match &best {
                Some(best) => (best.halving, best.costs - 1),
                None => (usual, most),
            };
            let first = First::Middle;
            parted(Halving { first, ..halving }, fewer).or(best)
        };
        let at_first = parted(usual, most);
        let is_settled = at_first.as_ref().is_some_and(Self::is_settled);
        let mut best = or_in_other_order(at_first);
        while let Some(laid_out) = &best
            && let Some(evener) = laid_out.evener()
            && let Some(fewer) = parted(evener, laid_out.costs - 1)
        {
            best = Some(fewer);
        }
        // With the usual cut it was tried already.
        if best.as_ref().is_some_and(|best| best.halving.moved != 0) {
            best = or_in_other_order(best);
        }
        let halving = best.as_ref()?.halving;
        if !(is_settled && halving == usual) {
            remembered.set(Some(halving));
        }
        best
    }

    /// Whether another order is not worth a look.
    fn is_settled(&self) -> bool {
        self.halving.first != First::Best
            || self.costs < SOME_WITH_GAPS
            || self.costs < SOME_WITHOUT && !self.has_gaps()
    }

    /// Halves of which the dearer one has fewer players, if that is worth a look: as where one half is a cluster
    /// of ratings and somebody who belongs to it is in the other.
    fn evener(&self) -> Option<Halving> {
        let [left, right] = [&self.layouts[0], &self.layouts[1]].map(|layout| layout.costs);
        let more = isize::from(right > LOPSIDED * left) - isize::from(left > LOPSIDED * right);
        let is_worth_a_look = more != 0 && self.costs >= SOME_WITH_GAPS;
        is_worth_a_look.then(|| Halving {
            moved: self.halving.moved + more,
            ..self.halving
        })
    }

    /// Whether clusters of ratings leave so many wide gaps that there is one for every two pairs of counts.
    fn has_gaps(&self) -> bool {
        let shapes = self.layouts.iter().flat_map(|layout| &layout.alone);
        let (spans, cells) = shapes.fold((0, 0), |(spans, cells), shape| {
            (spans + shape.spans().len(), cells + shape.counts_had())
        });
        2 * spans > 3 * cells
    }
}

#[cfg(test)]
mod tests {
    use super::super::brief::Brief;
    use super::super::linked::linked;
    use super::super::pool::generators::pool_of;
    use super::super::prices::{Order, Prices, pairs_apart};
    use super::super::rules::generators::rules;
    use super::super::wishes::Wishes;
    use super::*;

    #[test]
    fn the_order_that_costs_less_is_taken_and_remembered() {
        let all_over = (0..48).map(|number| number * 7919 % 9973);
        let in_clusters = (0..64).map(|number| match number % 6 {
            0 => number * 200,
            _ => number % 2 * 13_000 + number,
        });
        let pools: [Vec<i32>; 2] = [all_over.collect(), in_clusters.collect()];
        let orders = [First::Best, First::Middle].map(|first| Halving { first, moved: 0 });
        for (ratings, (better, worse)) in pools.iter().zip([(0, 1), (1, 0)]) {
            let (pool, wishes) = (pool_of(ratings), Wishes::default());
            let brief = Brief::new(&pool, &wishes);
            let prices = Prices::new(&brief, Order::TurnsFirst, 0);
            let linked = linked(&brief, &pairs_apart(&brief, 0));
            let half = ratings.len() / 2;
            let rules = rules(&brief, prices, half);
            let costs = orders.map(|halving| {
                let laid_out = LaidOut::parted(halving, &linked, &rules, &[half], u64::MAX);
                laid_out.map_or(0, |laid_out| laid_out.costs)
            });
            assert!(SOME_WITH_GAPS < costs[0] && 0 < costs[better] && costs[better] < costs[worse]);
            let with = |remembered, most| {
                let remembered = Cell::new(remembered);
                let laid_out = LaidOut::new(&linked, &rules, &[half], most, &remembered);
                (laid_out.map(|laid_out| laid_out.costs), remembered.get())
            };
            let [best, other] = [better, worse].map(|order| (costs[order], Some(orders[order])));
            assert_eq!(with(None, u64::MAX), (Some(best.0), best.1));
            assert_eq!(
                with(other.1, u64::MAX),
                (Some(other.0), other.1),
                "as remembered"
            );
            assert_eq!(
                with(other.1, costs[0]),
                (Some(best.0), best.1),
                "where work is scarce"
            );
            assert_eq!(
                with(None, best.0),
                (Some(best.0), best.1),
                "if only that fits"
            );
            assert_eq!(with(None, best.0 - 1), (None, None));
        }
    }

    #[test]
    fn where_a_cluster_is_cut_the_dearer_half_is_made_smaller() {
        // The best are a cluster, of which two at first belong to the lower half.
        let ratings = (0..44).map(|number| match number {
            0..24 => 9000 + number,
            _ => number * 7919 % 4973,
        });
        let (pool, wishes) = (pool_of(&ratings.collect::<Vec<i32>>()), Wishes::default());
        let brief = Brief::new(&pool, &wishes);
        let linked = linked(&brief, &[]);
        let rules = rules(&brief, Prices::new(&brief, Order::TurnsFirst, 0), 22);
        let remembered = Cell::new(None);
        let found = LaidOut::new(&linked, &rules, &[22], u64::MAX, &remembered).unwrap();
        assert!(found.halving.moved >= 2 && found.cut == 22 + found.halving.moved.unsigned_abs());
        assert_eq!(remembered.get(), Some(found.halving));
        for first in [First::Best, First::Middle] {
            let halving = Halving { first, moved: 0 };
            let unmoved = LaidOut::parted(halving, &linked, &rules, &[22], u64::MAX);
            assert!(found.costs < unmoved.unwrap().costs);
        }
    }
}
