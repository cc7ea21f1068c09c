//! Chain of players, with the transitions from each to the next.

use std::collections::BTreeMap;

use super::frontier::{Block, Frontier, Links};
use super::order::order;
use crate::partition::limits::Pace;
use crate::partition::objective::weights::Weights;
use crate::partition::problem::Problem;
use crate::partition::problem::seat::Seat;

/// Maximum number of frontiers between two players. Each frontier has its own table.
const MAX_FRONTIERS: usize = 2048;
/// Maximum number of transitions of all players, at 32 bytes each. More would take too long to plan.
const MAX_TRANSITIONS: usize = 1 << 17;
/// Work of making one transition, in bytes of tables that take as long.
const WORK: u64 = 1000;
/// Work of comparing two players for the order, in bytes of tables that take as long.
const WORK_OF_ORDER: u64 = 500;

/// All players in the order in which they take their seats.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) stages: Vec<Stage>,
    /// Block of newcomers, if its cost follows from the counts of states.
    pub(super) newcomers: Option<Block>,
}

/// A player's turn in the chain. Frontiers (`frontier.rs`) are numbered from 0; there is only one before the first
/// player and after the last.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) player: usize,
    /// Number of frontiers before the turn.
    pub(crate) frontiers: usize,
    pub(crate) transitions: Vec<Transition>,
}

/// A seat for a player, with the frontiers before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) seat: Seat,
    pub(crate) cost: u64,
    /// Lead of A in the other players, for the last player in the block of newcomers.
    pub(super) others: i8,
}

impl Chain {
    /// Lists all ways to take the `open` seats. Returns `None` if linked players need too many frontiers, or if
    /// planning exceeds its work. `points` and `open` are by player.
    pub(crate) fn new(
        problem: &Problem<'_>,
        points: &[i64],
        open: &[&[Seat]],
        weights: &Weights,
        pace: &Pace<'_>,
    ) -> Option<Self> {
        let players = points.len() as u64;
        if !pace.plans_on(WORK_OF_ORDER * players * players) {
            return None;
        }
        let order = order(problem, points, open, weights);
        let links = Links::new(problem, weights, &order);
        let newcomers = links.block_by_others();
        let mut before = vec![Frontier::default()];
        let mut stages = Vec::with_capacity(order.len());
        let mut rest = MAX_TRANSITIONS;
        for player in order {
            let mut numbers: BTreeMap<Frontier, usize> = BTreeMap::new();
            let mut transitions = Vec::with_capacity(3 * before.len());
            for (from, frontier) in before.iter().enumerate() {
                rest = rest.checked_sub(open[player].len())?;
                if !pace.plans_on(WORK * open[player].len() as u64) {
                    return None;
                }
                for &seat in open[player] {
                    let (after, cost) = links.extend(frontier, player, seat);
                    let next = numbers.len();
                    let to = *numbers.entry(after).or_insert(next);
                    transitions.push(Transition {
                        from,
                        to,
                        seat,
                        cost,
                        others: i8::try_from(frontier.lead).ok()?,
                    });
                }
            }
            if numbers.len() > MAX_FRONTIERS {
                return None;
            }
            stages.push(Stage {
                player,
                frontiers: before.len(),
                transitions,
            });
            let mut after: Vec<(usize, Frontier)> = numbers
                .into_iter()
                .map(|(frontier, number)| (number, frontier))
                .collect();
            after.sort_unstable_by_key(|(number, _)| *number);
            before = after.into_iter().map(|(_, frontier)| frontier).collect();
        }
        Some(Self { stages, newcomers })
    }

    /// Returns the number of players in the first half. The cut is near the middle, after the block of newcomers,
    /// at a position with few frontiers.
    pub(crate) fn middle(&self) -> usize {
        let players = self.stages.len();
        let nearest = self.newcomers.map_or(0, |block| block.players);
        let near = nearest.max(players / 2 - players / 8)..=farthest_middle(players);
        let frontiers = |cut: usize| self.stages.get(cut).map_or(1, |stage| stage.frontiers);
        let best = near.min_by_key(|&cut| (frontiers(cut), (2 * cut).abs_diff(players)));
        best.unwrap_or_default()
    }
}

/// Maximum size of the first half.
pub(super) fn farthest_middle(players: usize) -> usize {
    players.div_ceil(2) + players / 8
}
