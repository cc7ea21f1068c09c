use std::cell::Cell;
use std::ops::{ControlFlow, RangeInclusive};

use super::chain::{Chain, Way};
use super::cost::Cost;
use super::layout::Layout;
use super::rules::Sign;
use super::shape::Step;
use super::split::Seat;
use super::table::Table;

/// One half of the players: what they can do, and who sits where then.
///
/// The players have their seats one after another, those who are linked first. The tables of those
/// are kept, and of the others some: going back from the last player to the first, they say which
/// seats lead to what is wanted. Between those that are kept, the layout says which may.
pub(super) struct Half<'run, C> {
    sign: Sign,
    players: Vec<Player<'run>>,
    layout: &'run Layout,
    /// By how many players have a seat, by the number of what is remembered then; nothing where
    /// the table was not kept.
    tables: Vec<Vec<Table<'run, C>>>,
}

/// Who takes a seat.
struct Player<'run> {
    index: usize,
    /// By the number of what is remembered afterwards: what leads to it.
    ways: &'run [Vec<Way>],
}

/// What a search through a [`Half`] is after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Players on team A.
    pub(super) a: usize,
    /// On team B.
    pub(super) b: usize,
    /// The difference, with the half's sign.
    pub(super) difference: i64,
    /// The most that it may cost.
    pub(super) budget: u64,
    /// The least that is not told of what the other half costs.
    pub(super) untold: u64,
}

/// What seats cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    /// By the prices of the tables.
    pub(super) told: u64,
    /// What these do not tell, see [`Prices::times`](super::prices::Prices::times).
    pub(super) untold: u64,
}

/// What a search is to tell, or be told, besides.
#[derive(Clone, Copy, Default)]
pub(super) struct Aside<'aside> {
    /// Lowered to what the present budget lacks to find more.
    pub(super) missed: Option<&'aside Cell<u64>>,
    /// How many seats more may be tried, lowered by each; the search breaks where none is left.
    pub(super) patience: Option<&'aside Cell<u64>>,
    /// What everybody's seats may cost at most, where more than the tables tell matters.
    pub(super) dearest: Option<&'aside Dearest>,
}

/// The most that everybody's seats may cost.
#[derive(Debug)]
pub(super) struct Dearest {
    /// By prices that tell all wishes apart.
    pub(super) exact: Cell<u64>,
    /// By the prices of the tables: what all cost at least, and the budget.
    pub(super) told: RangeInclusive<u64>,
    /// See [`Prices::times`](super::prices::Prices::times).
    pub(super) times: u64,
}

impl Dearest {
    /// Whether seats cost more that leave so much of the budget and of whose cost so much is not told, or more.
    fn is_passed(&self, left: u64, untold: u64) -> bool {
        let told = (self.told.end() - left).max(*self.told.start());
        self.times * told + untold > self.exact.get()
    }

    /// The most that seats may cost by the prices of the tables of whose cost so much is not told.
    pub(super) fn budget(&self, untold: u64) -> Option<u64> {
        let told = self.exact.get().checked_sub(untold)? / self.times;
        (told >= *self.told.start()).then_some(told.min(*self.told.end()))
    }
}

