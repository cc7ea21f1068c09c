//! What the running service counts and measures of itself, as text that Prometheus reads.
//!
//! Every [`Metrics`] stands for itself: nothing is global, so that several services of one process
//! do not count into each other. No label holds what a client chose: pools are those configured,
//! routes are templates, and players and rounds have no label at all.

mod balance_counts;
mod labels;
mod names;
mod pool_figures;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use crate::domain::{PoolName, Timestamp};
use labels::{
    Build, ConnectionsOf, Measured, MethodLabel, OutcomeLabel, PolicyLabel, PoolLabel, PoolState,
    Reason, ResultLabel, RouteLabel, RuleLabel, StatusLabel,
};

pub use labels::{BalanceResult, ConnectionState, SplitMethod};
pub use pool_figures::PoolFigures;

/// The type of the text, as HTTP names it.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// A gauge that may have fractions.
type Fraction = Gauge<f64, AtomicU64>;
/// Durations, with the bounds that they are counted below.
type Durations<Label> = Family<Label, Histogram, fn() -> Histogram>;

/// The counters and gauges of one service. Cheap to clone; clones count together.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

#[derive(Default)]
struct Counters {
    requests: Family<StatusLabel, Counter>,
    under_way: Gauge,
    rounds: Family<OutcomeLabel, Counter>,
    rejected: Family<Reason, Counter>,
    waiting: Family<PoolLabel, Gauge>,
    balance_answers: Family<ResultLabel, Counter>,
    balance_rules: Family<RuleLabel, Counter>,
    placed: Family<PolicyLabel, Counter>,
    not_noted: Family<PoolLabel, Counter>,
    connections: Family<ConnectionsOf, Gauge>,
    database_up: Gauge,
    figures_read: Family<PoolLabel, Fraction>,
    pool_rounds: Family<PoolLabel, Gauge>,
    players: Family<PoolState, Gauge>,
    stale_players: Family<PoolLabel, Gauge>,
    brier: Family<Measured, Fraction>,
    log_loss: Family<Measured, Fraction>,
}

struct Inner {
    registry: Registry,
    counters: Counters,
    request_durations: Durations<RouteLabel>,
    split_durations: Durations<MethodLabel>,
}

/// A request under way, until it is dropped.
#[derive(Debug)]
pub struct UnderWay(Gauge);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Seconds of requests: from what a lookup takes to the longest that a request may.
fn request_seconds() -> Histogram {
    Histogram::new([
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
    ])
}

/// Seconds of split tables: most take some milliseconds, few much longer.
fn split_seconds() -> Histogram {
    Histogram::new([
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
    ])
}

impl Metrics {
    /// Nothing counted yet, by the program of that version.
    #[must_use]
    pub fn new(version: &'static str) -> Self {
        let counters = Counters::default();
        let request_durations = Durations::new_with_constructor(request_seconds as fn() -> _);
        let split_durations = Durations::new_with_constructor(split_seconds as fn() -> _);
        let build = Family::<Build, Gauge>::default();
        build.get_or_create(&Build { version }).set(1);
        let mut registry = Registry::with_prefix("rbs");
        registry.register(names::BUILD.0, names::BUILD.1, build);
        names::register(
            &mut registry,
            &counters,
            &request_durations,
            &split_durations,
        );
        Self(Arc::new(Inner {
            registry,
            counters,
            request_durations,
            split_durations,
        }))
    }

    /// A request begins.
    #[must_use]
    pub fn request_begins(&self) -> UnderWay {
        let under_way = &self.0.counters.under_way;
        under_way.inc();
        UnderWay(under_way.clone())
    }

    /// A request was answered. `route` is the template of the path, never the path itself.
    pub fn request_answered(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let label = RouteLabel {
            route: route.to_owned(),
            method,
        };
        self.0
            .request_durations
            .get_or_create(&label)
            .observe(took.as_secs_f64());
        let RouteLabel { route, method } = label;
        let label = StatusLabel {
            route,
            method,
            status,
        };
        self.0.counters.requests.get_or_create(&label).inc();
    }

    /// A round was counted in `pool`, or had been before.
    pub fn round_recorded(&self, pool: &PoolName, duplicate: bool) {
        let label = OutcomeLabel {
            pool: pool.to_string(),
            outcome: if duplicate { "duplicate" } else { "counted" },
        };
        self.0.counters.rounds.get_or_create(&label).inc();
    }

    /// A round was not counted.
    pub fn round_rejected(&self, reason: &'static str) {
        let label = Reason { reason };
        self.0.counters.rejected.get_or_create(&label).inc();
    }

