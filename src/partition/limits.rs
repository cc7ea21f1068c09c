//! How much work and memory the splits may take, and what is asked of whoever computes them.

use std::any::Any;
use std::cell::Cell;

use super::problem::pool::Pool;

/// How much [`solve()`](super::solve()) may take. What tables need is known before they are computed;
/// those that need more are not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most bytes of tables that are computed for a request about up to 32 players; larger pools
    /// may take nine times as much, in about nine times the time.
    pub work: u64,
    /// The most bytes of tables that are there at once.
    pub memory: u64,
}

/// Up to so many players, as on a full server of most games, all is computed within `Limits::work`.
const USUAL_PLAYERS: usize = 32;
const TIMES_ABOVE: u64 = 9;

impl Default for Limits {
    /// About a fifth of a second for up to 32 players, and 512 MiB.
    fn default() -> Self {
        Self {
            work: 350_000_000,
            memory: 512 << 20,
        }
    }
}

/// Whoever has splits computed next to other computations.
pub trait Host {
    /// Takes so many bytes of memory until the answer is dropped, and waits for them where they are not
    /// free.
    fn reserve(&self, bytes: u64) -> Box<dyn Any>;

    /// Whether the splits are still wanted. Asked about every millisecond of work; the host may take its
    /// time to answer, and let others compute meanwhile.
    fn is_wanted(&self) -> bool;
}

/// A host that has nothing else to do.
pub(crate) struct Alone;

impl Host for Alone {
    fn reserve(&self, _bytes: u64) -> Box<dyn Any> {
        Box::new(())
    }

    fn is_wanted(&self) -> bool {
        true
    }
}

/// After so much work, in bytes of tables, the host is asked whether to go on: about a millisecond.
const WORK_BETWEEN: u64 = 1_500_000;

/// Counts what is done, so that a computation can be cut short while it is under way. Then everything ends
/// as soon as it can with whatever it has, which is thrown away in the end.
pub(crate) struct Pace<'host> {
    pub(crate) host: &'host dyn Host,
    /// The work until the host is asked again.
    until_asked: Cell<u64>,
    is_wanted: Cell<bool>,
    /// The work that planning may still take.
    planning: Cell<u64>,
}

impl<'host> Pace<'host> {
    /// The pace of a computation for this host, the planning of which may take so much work.
    pub(crate) fn new(host: &'host dyn Host, planning: u64) -> Self {
        Self {
            host,
            until_asked: Cell::new(WORK_BETWEEN),
            is_wanted: Cell::new(true),
            planning: Cell::new(planning),
        }
    }

    /// Notes work, in bytes of tables or what takes as long, and answers whether to go on.
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

    /// The same of planning, which also ends where it takes too much.
    pub(crate) fn plans_on(&self, work: u64) -> bool {
        let rest = self.planning.get().saturating_sub(work);
        self.planning.set(rest);
        self.goes_on(work) && rest > 0
    }
}

/// What a request may still take.
pub(crate) struct Budget<'run> {
    /// In bytes of tables.
    work: u64,
    /// The most bytes of tables that may be there at once.
    pub(crate) memory: u64,
    pub(crate) pace: &'run Pace<'run>,
}

/// Tables would take more than is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded;

impl Limits {
    /// The most bytes of tables that are computed for a request about this pool. Planning them may take as
    /// long.
    pub(crate) fn work_for(&self, pool: &Pool) -> u64 {
        let is_usual = pool.len() <= USUAL_PLAYERS;
        let times = if is_usual { 1 } else { TIMES_ABOVE };
        self.work.saturating_mul(times)
    }
}

impl<'run> Budget<'run> {
    /// All that a request about this pool may take.
    pub(crate) fn new(limits: &Limits, pool: &Pool, pace: &'run Pace<'run>) -> Self {
        Self {
            work: limits.work_for(pool),
            memory: limits.memory,
            pace,
        }
    }

    /// Takes the `work` of tables of which so many bytes of `memory` are there at once.
    ///
    /// # Errors
    /// Either is more than is left; then nothing is taken.
    pub(crate) fn spend(&mut self, work: u64, memory: u64) -> Result<(), Exceeded> {
        if !self.allows(work, memory) {
            return Err(Exceeded);
        }
        self.work -= work;
        Ok(())
    }

    /// Takes what it costs to plan tables about so many players that are not computed.
    pub(crate) fn spend_on_planning(&mut self, players: usize) {
        let work = 512 * (players * players) as u64;
        self.work = self.work.saturating_sub(work);
    }

    /// Whether so much is left.
    pub(crate) fn allows(&self, work: u64, memory: u64) -> bool {
        work <= self.work && memory <= self.memory
    }
}
