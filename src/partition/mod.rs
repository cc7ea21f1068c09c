//! Splits a pool of players into two teams (F7 and F10). Pure: no clock, no randomness, no storage.
//!
//! For every team size k from 2 to half the [`Pool`], [`solve()`] finds the two disjoint teams of k players whose
//! rating sums are closest. Unless waived, the highest-rated player (the *anchor*) plays. Among equally close
//! splits, the best one serves the [`Wishes`] best. Every answer depends only on the ratings, the ids, the wishes
//! and the order of equals. The order in which players are given, and the speed of the machine, change nothing.
//!
//! # Method
//! Finding two teams of equal size and equal sums is *balanced number partitioning*. The problem is NP-hard, but
//! ratings are small integers, so dynamic programming over the sums is exact and fast. Each player in turn takes a
//! seat: team A, team B, or waiting. The *state* of the players seated so far is (a, b, x): a players on A, b players
//! on B, and the difference x = Σ_A - Σ_B. A table holds the minimum *cost* of every state: the weighted sum of all
//! unserved wishes.
//!
//! Take four players with 1300, 1200, 1100 and 1000 points, the first of them on A. Let the first two be a pair to
//! keep apart, at a cost of 1 if they share a team. Because the teams have equal sizes, 1000 can be subtracted from
//! every rating. The tables after each of the first two players:
//!
//! | players | states (a, b, x): cost |
//! | --- | --- |
//! | 300 | (1, 0, 300): 0 |
//! | 300, 200 | (2, 0, 500): 1, (1, 1, 100): 0, (1, 0, 300): 0 |
//!
//! Each player is a *transition* from each state to three others. If two transitions lead to one state, the lower
//! cost remains: a min-plus product of the table and the seats. The cost of the remaining players depends on the
//! state alone, so no information is lost.
//!
//! The tables of the other half of the players start from the last player, and count x as Σ_B - Σ_A:
//!
//! | players | states (a, b, x): cost |
//! | --- | --- |
//! | 0 | (1, 0, 0): 0, (0, 1, 0): 0, (0, 0, 0): 0 |
//! | 0, 100 | (1, 1, ±100): 0, (2, 0, -100): 0, (0, 2, 100): 0, (1, 0, -100): 0, (1, 0, 0): 0, (0, 1, 100): 0, … |
//!
//! Then the halves *meet in the middle* (E. Horowitz and S. Sahni, Computing Partitions with Applications to the
//! Knapsack Problem, 1974). Teams of two combine a state (a, b, x) on the left with a state (2 - a, 2 - b, y) on
//! the right; their difference is x - y. Here (1, 1, 100) and (1, 1, 100) make a difference of 0 at a cost of 0.
//! *Backtracking* from this pair, player by player to a state that leads there, finds the seats: 1300 and 1000
//! against 1200 and 1100.
//!
//! # Modules, in the direction of the data
//! 1. `problem`: the pool and the wishes, with players as indices. Hard wishes close seats.
//! 2. `objective`: soft wishes as lexicographic weights, so that comparing costs compares wishes in order of
//!    importance.
//! 3. `dp`: the chain of all players with their transitions. Players linked by a party, a pair apart or a role
//!    follow one another, and a *frontier* remembers their seats, with a table for each frontier. Two halves are
//!    computed and joined. Newcomers take the first seats, so that the counts of a state also measure how evenly
//!    they are shared. A lower bound leaves out states that no completion brings near 0.
//! 4. `exact.rs`: one run (`run.rs`) over the tables for all sizes with the same open seats. A run finds, in this
//!    order, the minimum difference, the minimum cost within the tolerance, and the seats. Among equally good seats,
//!    the teams with the most similar spread of ratings win. If a party was split and has a price, a second run
//!    puts parties first. With a [`Handicap`](crate::domain::Handicap), `handicapped.rs` measures differences from the
//!    point at which the teams are even.
//! 5. `solve.rs`: the answer. `fallback` handles requests whose tables would exceed the [`Limits`]; the size of the
//!    tables is known before any is computed.

mod dp;
mod exact;
mod fallback;
mod handicapped;
mod limits;
mod objective;
mod problem;
mod run;
mod solve;

pub use fallback::greedy::greedy;
pub(crate) use limits::{Alone, Pace};
pub use limits::{Host, Limits};
pub use problem::outcome::{MissingRole, Outcome, SharedNewcomers};
pub use problem::pool::{Candidate, DuplicateCandidate, Pool};
pub use problem::split::Split;
pub use problem::wishes::{Alternatives, Current, DEFAULT_PARTY_PRICE, Role, Wishes};
pub use solve::{SplitTable, solve, solve_sharing};
