//! The splits of a pool of players into two equal teams: F7 to F10, pure. No clock, no randomness,
//! no storage.
//!
//! For every team size k from 2 to half the [`Pool`], [`solve()`] finds the two disjoint teams of k
//! players whose rating sums are closest, with the highest-rated player (the *anchor*) on a team,
//! and of all such splits the one that serves the [`Wishes`] best. Adding a constant to every
//! rating changes no difference, because the teams are equal in number. Every answer depends on the
//! ratings, the ids and the wishes alone: the order in which players are given and the speed of the
//! machine change nothing.
//!
//! # The exact method
//! Every player takes one of three seats: team A, team B, or waiting. A seat adds to three numbers:
//! the counts (a, b) of the players on the teams, the difference Σ_A - Σ_B, and a cost, which sums up
//! the prices of the wishes that are not served (`prices.rs`). So a split is a path through the
//! players, and what can still be made of the first few players depends only on these numbers.
//!
//! 1. *Tables* (`table.rs`, `seating.rs`). For some of the players, a table holds the least cost of
//!    every (a, b, difference) that they can reach; where everything stands in it is known before any
//!    cost is (`layout.rs`). The table of no players holds (0, 0, 0) for nothing. One player more makes
//!    of every entry three; where two meet, the lesser cost stays. By induction every entry is the
//!    least cost there is, because what players to come will add does not depend on which way was
//!    taken. Players who are linked by a party or as a pair apart are added together, with a table for
//!    each thing that has to be remembered between them (`linked.rs`).
//! 2. *Two halves* (`join.rs`). The upper half of the pool and the lower have a table each. A split
//!    of size k is an entry (a, b, x) of the one with an entry (k - a, k - b, y) of the other, and its
//!    difference is x + y, its cost the sum. So the least cost at a difference d is the least of the
//!    sums with x + y = d: the tables lie side by side, shifted by d, and are added place by place.
//!    The least difference is the y nearest to -x over all such pairs, whatever it costs, and is
//!    known before anything else: of most sizes by a split that a deal and an exchange or two find,
//!    and that proves itself, because no difference is below 0, nor below what parity or an anchor
//!    who stands out forces (`close.rs`); else with one bit in place of every cost (`bit_table.rs`,
//!    `differences.rs`). Where nothing is wished, a split that proves itself is the answer; where the bits tell
//!    that few splits have that difference, these are looked at one by one (`few.rs`), unless wishes may trade
//!    it for a greater one. For other sizes costs are computed.
//! 3. *The seats* (`search.rs`, `half.rs`). Who makes up an entry is found by going back: of the seats
//!    of the last player, those are taken that lead back to an entry of the table without that player
//!    with exactly the counts, difference and cost that are left, and so on. Asked for all of them, it
//!    enumerates all splits of a difference and a cost. Not every table on the way is kept; between
//!    two that are, a few players' seats are tried out, as far as what is left might be had.
//!
//! Entries that the players to come cannot bring as near to 0 as the least difference of some size
//! any more, or as what wishes may trade for it, are left out (`reach.rs`), and wide gaps between
//! those that can be had, which clusters of ratings and players who stand out leave (`stretches.rs`).
//! What is stored of a cost is what it exceeds the least by that is possible with so many players on
//! each team (`table.rs`): that is little for good splits, so a byte often holds it, and where it does
//! not, because nothing cheap is close enough, two or four do (`cost.rs`). To make more of a byte, the
//! prices of large tables tell only a few moves apart where pairs should be apart too, and those of small teams
//! tell turns and parties alone (`attempt.rs`). What better split may hide behind what is not told costs little more by such prices
//! (`prices.rs`), so those that do are looked at one by one where they are few (`hidden.rs`), but for what cannot be
//! better than the best so far; else wider tables tell.
//!
//! The number of entries is bounded by the counts times the range of differences, whatever the
//! ratings are within it: no pool is pathological. It is known before any is computed, so that
//! pools with ratings too far apart go another way ([`Limits`]).
//!
//! # Order
//! The hard wishes close seats (`room.rs`). Then comes the difference, then the cost of a split at
//! that difference or within the tolerance (`run.rs`), unless keeping parties is worth some more
//! difference (`exact.rs`). What is left to choose goes to the spread: exchanges that change no sum
//! (`spread.rs`).
//!
//! The [`reference()`] enumeration and the [`greedy()`] swaps answer where tables cannot, and are what
//! the exact method is tested against.

mod attempt;
mod best_halves;
mod bit_row;
mod bit_table;
mod bits;
mod brief;
mod cell;
mod chain;
mod chunks;
mod close;
mod cost;
mod differences;
mod exact;
mod exchanges;
mod few;
mod fill;
mod gosper;
mod greedy;
mod half;
mod halves;
mod hidden;
mod join;
mod laid_out;
mod layout;
mod least;
mod linked;
mod outcome;
mod plan;
mod pool;
mod prices;
mod ranges;
mod reach;
mod reference;
mod room;
mod rules;
mod run;
mod search;
mod seating;
mod shape;
mod slack;
mod solve;
mod split;
mod spread;
mod stretches;
mod table;
mod twos;
mod waits;
mod wishes;
mod without_wishes;
mod work;

pub use greedy::greedy;
pub use outcome::Outcome;
pub use pool::{Candidate, DuplicateCandidate, Pool};
pub use reference::{Enumeration, reference, split_count};
pub use solve::{Limits, SplitTable, solve};
pub use split::{Method, Split};
pub use wishes::{Alternatives, Current, DEFAULT_PARTY_PRICE, Wishes};
