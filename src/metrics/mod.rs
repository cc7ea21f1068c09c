//! What the running service counts and measures of itself, as text that Prometheus reads.
//!
//! A rise is seen only of a series that was there before, so every counter whose labels are known begins at 0.
//!
//! Every [`Metrics`] stands for itself: nothing is global, so that several services of one process
//! do not count into each other. Pools are those configured, routes are templates, and players and rounds have no
//! label at all. Of what clients choose only names of servers are labels, and of those that the configuration does not
//! name only so many.

mod format;
mod pools;
#[cfg(target_os = "linux")]
mod process;
mod registry;
mod servers;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::domain::{PolicyName, PoolName, Progress, ServerName, SplitMethod, Timestamp};
use registry::{Durations, Label, Labels, Registered, labels};

pub use format::Format;
pub use pools::{PoolFigures, SeasonFigures};

/// The counters and gauges of one service. Cheap to clone; clones count together.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Registry,
    metrics: Registered,
    /// The servers of each pool that have a series.
    servers: Mutex<BTreeMap<PoolName, Vec<ServerName>>>,
    /// The secrets that have a series.
    secrets_shown: Mutex<Vec<Labels<1>>>,
}

/// How far a pool is computed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuildFigures {
    /// Of the log; nothing of nothing while no rebuild runs.
    pub progress: Progress,
    /// How many seconds it may still take, where that is known.
    pub remaining_seconds: Option<u32>,
}

/// A request that is being answered, until it is dropped.
#[derive(Debug)]
pub struct InFlight(Gauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Nothing counted yet, by the program of that version, in the process as it is `now`.
    #[must_use]
    pub fn new(version: &'static str, now: Timestamp) -> Self {
        let mut registry = Registry::default();
        #[cfg(target_os = "linux")]
        registry.register_collector(Box::new(process::Process::new(now)));
        let metrics = Registered::new(registry.sub_registry_with_prefix("rbs"));
        let build = labels([("version", version)]);
        metrics.build_info.get_or_create(&build).set(1);
        Self(Arc::new(Inner {
            registry,
            metrics,
            servers: Mutex::default(),
            secrets_shown: Mutex::default(),
        }))
    }

    /// A request begins.
    #[must_use]
    pub fn request_begins(&self) -> InFlight {
        let in_flight = &self.0.metrics.http_requests_under_way;
        in_flight.inc();
        InFlight(in_flight.clone())
    }

    /// A request was answered. `route` is the template of the path, never the path itself.
    pub fn request_answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let metrics = &self.0.metrics;
        let (route, method) = (("route", route), ("method", method));
        observe(&metrics.http_request_duration, [route, method], took);
        let status = ("status", &*status.to_string());
        count(&metrics.http_requests, [route, method, status], 1);
    }

    /// A round was counted in `pool`, or had been before.
    pub fn round_recorded(&self, pool: &PoolName, duplicate: bool) {
        let outcome = if duplicate { "duplicate" } else { "counted" };
        let labels = [in_pool(pool), ("outcome", outcome)];
        count(&self.0.metrics.rounds, labels, 1);
    }

    /// A request was refused for its secret.
    pub fn secret_refused(&self, reason: &'static str) {
        count(&self.0.metrics.secrets_refused, [("reason", reason)], 1);
    }

    /// A round was not counted.
    pub fn round_rejected(&self, reason: &'static str) {
        count(&self.0.metrics.rounds_rejected, [("reason", reason)], 1);
    }

    /// A table of splits was computed, every split of it by a method as good as this.
    pub fn splits_computed(&self, method: SplitMethod, took: Duration) {
        let labels = [("method", method.as_str())];
        observe(&self.0.metrics.split_duration, labels, took);
    }

    /// So many matches were made from a queue of `pool`, and so many tickets left waiting.
    pub fn matches_made(&self, pool: &PoolName, matches: usize, waiting: usize, took: Duration) {
        let (metrics, pool) = (&self.0.metrics, [in_pool(pool)]);
        observe(&metrics.match_duration, pool, took);
        count(&metrics.matches_made, pool, matches as u64);
        set(&metrics.tickets_waiting, pool, waiting as u64);
    }

    /// A table of splits was given up, because nobody waits for it any more.
    pub fn splits_abandoned(&self) {
        self.0.metrics.splits_abandoned.inc();
    }

    /// A policy was applied to the teams of a match of `pool`, with that result, for those rules.
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

    /// That many players who join a match of `pool` were given a team.
    pub fn players_placed(&self, pool: &PoolName, policy: &PolicyName, players: usize) {
        let labels = [in_pool(pool), ("policy", policy.as_str())];
        count(&self.0.metrics.players_placed, labels, players as u64);
    }

    /// An intervention in a match of `pool` was answered and could not be recorded.
    pub fn intervention_not_noted(&self, pool: &PoolName) {
        count(&self.0.metrics.interventions_not_noted, [in_pool(pool)], 1);
    }

    /// That many rounds of `pool` wait to be counted.
    pub fn set_waiting(&self, pool: &PoolName, rounds: usize) {
        let waiting = &self.0.metrics.rounds_waiting;
        set(waiting, [in_pool(pool)], rounds as u64);
    }

    /// How many connections of that kind are idle, and how many in use.
    pub fn set_connections(&self, kind: &'static str, idle: usize, in_use: usize) {
        for (state, count) in [("idle", idle), ("in_use", in_use)] {
            let labels = [("kind", kind), ("state", state)];
            set(&self.0.metrics.database_connections, labels, count as u64);
        }
    }

    /// Whether the database answered when it was last asked, and takes rounds.
    pub fn set_database_up(&self, up: bool) {
        self.0.metrics.database_up.set(i64::from(up));
    }

    /// Sets whether the disk of the database was full at the last check.
    pub fn set_database_disk_full(&self, full: bool) {
        self.0.metrics.database_disk_full.set(i64::from(full));
    }

    /// Sets by how much the clock was set ahead since the start.
    #[expect(
        clippy::cast_precision_loss,
        reason = "doubles hold the microseconds of 285 years exactly"
    )]
    pub fn set_clock_jump(&self, micros: i64) {
        self.0.metrics.clock_jump.set(micros as f64 / 1e6);
    }

    /// How many bytes the database takes.
    pub fn set_database_size(&self, bytes: u64) {
        let size = &self.0.metrics.database_size;
        size.set(i64::try_from(bytes).unwrap_or(i64::MAX));
    }

    /// The moment that the latest backup holds, where there is a backup.
    pub fn set_last_backup(&self, at: Option<Timestamp>) {
        let latest = &self.0.metrics.backup_last_success_timestamp;
        latest.set(at.map_or(0.0, unix_seconds));
    }

    /// How many bytes the imports under way have read, of how many.
    pub fn set_imports(&self, progress: Progress) {
        let Progress { done, total } = progress;
        for (state, bytes) in [("done", done), ("left", total.saturating_sub(done))] {
            set(&self.0.metrics.import_bytes, [("state", state)], bytes);
        }
    }

    /// How far `pool` is computed again.
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
        let remaining = &metrics.pool_rebuild_remaining;
        match figures.remaining_seconds {
            Some(seconds) => set(remaining, [pool], seconds.into()),
            None => {
                remaining.remove(&labels([pool]));
            }
        }
    }

    /// Everything, as text of that format.
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
    reason = "doubles hold today's microseconds exactly"
)]
fn unix_seconds(at: Timestamp) -> f64 {
    at.unix_micros() as f64 / 1e6
}