    /// A table of splits was computed.
    pub fn splits_computed(&self, method: SplitMethod, took: Duration) {
        self.0
            .split_durations
            .get_or_create(&MethodLabel {
                method: method.as_str(),
            })
            .observe(took.as_secs_f64());
    }

    /// So many rounds of `pool` wait to be counted.
    pub fn set_waiting(&self, pool: &PoolName, rounds: usize) {
        let waiting = &self.0.counters.waiting;
        waiting
            .get_or_create(&PoolLabel::of(pool))
            .set(whole(rounds as u64));
    }

    /// So many connections of that kind are in that state.
    pub fn set_connections(&self, kind: &'static str, state: ConnectionState, count: usize) {
        let state = state.as_str();
        let label = ConnectionsOf { kind, state };
        let connections = &self.0.counters.connections;
        connections.get_or_create(&label).set(whole(count as u64));
    }

    /// Whether the database answered when it was last asked, and takes rounds.
    pub fn set_database_up(&self, up: bool) {
        self.0.counters.database_up.set(i64::from(up));
    }

    /// `pool` is to have figures; until it has, they are said to be of 1970, so that it is noticed where
    /// they never come.
    pub fn expect_figures(&self, pool: &PoolName) {
        let figures_read = &self.0.counters.figures_read;
        // Making it is all; what is there already stays as it is.
        let _made_or_there = figures_read.get_or_create(&PoolLabel::of(pool));
    }

    /// What `pool` holds at that moment.
    pub fn set_pool(&self, pool: &PoolName, figures: &PoolFigures, at: Timestamp) {
        let counters = &self.0.counters;
        let label = PoolLabel::of(pool);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a moment is told to the millisecond"
        )]
        let seconds = at.unix_micros() as f64 / 1e6;
        counters.figures_read.get_or_create(&label).set(seconds);
        counters
            .pool_rounds
            .get_or_create(&label)
            .set(whole(figures.rounds));
        counters
            .stale_players
            .get_or_create(&label)
            .set(whole(figures.stale_players));
        for (state, count) in [
            ("hidden", figures.hidden_players),
            ("visible", figures.visible_players),
        ] {
            let pool = pool.to_string();
            let label = PoolState { pool, state };
            counters.players.get_or_create(&label).set(whole(count));
        }
        pool_figures::show(figures.brier, pool, &counters.brier);
        pool_figures::show(figures.log_loss, pool, &counters.log_loss);
    }

    /// Everything, in the text format that [`CONTENT_TYPE`] names.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.0.registry)?;
        Ok(text)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Metrics").finish_non_exhaustive()
    }
}

/// A count, as gauges have it.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Figure;

    #[test]
    fn services_of_one_process_count_apart() {
        let (one, other) = (Metrics::new("1.2.3"), Metrics::new("1.2.3"));
        one.round_recorded(&PoolName::default(), false);
        let line = "rbs_rounds_total{pool=\"default\",outcome=\"counted\"} 1";
        assert!(
            one.text().unwrap().contains(line),
            "{}",
            one.text().unwrap()
        );
        assert!(!other.text().unwrap().contains("rbs_rounds_total{"));
        assert!(
            one.text()
                .unwrap()
                .contains("rbs_build_info{version=\"1.2.3\"} 1")
        );
    }

    #[test]
    fn a_request_is_under_way_until_it_is_dropped() {
        let metrics = Metrics::new("0");
        let under_way = metrics.request_begins();
        assert!(
            metrics
                .text()
                .unwrap()
                .contains("rbs_http_requests_under_way 1\n")
        );
        drop(under_way);
        assert!(
            metrics
                .text()
                .unwrap()
                .contains("rbs_http_requests_under_way 0\n")
        );
    }

    #[test]
    fn a_figure_that_is_gone_is_not_shown_any_more() {
        let metrics = Metrics::new("0");
        let pool = PoolName::default();
        let mut figures = PoolFigures {
            brier: Figure {
                window: Some(0.25),
                all: Some(0.2),
            },
            ..PoolFigures::default()
        };
        metrics.set_pool(&pool, &figures, Timestamp::UNIX_EPOCH);
        let window = "rbs_pool_brier_score{pool=\"default\",over=\"window\"} 0.25";
        assert!(
            metrics.text().unwrap().contains(window),
            "{}",
            metrics.text().unwrap()
        );
        figures.brier = Figure::default();
        metrics.set_pool(&pool, &figures, Timestamp::UNIX_EPOCH);
        assert!(!metrics.text().unwrap().contains("rbs_pool_brier_score{"));
    }
}
