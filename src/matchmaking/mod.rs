//! Makes matches from a queue: chooses the players and the server of each match. Pure: no clock, no randomness, no
//! storage. The caller owns the queue, and equal queues get equal answers.
//!
//! A [`Queue`] has [`Ticket`]s, each with one or more players who wait together, and [`FreeServer`]s, each of which
//! can start one match. A [`MatchPolicy`] defines the value of a match (`judge.rs`) and the limits on matches,
//! which widen while tickets wait. [`make_matches()`] searches for the set of matches with the highest total value.
//!
//! # Method
//! Choosing groups that share no ticket and no server is *weighted set packing*, which is NP-hard, and there are
//! too many groups to list. More than 14 tickets are therefore matched by heuristics:
//! 1. `fill.rs` builds a group around one ticket from those nearest in rating. A table of subset sums fits tickets
//!    of any sizes into two teams without splitting a ticket.
//! 2. `search/by_value.rs` makes two plans. One takes tickets from the highest rating down, the usual method; the
//!    other always takes the most valuable match next. `search/improve.rs` improves both by exchanging tickets and
//!    servers. The better plan is kept.
//! 3. `search/rebuild.rs` dissolves some matches and makes new ones in their place, until the work is used up
//!    ([`Effort`]).
//!
//! For up to 14 tickets, `search/exact.rs` lists every group. A dynamic program over subsets of the tickets then
//! finds the best matches on all servers together.
//!
//! `teams.rs` divides a group into teams. Up to 14 tickets get the cheapest division; for larger groups of the
//! answer, [`crate::partition`] finds the division.
//!
//! No ticket starves: among the overdue tickets that can be in some match, the one that has waited longest is
//! always matched (`search/mod.rs` starts with it). Each call therefore shortens the queue ahead of all
//! other tickets.

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

pub use answer::{Match, Matches, Wait, WaitReason};
pub use policy::{Limits, MatchPolicies, MatchPolicy, MatchPolicyTable};
pub use queue::{
    FreeServer, InvalidQueue, MAX_PLAYERS_A_TEAM, MAX_ROLES, Queue, QueuedPlayer, Reach, Ticket,
};

use judge::Judge;
use queue::Compiled;

use crate::partition::{Alone, Host};

/// Limit on the work of a search for matches, in steps such as one look at a ticket. Steps already begun are finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort(pub u64);

impl Effort {
    /// Minimum work: matching by rating alone. Up to 14 tickets get the best matches even so.
    pub const MIN: Self = Self(0);

    /// Returns the default limit, in steps, of a search for matches among `tickets` tickets. The search takes some
    /// milliseconds for up to 100 tickets, and a quarter of a second for 1,000.
    #[must_use]
    pub fn usual(tickets: usize) -> Self {
        let tickets = (tickets as u64).min(1000);
        Self(500_000 + 15 * tickets * tickets)
    }
}

/// Makes matches from a queue of tickets and servers by a matchmaking policy.
///
/// # Errors
/// Returns [`InvalidQueue`] if a player waits twice or the queue is incomplete.
pub fn make_matches(
    queue: &Queue,
    policy: &MatchPolicy,
    effort: Effort,
) -> Result<Matches, InvalidQueue> {
    make_matches_sharing(queue, policy, effort, &Alone)
}

/// Makes matches like [`make_matches`], but shares memory and processors with other computations of the `host`. If the
/// host cancels, returns the best matches found so far.
///
/// # Errors
/// Returns [`InvalidQueue`] if a player waits twice or the queue is incomplete.
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
