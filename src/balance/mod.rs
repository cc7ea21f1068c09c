//! Teams in the middle of a round: whether they are unbalanced, who should move, and where
//! somebody who joins should go. Pure: no clock, no randomness, no storage.
//!
//! A [`Policy`] has four parts: what a player weighs ([`Weigh`]), when teams are unbalanced
//! ([`Trigger`]), who may be moved ([`Eligibility`]) and what is done ([`Act`]). Five communities'
//! rules are [`Preset`]s of it; `docs/balance.md` quotes their documents.
//!
//! [`balance()`] judges a match. Its moves are the fewest after which the same trigger does not
//! fire any more and, of as few, those that leave the sums closest; where there are none, it moves
//! nobody. [`place()`] seats those who join. Both are exact wherever they say so: the choices are
//! read off tables of all sums (`sums.rs`, `tails.rs`). Only where those would be too large does a
//! climb (`climb.rs`) do, which claims nothing; tables of rounded sums say where it is in vain, and
//! where it sets out.
//!
//! Weights are fixed-point numbers ([`Power`]), so that limits mean what they say.

mod choose;
mod climb;
mod closest;
mod eligible;
#[cfg(test)]
mod examples;
mod exchange;
mod fill;
mod groups;
#[cfg(test)]
mod laws;
mod place;
mod player;
mod policy;
mod power;
mod presets;
mod scale;
mod seating;
mod standing;
mod sum_bits;
mod sum_table;
mod sums;
mod tails;
mod tally;
mod team_sums;
mod trigger;
mod verdict;
mod weigh;

pub use eligible::{Eligibility, Ineligible};
pub use fill::{Advantage, Fill};
pub use place::{OtherPlacement, Placed, Placement, place};
pub use player::{Bots, Match, Player};
pub use policy::{Act, Filling, Policy};
pub use power::Power;
pub use presets::Preset;
pub use tally::{Tally, TeamTally};
pub use trigger::{Reason, Suppression, Trigger};
pub use verdict::{Move, RunnerUp, Verdict, balance};
pub use weigh::{MissingWeight, PartyMultipliers, Weigh};

/// The most runners-up that a verdict or a placement has.
const MOST_RUNNERS_UP: usize = 3;
