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
pub use placing::{Advantage, Fill, OtherPlacement, Placed, place};
pub use policy::{
    Act, Eligibility, Filling, Ineligible, MissingWeight, PartyMultipliers, Policies, Policy,
    PolicyTable, Reason, Suppression, Trigger, Weigh,
};
pub use power::{
    Combination, Counted, Figure, GamesOf, PlaceScale, PowerPredictions, PowerRule, PowerRules,
    PowerTable, ScoreboardPower, SeatScale, Situation, Source, Standing, Statistic, Term, Valued,
    counted,
};
pub use several::{
    MAX_TEAMS, MIN_TEAMS, PlacedInTeam, TeamFill, TeamMatch, TeamMove, TeamPlacement, TeamSeats,
    TeamTallies, TeamVerdict, balance_teams, place_in_teams,
};
pub use state::{Bots, Match, Pick, Player, Power, Tally, TeamTally};
pub use verdict::{Placement, RunnerUp, Verdict};

/// Maximum number of runners-up (next best alternatives) in a verdict or a placement.
const MAX_RUNNERS_UP: usize = 3;
