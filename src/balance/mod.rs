//! Team balance in mid-round: detects unbalanced teams, chooses players to move, and places players who join. Pure: no
//! clock, no randomness, no storage.
//!
//! A [`Policy`] has four parts: the weights of players ([`Weigh`]), the limits of imbalance ([`Trigger`]), the players
//! who may be moved ([`Eligibility`]), and the kind of action ([`Act`]). [`Policies`] has the policies of five
//! communities (`benches/balance.md` quotes their documents). Configuration changes policies and adds others.
//!
//! [`balance()`] judges a match. It chooses the fewest moves after which the trigger no longer fires, and among equally
//! many moves those with the closest sums. If no moves balance the teams, nobody moves. [`place()`] assigns joining
//! players to teams. Both use tables of all subset sums (`sums/`), which give exact results. Hill climbing replaces
//! tables that exceed their budget; its results are marked as optimal only if the teams end even.
//!
//! Weights are fixed-point numbers ([`Power`]), so that sums and limits are exact.

#[cfg(test)]
mod examples;
#[cfg(test)]
mod laws;
mod moves;
mod placing;
mod policy;
mod power;
mod several;
mod state;
mod sums;
mod verdict;

pub use moves::{Move, balance};
pub(crate) use placing::Advantage;
pub use placing::{Fill, OtherPlacement, Placed, place};
#[cfg(test)]
pub(crate) use policy::{Act, Eligibility, Filling, Trigger};
pub(crate) use policy::{Ineligible, PartyMultipliers, Reason, Suppression, Weigh};
pub use policy::{MissingWeight, Policies, Policy, PolicyTable};
pub(crate) use power::{
    Counted, PowerPredictions, PowerRule, PowerRules, PowerTable, SeatScale, Situation, Source,
    Standing, counted,
};
#[cfg(test)]
pub(crate) use power::{GamesOf, ScoreboardPower, Statistic, Valued};
pub(crate) use several::{
    MAX_TEAMS, PlacedInTeam, TeamFill, TeamMatch, TeamMove, TeamPlacement, TeamSeats, TeamTallies,
    TeamVerdict, balance_teams, place_in_teams,
};
pub use state::{Bots, Match, Pick, Player, Power, Tally, TeamTally};
pub use verdict::{Placement, RunnerUp, Verdict};

/// Maximum number of runners-up (next best alternatives) in a verdict or a placement.
const MAX_RUNNERS_UP: usize = 3;
