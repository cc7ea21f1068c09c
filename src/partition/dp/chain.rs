//! The players in a row, and the transitions from each to the next.

use std::collections::BTreeMap;

use super::frontier::{Block, Frontier, Links};
use super::order::order;
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
    /// The newcomers, if their cost follows from the counts of states.
    pub(super) newcomers: Option<Block>,
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
    /// Lead of A in the other players, for the last player in the block of newcomers.
    pub(super) others: i8,
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

    /// Where the tables of the first and of the last players meet: near the middle, where there are
    /// few frontiers, and behind the newcomers where these are counted in a half.
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
