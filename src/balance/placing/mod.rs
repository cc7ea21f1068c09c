//! Placement of players who join a match, and the number of bots that fill up its teams.

mod fill;
mod place;
mod seating;

pub use fill::Fill;
pub(crate) use fill::{Advantage, fill, fill_without_teams};
pub use place::{OtherPlacement, Placed, place};
