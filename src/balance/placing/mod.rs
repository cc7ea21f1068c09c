//! Placement of players who join a match, and the number of bots that fill up its teams.

mod fill;
mod place;
mod seating;

pub use fill::{Advantage, Fill};
pub(in crate::balance) use fill::{fill, fill_without_teams};
pub use place::{OtherPlacement, Placed, place};
