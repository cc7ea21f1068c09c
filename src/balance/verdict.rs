//! Verdicts and placements, for two teams and for several.

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
    pub reasons: Vec<Reason>,
    /// Reasons why the teams are left alone, if they are.
    pub suppressions: Vec<Suppression>,
    /// Recommended moves; empty if the teams are balanced, or if no moves balance them.
    pub moves: Vec<Moved>,
    /// Teams before the moves.
    pub before: Teams,
    /// Teams after the moves, with the required bots.
    pub after: Teams,
    /// `true` if the teams are balanced after the moves.
    pub balanced_after: bool,
    /// `true` if no better moves exist. Without moves, `true` proves that no allowed moves balance the teams. For two
    /// teams, the proof includes the runners-up.
    pub optimal: bool,
    /// Next best choices with as many moves that balance the teams, the best first. If no moves balance the teams,
    /// these choices only help. For two teams, these never widen the lead or flip the favourite beyond the limit.
    pub runners_up: Vec<RunnerUp<Moved, Teams>>,
    /// Players who must not be moved, with the reasons. For two teams, only players on a team that would give players.
    pub ineligible: Vec<(PlayerId, Ineligible)>,
    /// Required bots, if the policy fills up teams.
    pub fill: Option<Filled>,
}

/// Another choice of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerUp<Moved = Move, Teams = Tally> {
    /// Moves of this choice.
    pub moves: Vec<Moved>,
    /// Teams after these moves.
    pub after: Teams,
    /// `true` if the teams are balanced after these moves.
    pub balanced_after: bool,
}

/// Assignment of joining players to the teams of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement<Seat = Placed, Other = OtherPlacement, Teams = Tally, Filled = Fill> {
    /// Joining players, sorted by id.
    pub placed: Vec<Seat>,
    /// Teams without the joining players.
    pub before: Teams,
    /// Teams with the joining players.
    pub after: Teams,
    /// `true` if no better placement exists.
    pub optimal: bool,
    /// Other placements, the best first.
    pub runners_up: Vec<Other>,
    /// Required bots after the placement, if the policy has bots.
    pub fill: Option<Filled>,
}

impl<Moved, Teams: Clone, Filled> Verdict<Moved, Teams, Filled> {
    /// Creates a verdict that changes nothing.
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

    /// Completes the verdict on unbalanced teams with a draw among the choices that balance. `choices` are sorted, the
    /// best first. If no choice balances the teams, nobody moves.
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
