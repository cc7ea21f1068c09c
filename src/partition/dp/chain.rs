//! The players in a row, and the transitions from each to the next.

use std::collections::BTreeMap;

use super::frontier::{Frontier, Links};
use super::order::{newcomers, order};
use crate::partition::limits::Pace;
use crate::partition::objective::weights::Weights;
use crate::partition::problem::Problem;
use crate::partition::problem::seat::Seat;

/// The most frontiers that there may be between two players: every one has tables of its own.
const MAX_FRONTIERS: usize = 2048;
/// The most transitions of all players, each of 32 bytes: more would take longer to plan than they are worth.
const MAX_TRANSITIONS: usize = 1 << 17;
/// The work of making one, in bytes of tables that take as long.
const WORK: u64 = 1000;
/// The same of putting a player in order before or behind another.
const WORK_OF_ORDER: u64 = 500;

/// All players in the order in which they take their seats.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) stages: Vec<Stage>,
    pub(super) newcomers: Option<SeatedNewcomers>,
}

/// Newcomers who take their seats before, or after, all others.
#[derive(Clone, Debug)]
pub(super) struct SeatedNewcomers {
    /// Whether they come first.
    pub(super) lead: bool,
    pub(super) count: usize,
    /// By the number on A less that on B, from the least: what their seats cost together.
    costs: Vec<u64>,
}

impl SeatedNewcomers {
    /// What it costs that teams have so many of them.
    pub(super) fn cost(&self, (a, b): (usize, usize)) -> u64 {
        self.costs[self.count + a - b]
    }
}

/// A player who takes a seat. Frontiers are what must be known of those who have a seat already
/// (`frontier.rs`); they are numbered from 0, and before the first player and after the last there is
/// only one.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) player: usize,
    /// How many frontiers there are before the player takes a seat.
    pub(crate) frontiers: usize,
    /// The ways to take a seat.
    pub(crate) transitions: Vec<Transition>,
}

/// A seat for a player, and what that makes of a frontier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    /// The number of the frontier before.
    pub(crate) from: usize,
    /// The number of the frontier after.
    pub(crate) to: usize,
    pub(crate) seat: Seat,
    pub(crate) cost: u64,
}

impl Chain {
    /// All ways to take the `open` seats; `None` where the players are so entangled that too much
    /// would have to be remembered, or where planning has taken too much. `points` and `open` are by player.
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
        let newcomers = newcomers(problem, weights);
        let newcomers = problem
            .newcomers
            .as_ref()
            .filter(|_| !newcomers.is_empty())
            .map(|all| {
                let count = newcomers.len();
                let excess = (0..=2 * count).map(|lead| {
                    let (a, b) = (lead.saturating_sub(count), count.saturating_sub(lead));
                    all.excess((a, b)) * weights.newcomer
                });
                SeatedNewcomers {
                    lead: newcomers.contains(&order[0]),
                    count,
                    costs: excess.collect(),
                }
            });
        let links = Links::new(problem, weights, &order);
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

    /// Where the tables of the first and of the last players meet: near the middle, where there are
    /// few frontiers, with all newcomers on one side.
    pub(crate) fn middle(&self) -> usize {
        let players = self.stages.len();
        let near = players / 2 - players / 8..=players.div_ceil(2) + players / 8;
        let frontiers = |cut: usize| self.stages.get(cut).map_or(1, |stage| stage.frontiers);
        let is_whole = |cut: &usize| {
            self.newcomers.as_ref().is_none_or(|newcomers| {
                let side = if newcomers.lead { *cut } else { players - cut };
                newcomers.count <= side
            })
        };
        let near = near.filter(is_whole);
        let best = near.min_by_key(|&cut| (frontiers(cut), (2 * cut).abs_diff(players)));
        best.unwrap_or_default()
    }
}
