//! Dynamic programming over one half of the players to split: computes the minimum costs of partial splits, and finds
//! the seats behind a cost by backtracking.

use std::cell;
use std::ops::ControlFlow;

use super::bound::{CompletionBound, Sign, Targets};
use super::chain::{Chain, Transition};
use super::layout::{Cell, Layout, State};
use super::table::{Cost, Table};
use super::turn::Turn;
use super::windows::least_of;
use crate::partition::limits::Pace;
use crate::partition::problem::seat::Seat;

/// Maximum number of costs in a table of partial splits that always stays in memory for backtracking. All such tables
/// together take a few megabytes.
const SMALL: u64 = 1 << 16;
/// Work to plan one cell (pair of team counts) of a table of partial splits, in the unit of [`Pace`].
const WORK_OF_CELL: u64 = 50;
const WORK_OF_SEAT: u64 = 10;

/// Sizes and order of the dynamic programming tables of partial splits for one half of the players. The first half is
/// seated from the first player on, the second half from the last player back.
#[derive(Debug)]
pub(super) struct HalfPlan {
    turns: Vec<Turn>,
    /// Layouts of the half's tables of partial splits, by number of seated players, from 0 to all players of the half.
    layouts: Vec<Layout>,
}

pub(super) struct Half<'run, C> {
    plan: HalfPlan,
    pace: &'run Pace<'run>,
    /// Tables of partial splits of this half of the players, by number of seated players. Costs are kept for the last
    /// table and at regular checkpoints before it. Backtracking tries all plausible seats between two checkpoints.
    tables: Vec<Table<C>>,
    /// Minimum cost in the last table, by cell (team counts) and then by frontier (remembered earlier seats).
    least: Vec<C>,
}

/// Partial split that backtracking looks for, with its frontier (remembered seats) and the maximum cost of the seats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) state: State,
    pub(super) frontier: usize,
    pub(super) budget: u64,
}

/// Callback for each way to seat one half, with the total cost of the seats, and every player's seat by index.
pub(super) type Visit<'visit> = dyn FnMut(u64, &mut [Seat]) -> ControlFlow<()> + 'visit;

impl HalfPlan {
    /// Plans the tables for the first `cut` players in seating order ([`Sign::Plus`]) or for the others
    /// ([`Sign::Minus`]). Leaves out partial splits that cannot lead to `targets`, the wanted team sizes. `points` are
    /// the ratings by player. Returns `None` if planning exceeds its work limit.
    pub(super) fn new(
        chain: &Chain,
        cut: usize,
        points: &[i64],
        targets: &Targets,
        sign: Sign,
        pace: &Pace<'_>,
    ) -> Option<Self> {
        let stages = &chain.stages;
        let frontiers = |place: usize| stages.get(place).map_or(1, |stage| stage.frontiers);
        let turn = |place: usize| {
            let stage = &stages[place];
            let after = if sign == Sign::Plus { place + 1 } else { place };
            Turn::new(stage, points[stage.player], frontiers(after), sign)
        };
        let mut turns: Vec<Turn> = match sign {
            Sign::Plus => (0..cut).map(turn).collect(),
            Sign::Minus => (cut..stages.len()).rev().map(turn).collect(),
        };
        if let Some(block) = chain.newcomers.filter(|_| sign == Sign::Plus) {
            turns[block.players - 1].newcomers = Some(block);
        }
        let mut rest = points.to_vec();
        rest.sort_unstable();
        let mut layouts = vec![Layout::nobody()];
        for (seated, turn) in (1..).zip(&turns) {
            if let Ok(place) = rest.binary_search(&points[turn.player]) {
                rest.remove(place);
            }
            let bound = CompletionBound::new(&rest, targets, sign);
            let side = targets.side().min(seated);
            let cells = (side + 1) * (side + 1) + turn.transitions.len();
            if !pace.plans_on(WORK_OF_CELL * cells as u64) {
                return None;
            }
            let next = layouts[seated - 1].extended(&turn.open_steps(), side, &bound);
            layouts.push(next);
        }
        Some(Self { turns, layouts })
    }

    /// Returns the number of costs in the table with `seated` players (1 or more) of this half.
    fn costs(&self, seated: usize) -> u64 {
        (self.layouts[seated].len() * self.turns[seated - 1].frontiers()) as u64
    }

    /// Returns the number of cells (pairs of team sizes) in the table that seats all players of one half.
    pub(super) fn cells(&self) -> usize {
        self.layouts[self.turns.len()].cells.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let cells = self.layouts.iter().map(|layout| layout.cells.len());
        let transitions: usize = self
            .turns
            .iter()
            .flat_map(|turn| &turn.transitions)
            .map(Vec::len)
            .sum();
        cells.sum::<usize>() * size_of::<Cell>() + transitions * size_of::<Transition>()
    }

    /// Returns the number of costs of partial splits to compute, in all tables for this half of the players.
    pub(super) fn work(&self) -> u64 {
        (1..=self.turns.len())
            .map(|seated| self.costs(seated))
            .sum()
    }

