//! Balance: the verdict on a match under way, and where somebody who joins goes.

pub(crate) mod answer;
mod evaluate;
mod players;
pub(crate) mod reason;
mod teams;
mod ticket;
