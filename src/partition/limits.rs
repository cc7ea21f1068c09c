//! How much work and memory the exact method may take.

use std::any::Any;

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

/// Takes so many bytes of memory until the answer is dropped, and waits for them where they are not
/// free.
pub type Reserve<'memory> = dyn Fn(u64) -> Box<dyn Any> + 'memory;

/// What a request may still take.
pub(crate) struct Budget<'memory> {
    /// In bytes of tables.
    work: u64,
    /// The most bytes of tables that may be there at once.
    pub(crate) memory: u64,
    pub(crate) reserve: &'memory Reserve<'memory>,
}

/// Tables would take more than is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded;

impl<'memory> Budget<'memory> {
    /// All that a request about this pool may take.
    pub(crate) fn new(limits: &Limits, pool: &Pool, reserve: &'memory Reserve<'memory>) -> Self {
        let is_usual = pool.len() <= USUAL_PLAYERS;
        let times = if is_usual { 1 } else { TIMES_ABOVE };
        Self {
            work: limits.work.saturating_mul(times),
            memory: limits.memory,
            reserve,
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
