use std::time::{Duration, Instant};

use super::ServiceError;

/// For how long after a failure nobody tries again.
const PAUSE: Duration = Duration::from_secs(1);

/// The last failure of something that many requests share. Those that waited for it fail with the same
/// error instead of trying again: a try may take as long as the timeout of the database, and they would
/// queue up, one try behind another.
#[derive(Debug, Default)]
pub(super) struct LastFailure(Option<(Instant, ServiceError)>);

impl LastFailure {
    /// A try ended at `now` with this error.
    pub(super) fn remember(&mut self, now: Instant, error: ServiceError) {
        self.0 = Some((now, error));
    }

    /// The error of the second before `now`; `None` where it is time to try again.
    pub(super) fn recent(&self, now: Instant) -> Option<ServiceError> {
        let (when, error) = self.0.as_ref()?;
        let is_recent = now.saturating_duration_since(*when) < PAUSE;
        is_recent.then(|| error.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_failure_lasts_for_a_second() {
        let mut failure = LastFailure::default();
        let first = Instant::now();
        assert!(failure.recent(first).is_none(), "nothing has failed yet");
        failure.remember(first, ServiceError::NoPublicLeaderboard);
        assert!(failure.recent(first + PAUSE).is_none());
        let second = first + PAUSE;
        failure.remember(second, ServiceError::Busy);
        let last = second + PAUSE.saturating_sub(Duration::from_micros(1));
        assert!(matches!(failure.recent(last), Some(ServiceError::Busy)));
    }
}
