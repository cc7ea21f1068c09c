use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::api::{RequestAnswer, RequestsAnswer};
use crate::domain::Timestamp;

/// How many requests of each kind are kept.
const MOST: usize = 20;
/// What took less milliseconds is no news.
const LEAST: f64 = 100.0;
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
        // What admins read is asked for again and again by every page that is open.
        let is_polled = request.method == "GET" && request.route.starts_with("/v1/admin/");
        if request.milliseconds >= LEAST && !is_polled {
            state.now.add([request]);
        }
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
        for milliseconds in 101..=130 {
            log.add(request(1, f64::from(milliseconds), 500));
            log.add(request(1, 0.5, 404));
        }
        let expected: Vec<f64> = (111..=130).rev().map(f64::from).collect();
        assert_eq!(times(&log.answer().slowest), expected);
        assert_eq!(times(&log.answer().errors), expected);
    }

    #[test]
    fn what_pages_ask_for_by_themselves_is_not_among_the_slowest_but_may_fail() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        let polled = RequestAnswer {
            route: "/v1/admin/pools".to_owned(),
            ..request(1, 300.0, 503)
        };
        log.add(polled);
        log.add(request(1, 99.9, 200));
        assert!(log.answer().slowest.is_empty());
        assert_eq!(times(&log.answer().errors), [300.0]);
    }

    #[test]
    fn the_slowest_of_long_ago_are_forgotten_and_failures_are_not() {
        let log = RequestLog::new(Timestamp::UNIX_EPOCH);
        log.add(request(0, 900.0, 503));
        log.add(request(PERIOD, 500.0, 499));
        assert_eq!(times(&log.answer().slowest), [900.0, 500.0]);
        assert_eq!(log.answer().since, Timestamp::UNIX_EPOCH);
        log.add(request(2 * PERIOD, 700.0, 200));
        assert_eq!(times(&log.answer().slowest), [700.0, 500.0]);
        assert_eq!(log.answer().since, request(PERIOD, 0.0, 0).at);
        assert_eq!(times(&log.answer().errors), [900.0]);
    }
}