    /// Returns the maximum number of costs of this half in memory at once, if each `every`-th large table is kept.
    pub(super) fn memory(&self, every: usize) -> u64 {
        let (mut kept, mut largest) = (0, 0);
        for seated in 1..=self.turns.len() {
            if self.is_checkpoint(seated, every) {
                kept += self.costs(seated);
            } else {
                largest = self.costs(seated).max(largest);
            }
        }
        kept + 2 * largest
    }

    fn is_checkpoint(&self, seated: usize, every: usize) -> bool {
        let is_small = seated == 0 || self.costs(seated) <= SMALL;
        is_small || (self.turns.len() - seated).is_multiple_of(every)
    }

    /// Computes the costs of partial splits for this half of the players. Keeps all small tables and, counted back from
    /// the last, every `every`-th large table. Returns `None` if the computation is cancelled.
    pub(super) fn compute<'run, C: Cost>(
        self,
        every: usize,
        pace: &'run Pace<'run>,
    ) -> Option<Half<'run, C>> {
        let mut tables = vec![Table::nobody()];
        // Kept tables allocate their own memory; the others reuse one another's.
        let mut spare = Vec::new();
        for (before, turn) in self.turns.iter().enumerate() {
            let layouts = [&self.layouts[before], &self.layouts[before + 1]];
            let is_kept = self.is_checkpoint(before + 1, every);
            let memory = if is_kept {
                Vec::new()
            } else {
                std::mem::take(&mut spare)
            };
            let table = Table::extended(&tables[before], turn, layouts, memory, pace);
            if !pace.goes_on(0) {
                return None;
            }
            if !self.is_checkpoint(before, every) {
                spare = tables[before].take_costs();
            }
            tables.push(table);
        }
        drop(spare);
        let last = self.turns.len();
        let (table, layout) = (&tables[last], &self.layouts[last]);
        let cells = (0..layout.cells.len()).flat_map(|cell| {
            let costs = move |frontier| table.costs(layout, cell, frontier);
            (0..table.frontiers).map(move |frontier| least_of(costs(frontier)))
        });
        Some(Half {
            least: cells.collect(),
            plan: self,
            pace,
            tables,
        })
    }
}

impl<C: Cost> Half<'_, C> {
    pub(super) fn table(&self) -> (&Table<C>, &Layout) {
        let players = self.plan.turns.len();
        (&self.tables[players], &self.plan.layouts[players])
    }

    /// Returns the minimum cost of seating all players of this half with the team counts of `cell` and the remembered
    /// seats of `frontier`. Returns `None` if that is impossible.
    pub(super) fn least(&self, cell: usize, frontier: usize) -> Option<u64> {
        let frontiers = self.table().0.frontiers;
        self.least[cell * frontiers + frontier].get()
    }

    /// Visits every way to seat one of the two halves of the players that makes the partial split `goal` within its
    /// cost budget, until a visit breaks. Lowers `missed` to the smallest increase of the budget that allows more ways.
    pub(super) fn each(
        &self,
        goal: &Goal,
        seats: &mut [Seat],
        missed: &cell::Cell<u64>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let mut backtracking = Backtracking {
            half: self,
            budget: goal.budget,
            seats,
            missed,
            visit,
        };
        backtracking.seat(self.plan.turns.len(), goal.state, goal.frontier, 0)
    }
}

struct Backtracking<'run, 'visit, C> {
    half: &'run Half<'run, C>,
    budget: u64,
    seats: &'run mut [Seat],
    missed: &'run cell::Cell<u64>,
    visit: &'run mut Visit<'visit>,
}

impl<C: Cost> Backtracking<'_, '_, C> {
    /// Seats the first `players` of this half, last to first, in every way that makes the partial split `state` with
    /// the remembered seats `frontier`. `spent` is the cost of the players of this half who are already seated.
    fn seat(
        &mut self,
        players: usize,
        state: State,
        frontier: usize,
        spent: u64,
    ) -> ControlFlow<()> {
        if !self.half.pace.goes_on(WORK_OF_SEAT) {
            return ControlFlow::Break(());
        }
        let Some(before) = players.checked_sub(1) else {
            return (self.visit)(spent, self.seats);
        };
        let (plan, table) = (&self.half.plan, &self.half.tables[before]);
        let (turn, layout) = (&plan.turns[before], &plan.layouts[before]);
        let counts = state.counts;
        for transition in &turn.transitions[frontier] {
            let step = turn.steps[transition.seat as usize];
            let state = step.back(state);
            let Some(least) = table.cost(layout, &state, transition.from) else {
                continue;
            };
            let spent = spent + turn.cost(transition, counts);
            if spent + least > self.budget {
                let missed = spent + least - self.budget;
                self.missed.set(self.missed.get().min(missed));
                continue;
            }
            self.seats[turn.player] = transition.seat;
            self.seat(before, state, transition.from, spent)?;
        }
        ControlFlow::Continue(())
    }
}
