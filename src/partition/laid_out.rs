use super::cell::{Span, total_length};
use super::chain::Chain;
use super::halves::{Halving, in_halves};
use super::layout::{COSTS_OF_SPAN, Layout};
use super::linked::Linked;
use super::rules::{Rules, Sign};

/// Where no more than so many costs are compared, they are not counted one pair of counts after another.
const FEW: u64 = if cfg!(test) { 1 << 8 } else { 1 << 22 };

/// All players in their halves, and where everything stands in the tables of these.
pub(super) struct LaidOut {
    pub(super) members: Vec<Chain>,
    /// Where the lower half begins.
    pub(super) cut: usize,
    pub(super) layouts: [Layout; 2],
    /// How many costs a run over the sizes computes or compares, or does as much work as that.
    pub(super) costs: u64,
    pub(super) halving: Halving,
}

impl LaidOut {
    /// The same by other prices, which tell less: those of these `rules`, which are the same but for them.
    pub(super) fn priced(self, linked: &[Linked], rules: &Rules) -> Self {
        let (mut members, cut) = members(self.halving, linked, rules);
        for (chain, exact) in members.iter_mut().zip(&self.members) {
            chain.know_untold(exact, rules.prices.times);
        }
        let (left, right) = members.split_at(cut);
        let mut layouts = self.layouts;
        layouts[0].price(left, Sign::Plus);
        layouts[1].price(right, Sign::Minus);
        Self {
            members,
            layouts,
            ..self
        }
    }

    /// In such halves, if a run over these sizes takes no more than `most` costs.
    pub(super) fn parted(
        halving: Halving,
        linked: &[Linked],
        rules: &Rules,
        sizes: &[usize],
        most: u64,
    ) -> Option<Self> {
        let (members, cut) = members(halving, linked, rules);
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
            halving,
        })
    }
}

/// All players in those halves, and where the lower one begins.
fn members(halving: Halving, linked: &[Linked], rules: &Rules) -> (Vec<Chain>, usize) {
    let (linked, cut) = in_halves(linked, rules, halving);
    let members = linked.iter().map(|linked| Chain::new(linked, rules));
    (members.collect(), cut)
}

/// How many costs a run over these sizes computes or compares, or does as much work as that; somewhat more
/// where these are few.
fn costs(layouts: &[Layout; 2], sizes: &[usize]) -> u64 {
    let [left, right] = layouts;
    let mut costs = left.costs.saturating_add(right.costs);
    if let (Some(left), Some(right)) = (left.last(), right.last()) {
        let of_size = compared([left.spans(), right.spans()]);
        let at_most = of_size.saturating_mul(sizes.len() as u64);
        if at_most <= FEW {
            return costs.saturating_add(at_most);
        }
        for &size in sizes {
            // Folded, since rows in rows are slow to ask for one item after another.
            let pairs = left.joined(right, size);
            let of_pairs = pairs.map(|(_, left, right)| compared([left.spans, right.spans]));
            costs = of_pairs.fold(costs, u64::saturating_add);
        }
    }
    costs
}

