//! Matches from a queue: who of those who wait plays whom and where. Pure: no clock, no randomness, no storage; whoever
//! asks owns the queue, and the same queue gets the same answer.
//!
//! A [`Queue`] has [`Ticket`]s, one or more players who wait together, and [`FreeServer`]s, each of which can begin one
//! match. A [`MatchPolicy`] has what a match is worth (`judge.rs`) and what is allowed of it, which widens while
//! tickets wait. [`make_matches()`] looks for the matches that are worth the most together.
//!
//! # Method
//! Choosing groups that share no ticket and no server is *weighted set packing*, which is NP-hard, and there are too
//! many groups to list. So of more than 14 tickets:
//! 1. `fill.rs` makes a group around one ticket of those nearest to it in rating: tickets of any sizes, each whole on a
//!    team, by a table of subset sums.
//! 2. `search/by_rating.rs` makes a plan as it is usually done, and `search/by_value.rs` one that always takes the best
//!    match next. `search/improve.rs` lets tickets and servers change places in both. The better one goes on.
//! 3. `search/rebuild.rs` dissolves some matches and makes others of them, while there is work left ([`Effort`]).
//!
//! Of up to 14 tickets `search/exact.rs` looks at every group, and finds the best matches on all servers together by a
//! dynamic program over subsets of the tickets.
//!
//! `teams.rs` divides a group into teams, the cheapest division of up to 14 tickets; of larger groups the answer's is
//! found by [`crate::partition`].
//!
//! Nobody waits for ever: who has waited until it is due and longest of all who can be in some match is in one
//! (`search/mod.rs` begins with it), so with every call there are fewer before whoever comes next.

mod answer;
mod fill;
mod judge;
#[cfg(test)]
mod laws;
mod plan;
mod policy;
mod queue;
mod search;
mod split;
mod teams;

pub use answer::{Match, Matches, Wait, Why};
pub use policy::{Limits, MatchPolicies, MatchPolicy, MatchPolicyTable};
pub use queue::{
    FreeServer, InvalidQueue, MAX_PLAYERS_A_TEAM, MAX_ROLES, Queue, QueuedPlayer, Reach, Ticket,
};

use judge::Judge;
use queue::Compiled;

use crate::partition::{Alone, Host};

/// How much work may be done, in looks at a place of a ticket; what is begun is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort(pub u64);

impl Effort {
    /// No more than it takes to match by rating; up to 14 tickets get the best matches all the same.
    pub const MIN: Self = Self(0);

    /// What is usual for so many tickets: some milliseconds for up to 100, and up to 1,000 a quarter of a second.
    #[must_use]
    pub fn usual(tickets: usize) -> Self {
        let tickets = (tickets as u64).min(1000);
        Self(500_000 + 15 * tickets * tickets)
    }
}

/// The matches of the queue by the policy.
///
/// # Errors
/// A queue that cannot be one.
pub fn make_matches(
    queue: &Queue,
    policy: &MatchPolicy,
    effort: Effort,
) -> Result<Matches, InvalidQueue> {
    make_matches_sharing(queue, policy, effort, &Alone)
}

/// Like [`make_matches`], beside other computations with which the `host` shares memory and time. If the host stops
/// wanting the matches, these are the best ones found so far.
///
/// # Errors
/// See [`make_matches`].
pub fn make_matches_sharing(
    queue: &Queue,
    policy: &MatchPolicy,
    effort: Effort,
    host: &dyn Host,
) -> Result<Matches, InvalidQueue> {
    let compiled = Compiled::new(queue)?;
    let judge = Judge::new(&compiled, policy, (effort.0, host));
    let mut plan = search::search(&judge);
    split::split(&judge, queue, &mut plan);
    Ok(answer::answer(&judge, queue, &plan))
}
