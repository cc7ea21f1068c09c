//! The splits of a pool of players into two equal teams: F7 to F10, pure. No clock, no randomness,
//! no storage.
//!
//! For every team size k from 2 to half the [`Pool`], [`solve()`] looks for the two disjoint teams
//! of k players whose rating sums are closest, with the highest-rated player (the *anchor*) in
//! team A. It asks the [`reference()`] enumeration as far as a budget of steps goes, and the
//! [`greedy()`] swaps where the enumeration is too dear. Adding a constant to every rating changes
//! no difference, because the teams are equal in number.
//!
//! Every answer depends on the ratings, the ids and the current teams alone: the order in which
//! players are given and the speed of the machine change nothing.

mod brief;
mod gosper;
mod greedy;
mod outcome;
mod pool;
mod reference;
mod solve;
mod split;
mod wishes;

pub use greedy::greedy;
pub use outcome::Outcome;
pub use pool::{Candidate, DuplicateCandidate, Pool};
pub use reference::{Enumeration, reference, split_count};
pub use solve::{Limits, SplitTable, solve};
pub use split::{Method, Split};
pub use wishes::{Alternatives, Current, DEFAULT_PARTY_PRICE, Wishes};
