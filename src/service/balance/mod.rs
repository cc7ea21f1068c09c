//! Balance: the verdict on a match under way, and where somebody who joins goes.

pub(crate) mod answer;
pub(crate) mod judge;
