use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::{RequestAnswer, RequestsAnswer};
use crate::domain::Timestamp;

/// How many requests of each kind are kept.
const MOST: usize = 20;
/// After how many seconds the slowest of a while are kept as those of the while before, and those
/// of the one before that forgotten: a slow start is no news after days.
const WHILE: i64 = 3600;

/// The requests that were slowest, and the latest that failed, as far as this instance remembers.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct RequestLog(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    /// The while before this one and its slowest requests, where there was one.
    before: Option<Slowest>,
    now: Slowest,
    /// The latest first.
    errors: VecDeque<RequestAnswer>,
}

/// The slowest requests since a moment, the slowest first.
#[derive(Debug)]
struct Slowest {
    since: Timestamp,
    requests: Vec<RequestAnswer>,
}

impl Slowest {
    fn since(since: Timestamp) -> Self {
        Self {
            since,
            requests: Vec::new(),
        }
    }

    fn take(&mut self, request: RequestAnswer) {
        let place = self
            .requests
            .partition_point(|other| other.milliseconds >= request.milliseconds);
        if place < MOST {
            self.requests.insert(place, request);
            self.requests.truncate(MOST);
        }
    }
}

impl RequestLog {
    /// Remembers from `now` on.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Kept {
            before: None,
            now: Slowest::since(now),
            errors: VecDeque::new(),
        })))
    }

    /// Remembers a request that was answered just now, if there is reason to.
    pub(crate) fn take(&self, request: RequestAnswer) {
        let mut kept = self.kept();
        if request.at.whole_seconds_since(kept.now.since) >= WHILE {
            let next = Slowest::since(request.at);
            kept.before = Some(std::mem::replace(&mut kept.now, next));
        }
        if request.status >= 500 {
            kept.errors.truncate(MOST - 1);
            kept.errors.push_front(request.clone());
        }
        kept.now.take(request);
    }

    /// What is remembered.
    pub(crate) fn answer(&self) -> RequestsAnswer {
        let kept = self.kept();
        let mut slowest = Slowest::since(kept.before.as_ref().unwrap_or(&kept.now).since);
        for request in kept
            .before
            .iter()
            .chain([&kept.now])
            .flat_map(|one| &one.requests)
        {
            slowest.take(request.clone());
        }
        RequestsAnswer {
            since: slowest.since,
            slowest: slowest.requests,
            errors: kept.errors.iter().cloned().collect(),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        // No code that could panic runs under the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A duration in milliseconds, of which whole microseconds were measured.
pub(crate) fn milliseconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(second: i64, milliseconds: f64, status: u16) -> RequestAnswer {
        RequestAnswer {
            at: Timestamp::from_unix_seconds(second).unwrap(),
            method: "GET",
            route: "/v1/players/{id}".to_owned(),
            status,
            milliseconds,
            request_id: String::new(),
        }
    }

    fn times(requests: &[RequestAnswer]) -> Vec<f64> {
        requests
            .iter()
            .map(|request| request.milliseconds)
            .collect()
    }

    #[test]
    fn the_slowest_are_kept_slowest_first() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        for milliseconds in 1..=30 {
            log.take(request(1, f64::from(milliseconds), 200));
        }
        let expected: Vec<f64> = (11..=30).rev().map(f64::from).collect();
        assert_eq!(times(&log.answer().slowest), expected);
        assert!(log.answer().errors.is_empty());
    }

    #[test]
    fn the_slowest_of_long_ago_are_forgotten_and_failures_are_not() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        log.take(request(0, 900.0, 503));
        log.take(request(WHILE, 5.0, 200));
        assert_eq!(times(&log.answer().slowest), [900.0, 5.0]);
        assert_eq!(log.answer().since, Timestamp::UNIX_EPOCH);
        log.take(request(2 * WHILE, 7.0, 200));
        assert_eq!(times(&log.answer().slowest), [7.0, 5.0]);
        assert_eq!(log.answer().since, request(WHILE, 0.0, 0).at);
        assert_eq!(times(&log.answer().errors), [900.0]);
    }

    #[test]
    fn the_latest_failures_are_kept_latest_first() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        for milliseconds in 1..=30 {
            log.take(request(1, f64::from(milliseconds), 500));
            log.take(request(1, 0.5, 404));
        }
        let expected: Vec<f64> = (11..=30).rev().map(f64::from).collect();
        assert_eq!(times(&log.answer().errors), expected);
    }
}
