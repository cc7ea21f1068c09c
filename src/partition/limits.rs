//! Limits on the work and memory of a computation of splits, and its host, which can cancel it.

use std::any::Any;
use std::cell::Cell;

use super::problem::pool::Pool;

/// Limits of the tables of one [`solve()`](super::solve()) call. Their cost is known in advance, and tables beyond the
/// limits are not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Maximum size, in bytes, of all dynamic programming tables that one request computes, for pools of up to 32
    /// players. Larger pools may compute nine times as many bytes.
    pub work: u64,
    /// Maximum size, in bytes, of the dynamic programming tables in memory at once.
    pub memory: u64,
}

/// Maximum number of players to split for which [`Limits::work`] holds. For more players, the work may be `TIMES_ABOVE`
/// times as much.
const USUAL_PLAYERS: usize = 32;
const TIMES_ABOVE: u64 = 9;

impl Default for Limits {
    /// Returns the default limits of one computation of splits: tables of 512 MiB in memory at once, and work of about
    /// a fifth of a second for up to 32 players.
    fn default() -> Self {
        Self {
            work: 350_000_000,
            memory: 512 << 20,
        }
    }
}

/// Environment of a computation of splits that shares memory and processors with others.
pub trait Host {
    /// Reserves `bytes` of memory until the returned value is dropped. Blocks until that much is free.
    fn reserve(&self, bytes: u64) -> Box<dyn Any>;

    /// Returns `false` to cancel the computation. Called about once per millisecond of work; the host may block to
    /// let other computations run.
    fn is_wanted(&self) -> bool;
}

pub(crate) struct Alone;

impl Host for Alone {
    fn reserve(&self, _bytes: u64) -> Box<dyn Any> {
        Box::new(())
    }

    fn is_wanted(&self) -> bool {
        true
    }
}

/// Work between two calls of [`Host::is_wanted`], in bytes of computed tables: about a millisecond.
const WORK_BETWEEN: u64 = 1_500_000;

/// Counter of work that polls the host, so that a computation can be cancelled. One unit of work is the time to compute
/// one byte of a table. A cancelled computation ends as soon as it can with a partial result, which the caller discards.
pub(crate) struct Pace<'host> {
    pub(crate) host: &'host dyn Host,
    /// Work left until the next call of [`Host::is_wanted`], in bytes of computed tables.
    until_asked: Cell<u64>,
    is_wanted: Cell<bool>,
    planning: Cell<u64>,
}

impl<'host> Pace<'host> {
    pub(crate) fn new(host: &'host dyn Host, planning: u64) -> Self {
        Self {
            host,
            until_asked: Cell::new(WORK_BETWEEN),
            is_wanted: Cell::new(true),
            planning: Cell::new(planning),
        }
    }

    /// Records work, in bytes of tables or the equivalent in time. Returns `false` if the computation is cancelled.
    #[inline]
    pub(crate) fn goes_on(&self, work: u64) -> bool {
        if let Some(rest) = self.until_asked.get().checked_sub(work) {
            self.until_asked.set(rest);
        } else {
            self.until_asked.set(WORK_BETWEEN);
            let is_wanted = self.is_wanted.get() && self.host.is_wanted();
            self.is_wanted.set(is_wanted);
        }
        self.is_wanted.get()
    }

    /// Records `work` of planning the dynamic programming tables, like [`Self::goes_on`]. Also returns `false` if
    /// planning has used up its work limit.
    pub(crate) fn plans_on(&self, work: u64) -> bool {
        let rest = self.planning.get().saturating_sub(work);
        self.planning.set(rest);
        self.goes_on(work) && rest > 0
    }
}

/// Work and memory that a request for splits may still use.
pub(crate) struct Budget<'run> {
    /// Work that the request may still do, in bytes of computed tables.
    work: u64,
    /// Maximum size, in bytes, of the request's dynamic programming tables in memory at once.
    pub(crate) memory: u64,
    pub(crate) pace: &'run Pace<'run>,
}

/// Error for tables that exceed the remaining budget of work or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded;

impl Limits {
    /// Returns the maximum number of bytes of dynamic programming tables to compute for these players. Planning may
    /// take as much work again.
    pub(crate) fn work_for(&self, pool: &Pool) -> u64 {
        let is_usual = pool.len() <= USUAL_PLAYERS;
        let times = if is_usual { 1 } else { TIMES_ABOVE };
        self.work.saturating_mul(times)
    }
}

impl<'run> Budget<'run> {
    pub(crate) fn new(limits: &Limits, pool: &Pool, pace: &'run Pace<'run>) -> Self {
        Self {
            work: limits.work_for(pool),
            memory: limits.memory,
            pace,
        }
    }

    /// Deducts `work` (bytes of computed tables) from the request's budget. `memory` is the number of these bytes in
    /// memory at once. Deducts nothing if either exceeds the budget.
    pub(crate) fn spend(&mut self, work: u64, memory: u64) -> Result<(), Exceeded> {
        if !self.allows(work, memory) {
            return Err(Exceeded);
        }
        self.work -= work;
        Ok(())
    }

    /// Deducts from the remaining work the effort of a plan for `players` players whose tables are not computed.
    pub(crate) fn spend_on_planning(&mut self, players: usize) {
        let work = 512 * (players * players) as u64;
        self.work = self.work.saturating_sub(work);
    }

    pub(crate) fn allows(&self, work: u64, memory: u64) -> bool {
        work <= self.work && memory <= self.memory
    }
}
