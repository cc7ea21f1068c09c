use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::{RequestAnswer, RequestsAnswer};
use crate::domain::Timestamp;

/// How many requests of each kind are kept.
const MOST: usize = 20;
/// After how many seconds a new period begins. The slowest of this period and of the one before are
/// kept: a slow start is no news after days.
const PERIOD: i64 = 3600;

/// The requests that were slowest, and the latest that failed, as far as this instance remembers.
/// Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct RequestLog(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// The period before this one, where there was one.
    before: Option<Period>,
    now: Period,
    /// The latest first.
    errors: VecDeque<RequestAnswer>,
}

/// The slowest requests since a moment, the slowest first.
#[derive(Clone, Debug)]
struct Period {
    since: Timestamp,
    slowest: Vec<RequestAnswer>,
}

impl Period {
    fn since(since: Timestamp) -> Self {
        let slowest = Vec::new();
        Self { since, slowest }
    }

    fn add(&mut self, requests: impl IntoIterator<Item = RequestAnswer>) {
        self.slowest.extend(requests);
        self.slowest
            .sort_by(|one, other| other.milliseconds.total_cmp(&one.milliseconds));
        self.slowest.truncate(MOST);
    }
}

impl RequestLog {
    /// Remembers from `now` on.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(State {
            before: None,
            now: Period::since(now),
            errors: VecDeque::new(),
        })))
    }

    /// Adds a request that was answered just now.
    pub(crate) fn add(&self, request: RequestAnswer) {
        let mut state = self.lock();
        if request.at.whole_seconds_since(state.now.since) >= PERIOD {
            let next = Period::since(request.at);
            state.before = Some(std::mem::replace(&mut state.now, next));
        }
        if request.status >= 500 {
            state.errors.truncate(MOST - 1);
            state.errors.push_front(request.clone());
        }
        state.now.add([request]);
    }

    /// What is remembered.
    pub(crate) fn answer(&self) -> RequestsAnswer {
        let state = self.lock();
        let mut both = state.before.as_ref().unwrap_or(&state.now).clone();
        if state.before.is_some() {
            both.add(state.now.slowest.iter().cloned());
        }
        RequestsAnswer {
            since: both.since,
            slowest: both.slowest,
            errors: state.errors.iter().cloned().collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
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
        let times = requests.iter().map(|request| request.milliseconds);
        times.collect()
    }

    #[test]
    fn the_slowest_and_the_latest_failures_are_kept() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        for milliseconds in 1..=30 {
            log.add(request(1, f64::from(milliseconds), 500));
            log.add(request(1, 0.5, 404));
        }
        let expected: Vec<f64> = (11..=30).rev().map(f64::from).collect();
        assert_eq!(times(&log.answer().slowest), expected);
        assert_eq!(times(&log.answer().errors), expected);
    }

    #[test]
    fn the_slowest_of_long_ago_are_forgotten_and_failures_are_not() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        log.add(request(0, 900.0, 503));
        log.add(request(PERIOD, 5.0, 499));
        assert_eq!(times(&log.answer().slowest), [900.0, 5.0]);
        assert_eq!(log.answer().since, Timestamp::UNIX_EPOCH);
        log.add(request(2 * PERIOD, 7.0, 200));
        assert_eq!(times(&log.answer().slowest), [7.0, 5.0]);
        assert_eq!(log.answer().since, request(PERIOD, 0.0, 0).at);
        assert_eq!(times(&log.answer().errors), [900.0]);
    }
}
