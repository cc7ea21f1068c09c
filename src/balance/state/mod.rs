//! A match as it stands: its players, what they weigh, and the sums of its teams.

mod groups;
mod handicap;
mod pick;
mod player;
mod power;
mod tally;
mod weighed_match;

pub(in crate::balance) use groups::{Group, groups};
pub use handicap::Handicap;
pub use pick::Pick;
pub use player::{Bots, Match, Player};
pub use power::Power;
pub use tally::{Tally, TeamTally};
pub(in crate::balance) use weighed_match::WeighedMatch;
