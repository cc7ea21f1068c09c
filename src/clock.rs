//! Source of the current time, passed as an argument so that tests can control time.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

use crate::domain::Timestamp;

/// Source of the current time: the system's clock, or a clock that tests move by hand.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The operating system's clock.
    System,
    /// A clock that stands still until [`Clock::set`] or [`Clock::jump`] moves the clock.
    Manual(Arc<Hands>),
}

/// State of a manual clock: its current time and the sum of its jumps.
#[derive(Debug)]
pub struct Hands {
    /// Current time of the clock, in microseconds since the start of 1970.
    now: AtomicI64,
    /// Sum of the jumps of this manual clock since its creation, in microseconds. Jumps back count as negative.
    jumped: AtomicI64,
}

impl Clock {
    /// Creates a manual clock that stands at `now`.
    #[must_use]
    pub fn manual(now: Timestamp) -> Self {
        Self::Manual(Arc::new(Hands {
            now: AtomicI64::new(now.unix_micros()),
            jumped: AtomicI64::new(0),
        }))
    }

    /// Returns the current time in whole microseconds.
    ///
    /// Returns the start of 1970 if the system's clock is outside the years 1970 to 9999.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let micros = match self {
            Self::System => system_micros(),
            Self::Manual(hands) => hands.now.load(Ordering::SeqCst),
        };
        Timestamp::from_unix_micros(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Returns the microseconds by which the clock was set ahead since the first call in this process. Negative if the
    /// clock was set back.
    ///
    /// The system's clock is compared with the machine's uptime, which nobody can set.
    #[must_use]
    pub fn jumped_micros(&self) -> i64 {
        match self {
            Self::System => {
                static FIRST: OnceLock<i64> = OnceLock::new();
                let started = system_micros() - uptime_micros();
                started - FIRST.get_or_init(|| started)
            }
            Self::Manual(hands) => hands.jumped.load(Ordering::SeqCst),
        }
    }

    /// Returns the current time that this clock would show if nobody had set it ahead or back.
    #[must_use]
    pub fn steady(&self) -> Timestamp {
        let micros = self.now().unix_micros() - self.jumped_micros();
        Timestamp::from_unix_micros(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Moves a manual clock to `now` as if time had passed. Has no effect on the system's clock.
    pub fn set(&self, now: Timestamp) {
        if let Self::Manual(hands) = self {
            hands.now.store(now.unix_micros(), Ordering::SeqCst);
        }
    }

    /// Sets a manual clock to `now` as a jump, without time passing. Has no effect on the system's clock.
    pub fn jump(&self, now: Timestamp) {
        if let Self::Manual(hands) = self {
            let before = hands.now.swap(now.unix_micros(), Ordering::SeqCst);
            let by = now.unix_micros() - before;
            hands.jumped.fetch_add(by, Ordering::SeqCst);
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "only this function may read the system time"
)]
fn system_micros() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|elapsed| i64::try_from(elapsed.as_micros()).ok())
        .unwrap_or(0)
}

fn uptime_micros() -> i64 {
    // The uptime includes the time that the machine sleeps; the monotonic clock does not.
    let uptime = clock_gettime(ClockId::Boottime);
    uptime.tv_sec * 1_000_000 + uptime.tv_nsec / 1_000
}
