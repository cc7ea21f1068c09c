//! The time of day, as an argument.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::domain::Timestamp;

/// What time it is: the system's clock, or one that a test moves by hand.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The system's clock.
    System,
    /// A clock that stands until it is moved; holds microseconds since 1970.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn manual(now: Timestamp) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(now.unix_micros())))
    }

    /// The moment it shows, in whole microseconds.
    ///
    /// A system clock outside the years 1970 to 9999 reads as 1970.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let micros = match self {
            #[expect(
                clippy::disallowed_methods,
                reason = "the one place that asks the system"
            )]
            Self::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .ok()
                .and_then(|elapsed| i64::try_from(elapsed.as_micros()).ok())
                .unwrap_or(0),
            Self::Manual(micros) => micros.load(Ordering::SeqCst),
        };
        Timestamp::from_unix_micros(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Moves a manual clock to `now`; the system's clock stays as it is.
    pub fn set(&self, now: Timestamp) {
        if let Self::Manual(micros) = self {
            micros.store(now.unix_micros(), Ordering::SeqCst);
        }
    }
}
