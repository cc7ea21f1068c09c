//! Fallbacks for pools of players for which the exact search would take too much memory or time: greedy exchanges of
//! players, and enumeration of all splits of up to 11 players.

pub(crate) mod enumeration;
pub(crate) mod greedy;
