//! The splits of a pool of players into two teams: F7 and F10, pure. No clock, no randomness, no
//! storage.
//!
//! For every team size k from 2 to half the [`Pool`], [`solve()`] finds the two disjoint teams of k
//! players whose rating sums are closest, unless waived with the highest-rated player (the *anchor*) on
//! a team, and of all such splits the one that serves the [`Wishes`] best. Every answer depends on the
//! ratings, the ids, the wishes and the order of equals alone: the order in which players are given and
//! the speed of the machine change nothing.
//!
//! # Method
//! Finding two teams of equal size and equal sums is *balanced number partitioning*. It is NP-hard, but
//! ratings are small integers, so dynamic programming over the sums is exact and fast. Every player in
//! turn takes a seat: team A, team B, or waiting. All that matters of the players seated so far is
//! the *state* (a, b, x): how many are on A, how many on B, and the difference x = Σ_A - Σ_B. A table
//! holds the least *cost* of every state, which sums up the wishes that are not served.
//!
//! Take four players with 1300, 1200, 1100 and 1000 points, the first of them on A. Let the first
//! two be a pair to keep apart, which costs 1 where it fails. As the teams are of equal size, 1000 can be
//! taken off every rating. The tables after each of the first two players:
//!
//! | players | states (a, b, x): cost |
//! | --- | --- |
//! | 300 | (1, 0, 300): 0 |
//! | 300, 200 | (2, 0, 500): 1, (1, 1, 100): 0, (1, 0, 300): 0 |
//!
//! A player is a *transition* from each state to three. Where two lead to the same state the lesser
//! cost stays: a min-plus product of the table and the seats. As what is still to come depends on the state
//! alone, that loses nothing.
//!
//! The tables of the other half of the players start from the last, and count x as Σ_B - Σ_A:
//!
//! | players | states (a, b, x): cost |
//! | --- | --- |
//! | 0 | (1, 0, 0): 0, (0, 1, 0): 0, (0, 0, 0): 0 |
//! | 0, 100 | (1, 1, ±100): 0, (2, 0, -100): 0, (0, 2, 100): 0, (1, 0, -100): 0, (1, 0, 0): 0, (0, 1, 100): 0, … |
//!
//! Now the halves *meet in the middle* (E. Horowitz and S. Sahni, Computing Partitions with Applications
//! to the Knapsack Problem, 1974). Teams of two are a state (a, b, x) on the left and (2 - a, 2 - b, y) on
//! the right, with the difference x - y: here (1, 1, 100) and (1, 1, 100), the difference 0 for nothing.
//! *Backtracking* from there, player by player to a state that leads to it, finds who sits where: 1300 and
//! 1000 against 1200 and 1100.
//!
//! # Parts, in the direction of the data
//! 1. `problem`: the pool and the wishes by index. Hard wishes close seats (`open_seats.rs`).
//! 2. `objective`: the soft wishes as lexicographic weights, so that their order is that of a number.
//! 3. `dp`: the chain of all players with their transitions. Those who are linked, by a party or as a
//!    pair apart, follow one another, and a *frontier* is remembered of them, with tables of its own. Two
//!    halves are computed and joined. Newcomers take the first seats: once all of them have one, the counts of a
//!    state say how evenly they are shared out. A lower bound leaves out states that no completion brings near 0.
//! 4. `exact.rs`: one run (`run.rs`) over the tables for all sizes with the same open seats, which finds
//!    the least difference, then the least cost within the tolerance, then seats, and of what is left to
//!    choose the teams that are most alike. A second run, in which parties come first, where one was
//!    split and its price may be paid.
//!    Where one side is ahead ([`Handicap`]), differences are counted from what makes up for that (`around.rs`).
//! 5. `solve.rs`: the answer. `fallback` is for what would take more work or memory than the [`Limits`]
//!    allow, which is known before any table is computed.

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
pub(crate) use limits::Alone;
pub use limits::{Host, Limits};
pub use problem::handicap::Handicap;
pub use problem::outcome::{MissingRole, Outcome, SharedNewcomers};
pub use problem::pool::{Candidate, DuplicateCandidate, Pool};
pub use problem::split::Split;
pub use problem::wishes::{Alternatives, Current, DEFAULT_PARTY_PRICE, Role, Wishes};
pub use solve::{SplitTable, solve, solve_sharing};
