//! Sums of the weights of all subsets of players, by number of players, and the subsets that have a given sum. Computed
//! by dynamic programming over the players or parties, with one set of sums for each number of players.

mod scale;
mod subset_sums;
mod sum_set;
mod team_sums;

pub(crate) use scale::gcd;
pub(crate) use subset_sums::{Item, SubsetSums, TableBudget};
pub(crate) use team_sums::TeamSums;
