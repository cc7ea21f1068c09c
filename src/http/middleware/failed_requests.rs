use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MAX_KEPT: usize = 10;

/// Lines about the last requests that this instance answered with a status of 500 or higher, latest first. Cheap to
/// clone; clones share the lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailedRequests(Arc<Mutex<VecDeque<String>>>);

impl FailedRequests {
    pub(crate) fn add(&self, line: String) {
        let mut lines = self.lock();
        lines.truncate(MAX_KEPT - 1);
        lines.push_front(line);
    }

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
