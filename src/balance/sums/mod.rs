//! Sums of the weights of all subsets of players, by number of players, and the subsets that have a given sum. Computed
//! by dynamic programming over the players or parties, with one set of sums for each number of players.

mod scale;
mod subset_sums;
mod sum_set;
mod team_sums;

pub(in crate::balance) use subset_sums::{Item, SubsetSums, TableBudget};
pub(in crate::balance) use team_sums::{CountedSums, TeamSums};
