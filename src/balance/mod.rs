//! Teams in the middle of a round: whether they are unbalanced, who should move, and where
//! somebody who joins should go. Pure: no clock, no randomness, no storage.
//!
//! A [`Policy`] has four parts: what a player weighs ([`Weigh`]), when teams are unbalanced
//! ([`Trigger`]), who may be moved ([`Eligibility`]) and what is done ([`Act`]). It is data:
//! [`Policies`] has those of five communities (`docs/balance.md` quotes their documents), and
//! configuration changes them and adds others.
//!
//! [`balance()`] judges a match. Its moves are the fewest after which the same trigger does not
//! fire any more and, of as few, those that leave the sums closest; where there are none, it moves
//! nobody. [`place()`] seats those who join. Both choose from tables of all subset sums (`sums/`),
//! and are exact wherever they claim so. Only where the tables would exceed their budget does hill
//! climbing take their place, which claims nothing.
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
pub use state::{Bots, Handicap, Match, Pick, Player, Power, Tally, TeamTally};
pub use verdict::{Placement, RunnerUp, Verdict};

/// The most runners-up that a verdict or a placement has.
const MAX_RUNNERS_UP: usize = 3;
