//! Counters and measurements of the running service, as text for Prometheus.
//!
//! Prometheus sees an increase only in a series that already exists. Every counter with known labels therefore
//! starts at 0.
//!
//! Each [`Metrics`] is independent and nothing is global, so that several services in one process do not mix their
//! counts. The cardinality of labels is bounded: pools are the configured ones, routes are templates, and players
//! and rounds have no label. Server names are the only labels chosen by clients; the number of names outside the
//! configuration is limited.

mod format;
mod pools;
#[cfg(target_os = "linux")]
mod process;
mod registry;
mod servers;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{Atomic, Gauge};
use prometheus_client::registry::Registry;

use crate::domain::{PolicyName, PoolName, Progress, ServerName, SplitMethod, Timestamp};
use registry::{Durations, Label, Labels, Registered, labels};

pub use format::Format;
pub use pools::{PoolFigures, SeasonFigures};

/// Counters and gauges of one service. Clones are cheap and share the counts.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Registry,
    metrics: Registered,
    /// Servers of each pool whose last rounds have a metric.
    servers: Mutex<BTreeMap<PoolName, Vec<ServerName>>>,
    /// Labels of the secrets whose last use has a metric.
    secrets_shown: Mutex<Vec<Labels<1>>>,
}

/// Progress of a pool's rebuild, for the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuildFigures {
    /// Progress of the rebuild, in entries of the pool's log; 0 of 0 if no rebuild runs.
    pub progress: Progress,
    /// Estimated remaining time of the rebuild in seconds, if known.
    pub remaining_seconds: Option<u32>,
}

