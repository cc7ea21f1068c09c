//! The time of day, as an argument.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::time::{ClockId, clock_gettime};

use crate::domain::Timestamp;

/// What time it is: the system's clock, or one that a test moves by hand.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that stands until it is moved.
    Manual(Arc<Hands>),
}

/// State of a manual clock, in microseconds.
#[derive(Debug)]
pub struct Hands {
    /// The moment, since 1970.
    now: AtomicI64,
    /// The sum of all jumps; positive if the clock is ahead.
    jumped: AtomicI64,
}

impl Clock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn manual(now: Timestamp) -> Self {
        Self::Manual(Arc::new(Hands {
            now: AtomicI64::new(now.unix_micros()),
            jumped: AtomicI64::new(0),
        }))
    }

    /// The moment it shows, in whole microseconds.
    ///
    /// A system clock outside the years 1970 to 9999 reads as 1970.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let micros = match self {
            Self::System => system_micros(),
            Self::Manual(hands) => hands.now.load(Ordering::SeqCst),
        };
        Timestamp::from_unix_micros(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Microseconds by which somebody has set the clock ahead since the first call in this process; negative if back.
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

    /// The moment that the clock would show without its jumps.
    #[must_use]
    pub fn steady(&self) -> Timestamp {
        let micros = self.now().unix_micros() - self.jumped_micros();
        Timestamp::from_unix_micros(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Moves a manual clock to `now` as if that time had passed; the system's clock stays as it is.
    pub fn set(&self, now: Timestamp) {
        if let Self::Manual(hands) = self {
            hands.now.store(now.unix_micros(), Ordering::SeqCst);
        }
    }

    /// Sets a manual clock to `now` without that time passing, which is a jump; the system's clock stays as it is.
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
    reason = "the one place that asks the system"
)]
fn system_micros() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|elapsed| i64::try_from(elapsed.as_micros()).ok())
        .unwrap_or(0)
}

fn uptime_micros() -> i64 {
    // Unlike the monotonic clock, the uptime goes on while the machine sleeps.
    let uptime = clock_gettime(ClockId::Boottime);
    uptime.tv_sec * 1_000_000 + uptime.tv_nsec / 1_000
}
