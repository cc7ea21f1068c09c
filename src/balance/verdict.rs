//! Verdicts and placements, for two teams and for several.

use super::MAX_RUNNERS_UP;
use super::moves::Move;
use super::placing::{Fill, OtherPlacement, Placed};
use super::policy::{Ineligible, Reason, Suppression};
use super::state::{Pick, Tally};
use crate::domain::PlayerId;

/// The verdict on a match: whether it is unbalanced, and the moves that would balance it. The defaults of the parameters are
/// those of two teams.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<Moved = Move, Teams = Tally, Filled = Fill> {
    /// Why the teams are unbalanced; empty where they are not, or are left alone.
    pub reasons: Vec<Reason>,
    /// Why they are left alone; empty where they are not.
    pub suppressions: Vec<Suppression>,
    /// What to do; nothing where the teams are balanced, or where nothing makes them so.
    pub moves: Vec<Moved>,
    /// The teams as they stand.
    pub before: Teams,
    /// The teams once everything is done.
    pub after: Teams,
    /// Whether the teams are balanced then.
    pub balanced_after: bool,
    /// Whether nothing better is proven to exist, of the moves and, for two teams, of the runners-up: where nobody
    /// moves, that nothing that is allowed would balance the teams.
    pub optimal: bool,
    /// The next best choices of as many players that balance the teams too, the best first. Where none does, those that
    /// help at least: of two teams, none that leaves them farther apart, or flips the favourite beyond the limit.
    pub runners_up: Vec<RunnerUp<Moved, Teams>>,
    /// Who must not be moved: of two teams, away from the one that has too much and, for swaps, from the other.
    pub ineligible: Vec<(PlayerId, Ineligible)>,
    /// The bots, where they are what is done.
    pub fill: Option<Filled>,
}

/// Another choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerUp<Moved = Move, Teams = Tally> {
    /// What to do.
    pub moves: Vec<Moved>,
    /// The teams then.
    pub after: Teams,
    /// Whether they are balanced then.
    pub balanced_after: bool,
}

/// The teams of players who join a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement<Seat = Placed, Other = OtherPlacement, Teams = Tally, Filled = Fill> {
    /// Everybody who joins, by id.
    pub placed: Vec<Seat>,
    /// The teams as they stand, without them.
    pub before: Teams,
    /// The teams with them.
    pub after: Teams,
    /// Whether no better way to place them is proven to exist.
    pub optimal: bool,
    /// Other ways to place them, the best first.
    pub runners_up: Vec<Other>,
    /// The bots that there should be then, where the policy has bots.
    pub fill: Option<Filled>,
}

impl<Moved, Teams: Clone, Filled> Verdict<Moved, Teams, Filled> {
    /// A verdict by which the teams stay as they are.
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

    /// The verdict on unbalanced teams: of the choices, which are the best first, the one that is drawn of those that
    /// balance; nothing where none does.
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