/// Guard that counts an HTTP request as in progress until dropped.
#[derive(Debug)]
pub struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Creates the metrics of a service of this version, with all counts at 0. The current time `now` serves to compute
    /// the start time of the process.
    #[must_use]
    pub fn new(version: &'static str, now: Timestamp) -> Self {
        let mut registry = Registry::default();
        #[cfg(target_os = "linux")]
        registry.register_collector(Box::new(process::Process::new(now)));
        let metrics = Registered::new(registry.sub_registry_with_prefix("rbs"));
        set(&metrics.build_info, [("version", version)], 1);
        Self(Arc::new(Inner {
            registry,
            metrics,
            servers: Mutex::default(),
            secrets_shown: Mutex::default(),
        }))
    }

    /// Counts an HTTP request as in progress until the returned guard is dropped.
    #[must_use]
    pub fn request_begins(&self) -> InFlight {
        let in_flight = &self.0.metrics.http_requests_in_flight;
        in_flight.inc();
        InFlight(in_flight.clone())
    }

    /// Counts an answered HTTP request. `route` must be the template of the path, to keep the number of series bounded.
    pub fn request_answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let metrics = &self.0.metrics;
        let (route, method) = (("route", route), ("method", method));
        observe(&metrics.http_request_duration, [route, method], took);
        let status = ("status", &*status.to_string());
        count(&metrics.http_requests, [route, method, status], 1);
    }

    /// Counts an accepted round in a pool as new, or as a duplicate of an earlier round.
    pub fn round_recorded(&self, pool: &PoolName, duplicate: bool) {
        let outcome = if duplicate { "duplicate" } else { "counted" };
        let labels = [in_pool(pool), ("outcome", outcome)];
        count(&self.0.metrics.rounds, labels, 1);
    }

    /// Counts a request that was refused because of its secret, by this reason.
    pub fn secret_refused(&self, reason: &'static str) {
        count(&self.0.metrics.secrets_refused, [("reason", reason)], 1);
    }

    /// Counts a round that the service refused for this reason.
    pub fn round_rejected(&self, reason: &'static str) {
        count(&self.0.metrics.rounds_rejected, [("reason", reason)], 1);
    }

    /// Records the duration of a computation of a table of splits. `method` is the weakest method used for any of its
    /// splits.
    pub fn splits_computed(&self, method: SplitMethod, took: Duration) {
        let labels = [("method", method.into())];
        observe(&self.0.metrics.split_duration, labels, took);
    }

    /// Records an answer about a pool's queue: the number of matches made, the number of tickets (groups of players)
    /// left waiting, and the duration.
    pub fn matches_made(&self, pool: &PoolName, matches: usize, waiting: usize, took: Duration) {
        let (metrics, pool) = (&self.0.metrics, [in_pool(pool)]);
        observe(&metrics.match_duration, pool, took);
        count(&metrics.matches_made, pool, matches as u64);
        set(&metrics.tickets_waiting, pool, waiting as u64);
    }

    /// Counts a computation of splits that was cancelled because the client had disconnected.
    pub fn splits_abandoned(&self) {
        self.0.metrics.splits_abandoned.inc();
    }

    /// Counts an answer about the balance of a running match, by its policy and result, and the policy's rules that
    /// found the teams unbalanced.
    pub fn balance_answered<'rules>(
        &self,
        pool: &PoolName,
        policy: &PolicyName,
        result: &'static str,
        rules: impl Iterator<Item = &'rules str>,
    ) {
        let metrics = &self.0.metrics;
        let (policy, result) = (("policy", policy.as_str()), ("result", result));
        count(&metrics.balance_answers, [in_pool(pool), policy, result], 1);
        for rule in rules {
            let labels = [in_pool(pool), ("rule", rule)];
            count(&metrics.balance_rules_triggered, labels, 1);
        }
    }

    /// Counts messages to the chat of a pool, by their result: `sent`, `failed` or `dropped`.
    pub fn webhook_messages(&self, pool: &PoolName, result: &'static str, messages: u64) {
        let labels = [in_pool(pool), ("result", result)];
        count(&self.0.metrics.webhook_messages, labels, messages);
    }

    /// Counts players who joined running matches of a pool and were assigned to a team by this policy.
    pub fn players_placed(&self, pool: &PoolName, policy: &PolicyName, players: usize) {
        let labels = [in_pool(pool), ("policy", policy.as_str())];
        count(&self.0.metrics.players_placed, labels, players as u64);
    }

    /// Counts an intervention (advice on an unbalanced match) that was answered but could not be stored.
    pub fn intervention_not_noted(&self, pool: &PoolName) {
        count(&self.0.metrics.interventions_not_noted, [in_pool(pool)], 1);
    }

    /// Sets the number of a pool's received rounds that wait to be counted.
    pub fn set_waiting(&self, pool: &PoolName, rounds: usize) {
        let waiting = &self.0.metrics.rounds_waiting;
        set(waiting, [in_pool(pool)], rounds as u64);
    }

    /// Sets the numbers of idle and used database connections of one kind.
    pub fn set_connections(&self, kind: &'static str, idle: usize, in_use: usize) {
        for (state, count) in [("idle", idle), ("in_use", in_use)] {
            let labels = [("kind", kind), ("state", state)];
            set(&self.0.metrics.database_connections, labels, count as u64);
        }
    }

    /// Sets the result of the last check of the database: `true` if the database answered and accepts rounds.
    pub fn set_database_up(&self, up: bool) {
        self.0.metrics.database_up.set(i64::from(up));
    }

    /// Sets the result of the last check of the database's disk: `true` if the disk was full.
    pub fn set_database_disk_full(&self, full: bool) {
        self.0.metrics.database_disk_full.set(i64::from(full));
    }

    /// Sets the total adjustment of the system clock since the start, in microseconds; positive if it was set ahead.
    #[expect(
        clippy::cast_precision_loss,
        reason = "285 years in microseconds are exact in f64"
    )]
    pub fn set_clock_jump(&self, micros: i64) {
        self.0.metrics.clock_jump.set(micros as f64 / 1e6);
    }

    /// Sets the size of the database in bytes.
    pub fn set_database_size(&self, bytes: u64) {
        let size = &self.0.metrics.database_size;
        size.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// Sets the time of the data in the database's latest backup; `None` if there is no backup.
    pub fn set_last_backup(&self, at: Option<Timestamp>) {
        let latest = &self.0.metrics.backup_last_success_timestamp;
        latest.set(at.map_or(0.0, unix_seconds));
    }

    /// Sets the progress of all running imports: the bytes of their files that they have read, and the total bytes.
    pub fn set_imports(&self, progress: Progress) {
        let Progress { done, total } = progress;
        for (state, bytes) in [("done", done), ("left", total.saturating_sub(done))] {
            set(&self.0.metrics.import_bytes, [("state", state)], bytes);
        }
    }

    /// Sets the progress of the rebuild of a pool.
    pub fn set_rebuild(&self, pool: &PoolName, figures: RebuildFigures) {
        let metrics = &self.0.metrics;
        let pool = in_pool(pool);
        let Progress { done, total } = figures.progress;
        for (state, count) in [("done", done), ("left", total.saturating_sub(done))] {
            set(
                &metrics.pool_rebuild_entries,
                [pool, ("state", state)],
                count,
            );
        }
        let remaining = figures.remaining_seconds.map(i64::from);
        show(&metrics.pool_rebuild_remaining, [pool], remaining);
    }

    /// Encodes all metrics of the service in this text format.
    pub fn text(&self, format: Format) -> Result<String, fmt::Error> {
        format.write(&self.0.registry)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}

fn in_pool(pool: &PoolName) -> Label<'_> {
    ("pool", pool.as_str())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "today's unix time in microseconds is exact in f64"
)]
fn unix_seconds(at: Timestamp) -> f64 {
    at.unix_micros() as f64 / 1e6
}

fn count<const N: usize>(family: &Family<Labels<N>, Counter>, of: [Label<'_>; N], more: u64) {
    family.get_or_create(&labels(of)).inc_by(more);
}

fn set<const N: usize>(family: &Family<Labels<N>, Gauge>, of: [Label<'_>; N], value: u64) {
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    show(family, of, Some(value));
}

/// Sets a series to `value`, or removes the series if there is no value.
fn show<const N: usize, Value, Stored: Atomic<Value>>(
    family: &Family<Labels<N>, Gauge<Value, Stored>>,
    of: [Label<'_>; N],
    value: Option<Value>,
) {
    if let Some(value) = value {
        family.get_or_create(&labels(of)).set(value);
    } else {
        family.remove(&labels(of));
    }
}

fn observe<const N: usize>(family: &Durations<N>, of: [Label<'_>; N], took: Duration) {
    let histogram = family.get_or_create(&labels(of));
    histogram.observe(took.as_secs_f64());
}
