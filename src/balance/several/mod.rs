//! Matches of up to eight teams, by the same balance policies as matches of two teams. Matches of two teams use the
//! exact methods for two.
//!
//! A policy's limit for two teams applies to the two teams that are farthest apart: the largest and the smallest by
//! size, the strongest and the weakest by weight. Searches minimize the *gap*, the weight of the strongest team less
//! the weight of the weakest.
//!
//! Splitting numbers into more than two close sums is NP-hard, and tables of sums grow exponentially with the number of
//! teams. Placing is a search in the order of Korf's complete greedy algorithm ("A complete anytime algorithm for
//! number partitioning", 1998). The heaviest groups go first, each to the smallest and lightest team first, and
//! branches that cannot come closer are cut. Moves are enumerated by their number. Both searches have a budget of
//! steps. Beyond the budget, hill climbing continues from the best result, without proof of optimality.

mod judge;
#[cfg(test)]
mod laws;
mod moving;
mod place;
mod placing;
mod state;
mod two;
mod verdict;

pub(crate) use place::{PlacedInTeam, TeamPlacement, TeamSeats, place_in_teams};
pub(crate) use state::{TeamMatch, TeamTallies};
pub(crate) use verdict::{TeamFill, TeamMove, TeamVerdict, balance_teams};

/// Maximum number of teams in a match.
pub(crate) const MAX_TEAMS: usize = 8;

/// Maximum number of steps of a search for moves or placements, which take some tens of milliseconds.
const STEPS: usize = 1 << 18;
