//! Detection of unbalanced matches, and choice of the players who change teams.

mod choose;
mod climb;
mod closest;
mod exchange;
mod verdict;

pub(in crate::balance) use climb::climb;
pub(in crate::balance) use closest::{Leads, closest};
pub use verdict::{Move, balance};
