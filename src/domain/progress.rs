use std::time::Duration;

/// Progress of a long task, in any unit of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Work of the task done so far, in the unit of `total`.
    pub done: u64,
    /// Total work of the task, in a unit that the task chooses, such as rounds or log entries.
    pub total: u64,
}

impl Progress {
    /// Estimates the remaining time of the task from its average speed since its start, `elapsed` ago. Returns `None`
    /// if no work is done yet.
    pub(crate) fn remaining(self, elapsed: Duration) -> Option<Duration> {
        let left = u128::from(self.total.saturating_sub(self.done));
        let micros = elapsed
            .as_micros()
            .saturating_mul(left)
            .checked_div(u128::from(self.done))?;
        Some(Duration::from_micros(
            u64::try_from(micros).unwrap_or(u64::MAX),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_what_is_done_did_for_its_size() {
        let remaining = |done, total, seconds| {
            let remaining = Progress { done, total }.remaining(Duration::from_secs(seconds));
            remaining.map(|remaining| remaining.as_secs_f64())
        };
        assert_eq!(remaining(0, 100, 10), None, "nothing to go by");
        assert_eq!(remaining(0, 0, 0), None);
        assert_eq!(remaining(25, 100, 10), Some(30.0));
        assert_eq!(remaining(100, 100, 10), Some(0.0));
        assert_eq!(remaining(101, 100, 10), Some(0.0), "the total was exceeded");
        assert!(remaining(1, u64::MAX, u64::MAX).is_some(), "no overflow");
    }
}
