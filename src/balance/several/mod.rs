//! Matches of up to eight teams, by the same policies as those of two. Where there are two, the exact methods for two
//! teams judge them.
//!
//! A limit that a policy sets for two teams holds for the two that are farthest apart: the largest
//! and the smallest by size, the strongest and the weakest by what they weigh. What is made as small
//! as it can be is the *spread*, by how much the strongest team weighs more than the weakest.
//!
//! Splitting numbers into more than two sums that are close is NP-hard, and tables of sums grow with
//! the power of the teams. Placing is a search in the order of Korf's complete greedy algorithm
//! ("A complete anytime algorithm for number partitioning", 1998): the heaviest first, to the
//! smallest and lightest team first, without what cannot come closer any more. Moves are looked through by their number.
//! Both have a budget of steps, after which hill climbing goes on from the best so far, which proves nothing.

mod judge;
#[cfg(test)]
mod laws;
mod moving;
mod place;
mod placing;
mod state;
mod two;
mod verdict;

pub use place::{PlacedInTeam, TeamPlacement, TeamSeats, place_in_teams};
pub use state::{TeamMatch, TeamTallies};
pub use verdict::{TeamFill, TeamMove, TeamVerdict, balance_teams};

/// The fewest teams of a match.
pub const MIN_TEAMS: usize = 2;
/// The most teams of a match.
pub const MAX_TEAMS: usize = 8;

/// How many steps a search takes at most: some tens of milliseconds.
const STEPS: usize = 1 << 18;
