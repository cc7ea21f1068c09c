//! Players: lookups, adjustments, names, and past ratings.

pub(crate) mod adjust;
pub(crate) mod history;
pub(crate) mod imported_ratings;
mod last_round;
pub(crate) mod listing;
pub(crate) mod lookup;
pub(crate) mod names;
pub(crate) mod now;
pub(crate) mod past;
mod past_position;
pub(crate) mod profile;
pub(crate) mod ranks;
pub(crate) mod undo;
