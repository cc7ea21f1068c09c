//! Which sums the subsets of some items have, by number of players, and which subsets have them:
//! dynamic programming over the items, one set of sums for each number of players.

mod scale;
mod subset_sums;
mod sum_set;
mod team_sums;

pub(in crate::balance) use subset_sums::{Item, SubsetSums, TableBudget};
pub(in crate::balance) use team_sums::{CountedSums, TeamSums};