/// Counts so many more.
fn count<const N: usize>(family: &Family<Labels<N>, Counter>, of: [Label<'_>; N], more: u64) {
    family.get_or_create(&labels(of)).inc_by(more);
}

fn set<const N: usize>(family: &Family<Labels<N>, Gauge>, of: [Label<'_>; N], value: u64) {
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    family.get_or_create(&labels(of)).set(value);
}

fn observe<const N: usize>(family: &Durations<N>, of: [Label<'_>; N], took: Duration) {
    let histogram = family.get_or_create(&labels(of));
    histogram.observe(took.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_of_one_process_count_apart_and_what_ends_is_not_under_way() {
        let (one, other) = (
            Metrics::new("0", Timestamp::UNIX_EPOCH),
            Metrics::new("0", Timestamp::UNIX_EPOCH),
        );
        let has = |metrics: &Metrics, line: &str| {
            metrics.text(Format::OpenMetrics).unwrap().contains(line)
        };
        one.round_recorded(&PoolName::default(), false);
        let counted = "rbs_rounds_total{pool=\"default\",outcome=\"counted\"} 1\n";
        assert!(has(&one, counted) && !has(&other, "rbs_rounds_total{"));
        let request = one.request_begins();
        assert!(has(&one, "rbs_http_requests_under_way 1\n"));
        assert!(has(&other, "rbs_http_requests_under_way 0\n"));
        drop(request);
        assert!(has(&one, "rbs_http_requests_under_way 0\n"));
    }
}
