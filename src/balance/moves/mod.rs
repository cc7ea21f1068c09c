//! Detection of unbalanced matches, and choice of the players who change teams.

mod choose;
mod climb;
mod closest;
mod exchange;
mod verdict;

pub(crate) use climb::climb;
pub(crate) use closest::{Leads, closest};
pub use verdict::{Move, balance};
