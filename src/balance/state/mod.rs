//! Current state of a match: its players, their weights, and the sizes and strengths of its teams.

mod pick;
mod player;
mod power;
mod tally;
mod weighed_match;

pub use pick::Pick;
pub use player::{Bots, Match, Player};
pub use power::Power;
pub use tally::{Tally, TeamTally};
pub(crate) use weighed_match::{Group, WeighedMatch, WeighedTeams};
