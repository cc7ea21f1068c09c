//! Chain: the order in which players take seats (team A, team B or the bench), with the possible seats of each.

use std::collections::BTreeMap;

use super::frontier::{Block, Frontier, Links};
use super::order::order;
use crate::partition::limits::Pace;
use crate::partition::objective::Weights;
use crate::partition::problem::Problem;
use crate::partition::problem::seat::Seat;

/// Maximum number of frontiers (combinations of earlier seats to remember) between two players. Each has its own table.
const MAX_FRONTIERS: usize = 2048;
/// Maximum number of transitions (possible seats after given earlier seats) in one search, at 32 bytes each.
const MAX_TRANSITIONS: usize = 1 << 17;
/// Work to plan one transition (possible seat of a player), in the unit of [`Pace`].
const WORK: u64 = 1000;
/// Work to compare two players when deciding the seating order, in the unit of [`Pace`].
const WORK_OF_ORDER: u64 = 500;

/// Order in which the search for a split assigns the players to team A, team B or the bench.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) stages: Vec<Stage>,
    /// Players first in seating order, up to the last newcomer (player whose rating is a guess). The cost of sharing
    /// them unevenly follows from team counts. `None` if the costs of transitions include that cost.
    pub(super) newcomers: Option<Block>,
}

/// Step of the seating order in which one player takes a seat (team A, team B or the bench). Frontiers (combinations of
/// earlier seats to remember) have numbers from 0. There is one before the first player and one after the last.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) player: usize,
    /// Number of frontiers (combinations of earlier seats to remember) before this player takes a seat.
    pub(crate) frontiers: usize,
    pub(crate) transitions: Vec<Transition>,
}

/// A possible seat for a player, with the numbers of the frontiers (remembered earlier seats) before and after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) seat: Seat,
    pub(crate) cost: u64,
    /// Number of players other than newcomers on A less that on B, before the last newcomer is seated.
    pub(super) others: i8,
}

impl Chain {
    /// Lists, for every player in seating order, the possible seats after each frontier (combination of earlier seats
    /// to remember). `points` (ratings) and `open` (allowed seats) are by player. Returns `None` if a step has too many
    /// frontiers or transitions, or if planning exceeds its work limit.
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

    /// Returns the number of players in the first of the two halves into which the seating order is cut. The cut is
    /// near the middle, not before the last of `newcomers`, at the place with the fewest frontiers (combinations of
    /// earlier seats).
    pub(crate) fn middle(&self) -> usize {
        let players = self.stages.len();
        let nearest = self.newcomers.map_or(0, |block| block.players);
        let near = nearest.max(players / 2 - players / 8)..=farthest_middle(players);
        let frontiers = |cut: usize| self.stages.get(cut).map_or(1, |stage| stage.frontiers);
        let best = near.min_by_key(|&cut| (frontiers(cut), (2 * cut).abs_diff(players)));
        best.unwrap_or_default()
    }
}

/// Returns the maximum number of players in the first of the two halves into which the seating order is cut.
pub(super) fn farthest_middle(players: usize) -> usize {
    players.div_ceil(2) + players / 8
}
