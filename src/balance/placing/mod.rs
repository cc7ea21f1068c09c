//! Where those go who join a match, and how many bots fill up its teams.

mod fill;
mod place;
mod seating;

pub use fill::{Advantage, Fill};
pub(in crate::balance) use fill::{fill, fill_without_teams};
pub use place::{OtherPlacement, Placed, place};
