//! Findings beside the predictions: copied rounds, one-sided rounds, and habits of players.

pub(crate) mod copies;
pub(crate) mod one_sided;
pub(crate) mod people;