/// How many costs are compared, at most, where those of two halves have these spans.
fn compared(halves: [&[Span]; 2]) -> u64 {
    let least = |counts: [usize; 2]| counts[0].min(counts[1]);
    let spans = least(halves.map(<[Span]>::len));
    least(halves.map(total_length)).saturating_add(COSTS_OF_SPAN * spans) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::brief::Brief;
    use super::super::linked::linked;
    use super::super::pool::generators::{player, pool_of};
    use super::super::prices::{Detail, Order, Prices, pairs_apart};
    use super::super::rules::generators::rules;
    use super::super::slack::Slack;
    use super::super::split::Seat;
    use super::super::wishes::{Current, Wishes};
    use super::*;

    #[test]
    fn other_prices_are_those_of_tables_laid_out_by_them() {
        let pool = pool_of(
            &(0..31)
                .map(|number| number * 7919 % 9973)
                .collect::<Vec<i32>>(),
        );
        let numbered = |numbers: std::ops::Range<u64>| numbers.map(player).collect::<Vec<_>>();
        let wishes = Wishes {
            current: Some(Current {
                a: numbered(1..12),
                b: numbered(12..24),
            }),
            parties: vec![numbered(3..6), vec![player(1), player(20)]],
            apart: vec![[player(4), player(9)]],
            waited: numbered(8..16)
                .into_iter()
                .zip([1, 2].into_iter().cycle())
                .collect(),
            ..Wishes::default()
        };
        let brief = Brief::new(&pool, &wishes);
        let linked = linked(&brief, &pairs_apart(&brief, 1));
        let telling = |detail| {
            let prices = Prices::telling(detail, &brief, Order::TurnsFirst, 1);
            rules(&brief, prices, 15)
        };
        let (exact, few) = (telling(Detail::Everything), telling(Detail::Moves(2)));
        let parted = |rules| LaidOut::parted(Halving::default(), &linked, rules, &[15], u64::MAX);
        let bases = |laid_out: &LaidOut| {
            let layouts = laid_out.layouts.iter();
            let shapes = layouts.flat_map(|layout| {
                let apart = layout
                    .linked
                    .iter()
                    .flatten()
                    .chain(layout.kept.iter().flatten());
                apart.chain(&layout.alone)
            });
            let bases = shapes.flat_map(|shape| {
                let cells = shape.counts().map(|(a, b)| shape.cell(a, b));
                cells
                    .map(|cell| cell.map(|cell| cell.base))
                    .collect::<Vec<_>>()
            });
            bases.collect::<Vec<Option<u64>>>()
        };
        let (before, expected) = (parted(&exact).unwrap(), parted(&few).unwrap());
        assert!(
            before
                .layouts
                .iter()
                .all(|layout| layout.kept.iter().flatten().count() > 0)
        );
        assert_ne!(bases(&before), bases(&expected));
        assert_eq!(bases(&before.priced(&linked, &few)), bases(&expected));
    }

    /// What seats of some of the players cost, who are not linked with others.
    fn cost_of(prices: &Prices, brief: &Brief<'_>, seats: &[(usize, Seat)]) -> u64 {
        let mut all = vec![Seat::Waiting; brief.points.len()];
        for &(player, seat) in seats {
            all[player] = seat;
        }
        let others =
            (0..all.len()).filter(|player| seats.iter().all(|(seated, _)| seated != player));
        let others: u64 = others
            .map(|player| prices.of_seat(player, Seat::Waiting))
            .sum();
        prices.of_seats(brief, &all) - others
    }

    #[test]
    fn what_is_told_and_what_is_not_are_the_least_that_seats_with_these_counts_cost() {
        let pool = pool_of(&[900, 870, 820, 790, 700, 400, 380, 310, 250, 100]);
        let numbered =
            |numbers: &[u64]| -> Vec<_> { numbers.iter().copied().map(player).collect() };
        let wishes = Wishes {
            current: Some(Current {
                a: numbered(&[1, 3, 5, 7, 9]),
                b: numbered(&[2, 4, 6, 8, 10]),
            }),
            parties: vec![numbered(&[1, 4]), numbered(&[6, 7, 8])],
            apart: vec![[player(2), player(3)], [player(9), player(10)]],
            waited: [
                (player(2), 1),
                (player(5), 2),
                (player(7), 1),
                (player(10), 2),
            ]
            .into(),
            ..Wishes::default()
        };
        let brief = Brief::new(&pool, &wishes);
        let linked = linked(&brief, &pairs_apart(&brief, 2));
        for (detail, order) in [
            (Detail::Moves(1), Order::TurnsFirst),
            (Detail::Moves(2), Order::PartiesFirst),
            (Detail::TurnsAndParties, Order::TurnsFirst),
            (Detail::TurnsAndParties, Order::PartiesFirst),
        ] {
            let [exact, less] = [Detail::Everything, detail]
                .map(|detail| Prices::telling(detail, &brief, order, 2));
            let [of_exact, of_less] = [&exact, &less].map(|prices| Rules {
                slack: Slack::new((2..=5).map(|size| (size, 10_000))),
                ..rules(&brief, prices.clone(), 5)
            });
            let laid_out = LaidOut::parted(Halving::default(), &linked, &of_exact, &[5], u64::MAX);
            let laid_out = laid_out.unwrap().priced(&linked, &of_less);
            let (left, right) = laid_out.members.split_at(laid_out.cut);
            for (half, layout) in [left, right].into_iter().zip(&laid_out.layouts) {
                let mut expected: BTreeMap<(usize, usize), (u64, u64)> = BTreeMap::new();
                let players = half.iter().flat_map(|chain| chain.players.clone());
                let all_seats = players.fold(vec![Vec::new()], |all, player| {
                    let open = [Seat::A, Seat::B, Seat::Waiting].into_iter();
                    let next = open.flat_map(|seat| {
                        all.iter()
                            .map(move |seats: &Vec<_>| [&seats[..], &[(player, seat)]].concat())
                    });
                    next.collect()
                });
                for seats in all_seats {
                    let on = |team| seats.iter().filter(|(_, seat)| *seat == team).count();
                    let told = cost_of(&less, &brief, &seats);
                    let untold = cost_of(&exact, &brief, &seats) - less.times * told;
                    let least = expected
                        .entry((on(Seat::A), on(Seat::B)))
                        .or_insert((told, untold));
                    *least = (least.0.min(told), least.1.min(untold));
                }
                let shape = layout.last().unwrap();
                for ((a, b), (told, untold)) in expected {
                    let cell = shape.cell(a, b).unwrap();
                    assert_eq!(
                        (cell.base, cell.untold),
                        (told, untold),
                        "{detail:?}, {order:?}: {a} and {b}"
                    );
                }
            }
        }
    }
}
