//! Verdicts on running matches and placements of joining players, for two teams and for several.

use super::MAX_RUNNERS_UP;
use super::moves::Move;
use super::placing::{Fill, OtherPlacement, Placed};
use super::policy::{Ineligible, Reason, Suppression};
use super::state::{Pick, Tally};
use crate::domain::PlayerId;

/// Verdict on a match: the reasons of an imbalance, and the moves that would balance the teams.
///
/// The default type parameters are for two teams.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<Moved = Move, Teams = Tally, Filled = Fill> {
    /// Reasons why the teams are unbalanced; empty if they are balanced or left alone.
    pub(crate) reasons: Vec<Reason>,
    /// Reasons why unbalanced teams are left alone, if they are.
    pub(crate) suppressions: Vec<Suppression>,
    /// Recommended moves of players; empty if the teams are balanced, or if no moves balance them.
    pub(crate) moves: Vec<Moved>,
    pub(crate) before: Teams,
    /// Sizes and strengths of the teams after the recommended moves, with the required bots.
    pub(crate) after: Teams,
    pub(crate) balanced_after: bool,
    /// `true` if it is proven that no better moves exist. Without moves, `true` proves that no allowed moves balance
    /// the teams. For two teams, it is also proven that no alternatives are better than those in `runners_up`.
    pub optimal: bool,
    /// Alternatives to the recommended moves, the best first, with as many moves that balance the teams. If no moves
    /// balance the teams, the alternatives only reduce the imbalance. For two teams, they never widen the lead or flip
    /// the favourite beyond the limit.
    pub(crate) runners_up: Vec<RunnerUp<Moved, Teams>>,
    /// Players who must not be moved, with the reasons. For two teams, only players on a team that would give players.
    pub(crate) ineligible: Vec<(PlayerId, Ineligible)>,
    /// Numbers of bots that the teams need, if the policy fills up teams with bots.
    pub(crate) fill: Option<Filled>,
}

/// Alternative to the moves that a verdict recommends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerUp<Moved = Move, Teams = Tally> {
    pub(crate) moves: Vec<Moved>,
    pub(crate) after: Teams,
    pub(crate) balanced_after: bool,
}

/// Assignment of the players who join a match to its teams.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement<Seat = Placed, Other = OtherPlacement, Teams = Tally, Filled = Fill> {
    /// Joining players with their assigned teams, sorted by player id.
    pub(crate) placed: Vec<Seat>,
    /// Sizes and strengths of the teams without the joining players.
    pub(crate) before: Teams,
    /// Sizes and strengths of the teams with the joining players.
    pub(crate) after: Teams,
    /// `true` if it is proven that no better placement of the joining players exists.
    pub optimal: bool,
    /// Alternative placements of the joining players, the best first.
    pub(crate) runners_up: Vec<Other>,
    /// Numbers of bots that the teams need after the placement, if the policy fills up teams with bots.
    pub(crate) fill: Option<Filled>,
}

impl<Moved, Teams: Clone, Filled> Verdict<Moved, Teams, Filled> {
    /// Creates a verdict without moves, for teams that are balanced or left alone.
    pub(super) fn calm(before: Teams, suppressions: Vec<Suppression>) -> Self {
        Self {
            reasons: Vec::new(),
            suppressions,
            moves: Vec::new(),
            after: before.clone(),
            before,
            balanced_after: true,
            optimal: true,
            runners_up: Vec::new(),
            ineligible: Vec::new(),
            fill: None,
        }
    }

    /// Completes the verdict on unbalanced teams with a draw among the choices of moves that balance. `choices` are
    /// sorted, the best first. If no choice balances the teams, nobody moves.
    pub(super) fn choose(
        mut self,
        mut choices: Vec<RunnerUp<Moved, Teams>>,
        is_proven: bool,
        pick: Option<Pick>,
    ) -> Self {
        let balancing = choices.iter().filter(|one| one.balanced_after).count();
        self.balanced_after = balancing > 0;
        self.optimal = is_proven;
        if self.balanced_after {
            self.optimal &= Pick::draw(pick, &mut choices, balancing);
            let best = choices.remove(0);
            self.moves = best.moves;
            self.after = best.after;
        }
        choices.truncate(MAX_RUNNERS_UP);
        self.runners_up = choices;
        self
    }
}
