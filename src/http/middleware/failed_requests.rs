use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Number of requests that are kept.
const MAX_KEPT: usize = 10;

/// One line for each of the last requests that this instance answered with a status of 500 or more, the latest first.
/// Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailedRequests(Arc<Mutex<VecDeque<String>>>);

impl FailedRequests {
    /// Adds a line in front of the others, and drops the oldest if there are too many.
    pub(crate) fn add(&self, line: String) {
        let mut lines = self.lock();
        lines.truncate(MAX_KEPT - 1);
        lines.push_front(line);
    }

    /// Returns the lines, the latest first.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lock().iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<String>> {
        // No code that could panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_are_kept() {
        let failed = FailedRequests::default();
        for number in 1..=12 {
            failed.add(number.to_string());
        }
        let expected: Vec<String> = (3..=12).rev().map(|number| number.to_string()).collect();
        assert_eq!(failed.lines(), expected);
    }
}
