//! Whether a match is unbalanced, and who should change teams.

mod choose;
mod climb;
mod closest;
mod exchange;
mod verdict;

pub(in crate::balance) use climb::climb;
pub(in crate::balance) use closest::{Leads, closest};
pub use verdict::{Move, balance};