impl Aside<'_> {
    /// Tells what the budget lacks for `cost`.
    pub(super) fn miss(&self, cost: u64, budget: u64) {
        // What lies beside it adds to both alike.
        if let Some(missed) = self.missed {
            missed.set(missed.get().min(cost - budget));
        }
    }

    /// Breaks where nothing more may be tried.
    fn try_once(&self) -> ControlFlow<()> {
        let Some(patience) = self.patience else {
            return ControlFlow::Continue(());
        };
        match patience.get().checked_sub(1) {
            Some(left) => {
                patience.set(left);
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    }
}

/// Called with what every way to seat the half costs and its seats, the seats of the other half being as they
/// were.
pub(super) type Visit<'visit> = dyn FnMut(Spent, &mut [Seat]) -> ControlFlow<()> + 'visit;

impl<'run, C: Cost> Half<'run, C> {
    /// Of these `members`, whose tables are laid out so.
    pub(super) fn new(members: &'run [Chain], layout: &'run Layout, sign: Sign) -> Self {
        let players = members.iter().flat_map(|chain| {
            let ways = chain.players.iter().zip(&chain.ways);
            ways.map(|(&index, ways)| Player { index, ways })
        });
        let players: Vec<Player<'run>> = players.collect();
        let (linked, alone) = players.split_at(layout.linked.len() - 1);

        let mut tables = vec![vec![Table::free(&layout.linked[0][0])]];
        for (player, shapes) in linked.iter().zip(&layout.linked[1..]) {
            let before = &tables[tables.len() - 1];
            let ways = player.ways.iter().map(Vec::as_slice);
            let ways = ways.chain(std::iter::repeat(&[][..])).zip(shapes);
            let after = ways.map(|(ways, shape)| {
                let steps = ways.iter().map(|way| (&before[way.from], way.step(sign)));
                let steps: Vec<(&Table<'_, C>, Step)> = steps.collect();
                Table::after(shape, &steps)
            });
            let after = after.collect();
            tables.push(after);
        }
        if let Some((first, shapes)) = layout.alone.split_first()
            && !alone.is_empty()
        {
            let before = &tables[tables.len() - 1];
            let mut table = before[0].in_room(first, layout.room);
            for ((player, shape), kept) in alone.iter().zip(shapes).zip(&layout.kept[1..]) {
                let ways = player.ways.iter().flatten();
                let steps: Vec<Step> = ways.map(|way| way.step(sign)).collect();
                table.seat(&steps, shape);
                let kept = kept.iter().map(|kept| table.in_room(kept, kept.len()));
                tables.push(kept.collect());
            }
            if let Some(last) = tables.last_mut() {
                last.push(table);
            }
        }
        Self {
            sign,
            players,
            layout,
            tables,
        }
    }

    /// What these counts and this difference cost at least for the first `seated` players, of whom what is
    /// numbered `memory` is remembered, if they might have them.
    fn least(&self, seated: usize, memory: usize, rest: &Wanted) -> Option<Spent> {
        let (cell, told) = if let Some(table) = self.tables[seated].get(memory) {
            let cell = table.shape().cell(rest.a, rest.b)?;
            (cell, table.cost_in(&cell, rest.difference)?)
        } else {
            let cell = self.layout.shape(seated)?.cell(rest.a, rest.b)?;
            cell.span(rest.difference)?;
            (cell, cell.base)
        };
        Some(Spent {
            told,
            untold: cell.untold,
        })
    }

    /// Whether what the first `seated` players can do was kept.
    fn is_kept(&self, seated: usize) -> bool {
        !self.tables[seated].is_empty()
    }

    /// What the half can do.
    pub(super) fn table(&self) -> &Table<'run, C> {
        // There is one for nobody, and the last is always kept.
        &self.tables[self.players.len()][0]
    }

    /// Visits every way to seat the half as wanted, each once, in an order that depends on the rules
    /// alone, until a visit breaks.
    pub(super) fn each(
        &self,
        wanted: Wanted,
        seats: &mut [Seat],
        aside: Aside<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let mut search = Search {
            half: self,
            seats,
            aside,
            visit,
        };
        search.each_before(self.players.len(), 0, Spent::default(), wanted)
    }
}

/// A search that is under way.
struct Search<'search, 'visit, C> {
    half: &'search Half<'search, C>,
    seats: &'search mut [Seat],
    aside: Aside<'search>,
    visit: &'search mut Visit<'visit>,
}

impl<C: Cost> Search<'_, '_, C> {
    /// Seats the first `count` players so that what is numbered `memory` is left; `spent` is what the
    /// others cost.
    fn each_before(
        &mut self,
        count: usize,
        memory: usize,
        spent: Spent,
        wanted: Wanted,
    ) -> ControlFlow<()> {
        let half = self.half;
        let Some(before) = count.checked_sub(1) else {
            return match (wanted.a, wanted.b, wanted.difference) {
                (0, 0, 0) => (self.visit)(spent, self.seats),
                _ => ControlFlow::Continue(()),
            };
        };
        let player = &half.players[before];
        for way in player.ways.get(memory).map_or(&[][..], Vec::as_slice) {
            self.aside.try_once()?;
            let step = way.step(half.sign);
            if step.a > wanted.a || step.b > wanted.b {
                continue;
            }
            let rest = Wanted {
                a: wanted.a - step.a,
                b: wanted.b - step.b,
                difference: wanted.difference - step.difference,
                ..wanted
            };
            let spent = Spent {
                told: spent.told + step.price,
                untold: spent.untold + step.untold,
            };
            let Some(least) = half.least(before, way.from, &rest) else {
                continue;
            };
            let told = spent.told + least.told;
            if told > wanted.budget {
                if half.is_kept(before) {
                    self.aside.miss(told, wanted.budget);
                    continue;
                }
                // That is not what it costs, which `missed` must tell.
                if self.aside.missed.is_none() {
                    continue;
                }
            } else if let Some(dearest) = self.aside.dearest {
                let untold = spent.untold + least.untold + wanted.untold;
                if dearest.is_passed(wanted.budget - told, untold) {
                    continue;
                }
            }
            self.seats[player.index] = way.seat;
            self.each_before(before, way.from, spent, rest)?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_passed_over_only_if_whatever_they_cost_is_too_dear() {
        let dearest = Dearest {
            exact: Cell::new(100),
            told: 10..=20,
            times: 3,
        };
        // What leaves nothing of a budget of 20 costs three times 20, and what is not told.
        assert!(!dearest.is_passed(0, 40) && dearest.is_passed(0, 41));
        // None costs less than 10.
        assert!(!dearest.is_passed(18, 70) && dearest.is_passed(18, 71));
        let budgets = [0, 40, 41, 70, 71, 101].map(|untold| dearest.budget(untold));
        assert_eq!(
            budgets,
            [Some(20), Some(20), Some(19), Some(10), None, None]
        );
    }
}
