//! What the running service counts and measures of itself, as text that Prometheus reads.
//!
//! Every [`Metrics`] stands for itself: nothing is global, so that several services of one process
//! do not count into each other. No label holds what a client chose: pools are those configured,
//! routes are templates, and players and rounds have no label at all.

mod labels;
mod registry;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use crate::domain::{PolicyName, PoolName, SplitMethod, Timestamp};
use crate::rating::Figure;
use labels::{Labels, labels};
use registry::{Fraction, Registered};

/// The type of the text, as HTTP names it.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The counters and gauges of one service. Cheap to clone; clones count together.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Registry,
    metrics: Registered,
}

/// What a pool holds, and how its predictions do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolFigures {
    /// Rated rounds.
    pub rounds: u64,
    /// Players in their shadow period.
    pub hidden_players: u64,
    /// Players past it.
    pub visible_players: u64,
    /// Players of either kind without a round for too long.
    pub stale_players: u64,
    /// The mean Brier score, 0 to 1.
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
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
    /// Nothing counted yet, by the program of that version.
    #[must_use]
    pub fn new(version: &'static str) -> Self {
        let mut registry = Registry::with_prefix("rbs");
        let metrics = Registered::new(&mut registry);
        let build = labels([("version", version)]);
        metrics.build_info.get_or_create(&build).set(1);
        Self(Arc::new(Inner { registry, metrics }))
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
        let both = labels([("route", route), ("method", method)]);
        let durations = metrics.http_request_duration.get_or_create(&both);
        durations.observe(took.as_secs_f64());
        let [route, method] = both;
        let all = [route, method, ("status", status.to_string())];
        metrics.http_requests.get_or_create(&all).inc();
    }

    /// A round was counted in `pool`, or had been before.
    pub fn round_recorded(&self, pool: &PoolName, duplicate: bool) {
        let outcome = if duplicate { "duplicate" } else { "counted" };
        let labels = labels([("pool", pool.as_str()), ("outcome", outcome)]);
        self.0.metrics.rounds.get_or_create(&labels).inc();
    }

    /// A round was not counted.
    pub fn round_rejected(&self, reason: &'static str) {
        let labels = labels([("reason", reason)]);
        self.0.metrics.rounds_rejected.get_or_create(&labels).inc();
    }

    /// A table of splits was computed, every split of it by a method as good as this.
    pub fn splits_computed(&self, method: SplitMethod, took: Duration) {
        let labels = labels([("method", method.as_str())]);
        let durations = self.0.metrics.split_duration.get_or_create(&labels);
        durations.observe(took.as_secs_f64());
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
        let (pool, result) = (("pool", pool.as_str()), ("result", result));
        let answer = labels([pool, ("policy", policy.as_str()), result]);
        metrics.balance_answers.get_or_create(&answer).inc();
        for rule in rules {
            let rule = labels([pool, ("rule", rule)]);
            metrics.balance_rules_triggered.get_or_create(&rule).inc();
        }
    }

    /// That many players who join a match of `pool` were given a team.
    pub fn players_placed(&self, pool: &PoolName, policy: &PolicyName, count: usize) {
        let labels = labels([("pool", pool.as_str()), ("policy", policy.as_str())]);
        let placed = self.0.metrics.players_placed.get_or_create(&labels);
        placed.inc_by(count as u64);
    }

    /// Shows that no intervention of `pool` has been lost yet: a rise is seen only of a series that
    /// was there before.
    pub fn begin_pool(&self, pool: &PoolName) {
        let not_noted = &self.0.metrics.interventions_not_noted;
        not_noted.get_or_create(&of_pool(pool)).inc_by(0);
    }

    /// An intervention in a match of `pool` was answered and could not be recorded.
    pub fn intervention_not_noted(&self, pool: &PoolName) {
        let not_noted = &self.0.metrics.interventions_not_noted;
        not_noted.get_or_create(&of_pool(pool)).inc();
    }

    /// That many rounds of `pool` wait to be counted.
    pub fn set_waiting(&self, pool: &PoolName, rounds: usize) {
        let waiting = &self.0.metrics.rounds_waiting;
        let waiting = waiting.get_or_create(&of_pool(pool));
        waiting.set(whole(rounds as u64));
    }

    /// How many connections of that kind are idle, and how many in use.
    pub fn set_connections(&self, kind: &'static str, idle: usize, in_use: usize) {
        let connections = &self.0.metrics.database_connections;
        for (state, count) in [("idle", idle), ("in_use", in_use)] {
            let labels = labels([("kind", kind), ("state", state)]);
            connections.get_or_create(&labels).set(whole(count as u64));
        }
    }

    /// Whether the database answered when it was last asked, and takes rounds.
    pub fn set_database_up(&self, up: bool) {
        self.0.metrics.database_up.set(i64::from(up));
    }

    /// `pool` is to have figures. Until it has, they are dated 1970, so that it is noticed where they
    /// never come.
    pub fn expect_figures(&self, pool: &PoolName) {
        let read_at = &self.0.metrics.pool_figures_read_timestamp;
        // A series that exists keeps its value.
        let _series = read_at.get_or_create(&of_pool(pool));
    }

    /// What `pool` held at that moment.
    pub fn set_pool(&self, pool: &PoolName, figures: &PoolFigures, at: Timestamp) {
        let metrics = &self.0.metrics;
        let label = of_pool(pool);
        #[expect(
            clippy::cast_precision_loss,
            reason = "doubles hold today's microseconds exactly"
        )]
        let seconds = at.unix_micros() as f64 / 1e6;
        let read_at = &metrics.pool_figures_read_timestamp;
        read_at.get_or_create(&label).set(seconds);
        let rounds = metrics.pool_rounds.get_or_create(&label);
        rounds.set(whole(figures.rounds));
        let stale = metrics.pool_stale_players.get_or_create(&label);
        stale.set(whole(figures.stale_players));
        for (state, count) in [
            ("hidden", figures.hidden_players),
            ("visible", figures.visible_players),
        ] {
            let labels = labels([("pool", pool.as_str()), ("state", state)]);
            let players = metrics.pool_players.get_or_create(&labels);
            players.set(whole(count));
        }
        show(figures.brier, pool, &metrics.pool_brier_score);
        show(figures.log_loss, pool, &metrics.pool_log_loss);
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

fn of_pool(pool: &PoolName) -> Labels<1> {
    labels([("pool", pool.as_str())])
}

/// Shows both of `figure` for `pool`; where there is none, its series goes.
fn show(figure: Figure, pool: &PoolName, family: &Family<Labels<2>, Fraction>) {
    for (over, figure) in [("window", figure.window), ("all", figure.all)] {
        let labels = labels([("pool", pool.as_str()), ("over", over)]);
        if let Some(figure) = figure {
            family.get_or_create(&labels).set(figure);
        } else {
            family.remove(&labels);
        }
    }
}

/// A count, as gauges have it.
fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

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
