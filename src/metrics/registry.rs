//! Registry of all metrics with their names and help texts, and of counters that must exist from the start.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::{Metrics, count, in_pool, set};
use crate::domain::{PolicyName, PoolName, SplitMethod};

pub(super) type Label<'text> = (&'static str, &'text str);
/// Labels that identify one series of a metric, as pairs of name and value.
pub(super) type Labels<const N: usize> = [(&'static str, String); N];

/// Gauge metric for values with fractions.
pub(super) type Fraction = Gauge<f64, AtomicU64>;
/// Family of histograms of durations, in seconds.
pub(super) type Durations<const N: usize> = Family<Labels<N>, Histogram, fn() -> Histogram>;

/// Declares every metric as a struct field of its name. The library appends `_total` to the names of counters, and
/// units.
macro_rules! metrics {
    ($($name:ident: $type:ty $(= $new:expr)?, $($unit:ident,)? $help:literal;)*) => {
        pub(super) struct Registered {
            $(pub(super) $name: $type,)*
        }

        impl Registered {
            pub(super) fn new(registry: &mut Registry) -> Self {
                $(
                    let $name: $type = metrics!(@new $($new)?);
                    metrics!(@register registry, $name, $help $(, $unit)?);
                )*
                Self { $($name,)* }
            }
        }
    };
    (@new) => { Default::default() };
    (@new $new:expr) => { $new };
    (@register $registry:ident, $name:ident, $help:literal) => {
        $registry.register(stringify!($name), $help, $name.clone());
    };
    (@register $registry:ident, $name:ident, $help:literal, $unit:ident) => {
        $registry.register_with_unit(stringify!($name), $help, Unit::$unit, $name.clone());
    };
}

metrics! {
    build_info: Family<Labels<1>, Gauge>,
        "Always 1; its label holds the version of the running program";
    http_requests: Family<Labels<3>, Counter>,
        "Requests answered, by path template such as /v1/players/{id} (\"unmatched\" for unknown paths)";
    http_request_duration: Durations<2> = Durations::new_with_constructor(request_seconds), Seconds,
        "Time from receiving the headers of a request to sending those of its answer";
    http_requests_in_flight: Gauge,
        "Requests that are being answered, including this one";
    rounds: Family<Labels<2>, Counter>,
        "Rounds that were accepted: counted for the first time, or sent again";
    rounds_rejected: Family<Labels<1>, Counter>,
        "Refused rounds; a round refused because the service was unavailable may still have been saved and rated";
    secrets_refused: Family<Labels<1>, Counter>,
        "Requests that were refused because of their secret: it was missing, unknown, or not valid for the request";
    secret_last_used_timestamp: Family<Labels<1>, Fraction>, Seconds,
        "Time of the last request with the secret that has this fingerprint; 0 if there was none since RBS started";
    rounds_waiting: Family<Labels<1>, Gauge>,
        "Rounds waiting to be counted";
    balance_answers: Family<Labels<3>, Counter>,
        "Answers to balance requests for running matches, by result; repeated requests are counted again";
    balance_rules_triggered: Family<Labels<2>, Counter>,
        "How often a balance rule found the teams of a running match uneven; one answer may count for several rules";
    players_placed: Family<Labels<2>, Counter>,
        "Joining players who were given a team";
    interventions_not_noted: Family<Labels<1>, Counter>,
        "Answers about unbalanced matches (interventions) that were sent to the game server but could not be stored";
    webhook_messages: Family<Labels<2>, Counter>,
        "Messages to the chat of the pool, by result: sent, failed, or dropped";
    match_duration: Durations<1> = Durations::new_with_constructor(split_seconds), Seconds,
        "Time to make matches from a queue, without the wait for a free processor";
    matches_made: Family<Labels<1>, Counter>,
        "Matches that were made from a queue";
    tickets_waiting: Family<Labels<1>, Gauge>,
        "Matchmaking tickets left waiting when RBS last looked for matches in the pool's queue";
    split_duration: Durations<1> = Durations::new_with_constructor(split_seconds), Seconds,
        "Time to compute a table of splits, including pauses for other requests; reused tables are not counted";
    splits_abandoned: Counter,
        "Computations of possible teams (splits) that were stopped because the client had disconnected";
    database_connections: Family<Labels<2>, Gauge>,
        "Open connections to the database";
    database_up: Gauge,
        "Whether the database answered and accepted rounds at the last check, as /readyz reports it";
    database_disk_full: Gauge,
        "Whether the disk of the database was full at the last check";
    clock_jump: Fraction, Seconds,
        "How far the clock was set forward since the start; negative if it was set back";
    database_size: Gauge, Bytes,
        "Size of the database at the last check";
    backup_last_success_timestamp: Fraction = no_value(), Seconds,
        "Time of the latest backup in backup_folder; 0 if there is none, NaN if no folder is set";
    import_bytes: Family<Labels<1>, Gauge>,
        "Bytes that the running imports have read from their files, and bytes left to read; 0 while none runs";
    server_last_round_timestamp: Family<Labels<2>, Fraction>, Seconds,
        "When the last round of the server in the pool ended";
    pool_figures_read_timestamp: Family<Labels<1>, Fraction>, Seconds,
        "When RBS last updated the metrics of the pool";
    pool_rounds: Family<Labels<1>, Gauge>,
        "Rated rounds of the pool";
    pool_players: Family<Labels<2>, Gauge>,
        "Players of the pool whose rating is hidden (in their shadow period) or visible (after it)";
    pool_stale_players: Family<Labels<1>, Gauge>,
        "Stale players of the pool: those without a round in the last stale_days days";
    pool_season_start_timestamp: Family<Labels<1>, Fraction>, Seconds,
        "When the current season of the pool started";
    pool_season_rounds: Family<Labels<1>, Gauge>,
        "Rated rounds of the pool in its current season";
    pool_rebuild_entries: Family<Labels<2>, Gauge>,
        "Rounds and changes that a void or a rebuild of the pool has computed, and those left; 0 while none runs";
    pool_rebuild_remaining: Family<Labels<1>, Gauge>, Seconds,
        "Estimated time left of the void or rebuild of the pool";
    pool_challenger_lag_rounds: Family<Labels<1>, Gauge>,
        "Rounds of the pool that its challengers (models on trial) have not predicted yet; a pool without challengers \
         has no such metric";
    pool_brier_score: Family<Labels<2>, Fraction>,
        "Mean Brier score of the pool's predictions; lower is better, and always predicting 50 % would score 0.25 if \
         no round were a draw";
    pool_log_loss: Family<Labels<2>, Fraction>,
        "Mean log loss of the pool's predictions, in nats; lower is better, and always predicting 50 % would score \
         0.693";
    pool_mean_rating: Family<Labels<1>, Fraction>,
        "Mean rating of the pool's active players";
    pool_mean_rating_change: Family<Labels<1>, Fraction>,
        "Change in the mean rating of the pool's active players over the pool's latest rounds, in points";
    pool_verdict: Family<Labels<2>, Gauge>,
        "Verdict on the pool's predictions: 1 for the one that GET /v1/admin/quality gives, 0 for the others";
}

/// Creates a gauge metric that is NaN until set.
fn no_value() -> Fraction {
    let gauge = Fraction::default();
    gauge.set(f64::NAN);
    gauge
}

/// Creates a histogram of request latencies, with buckets in seconds from a lookup (1 ms) to the longest request (10
/// s).
fn request_seconds() -> Histogram {
    Histogram::new([
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
    ])
}

/// Creates a histogram of the durations of split and match computations, in seconds. Most take a few milliseconds.
fn split_seconds() -> Histogram {
    Histogram::new([
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0,
    ])
}

pub(super) fn labels<const N: usize>(labels: [Label<'_>; N]) -> Labels<N> {
    labels.map(|(name, value)| (name, value.to_owned()))
}

impl Metrics {
    /// Creates the counters of refused rounds and of refused secrets for these reasons, starting at 0.
    pub fn begin_rejections(
        &self,
        of_rounds: impl Iterator<Item = &'static str>,
        of_secrets: impl Iterator<Item = &'static str>,
    ) {
        let metrics = &self.0.metrics;
        for reason in of_rounds {
            count(&metrics.rounds_rejected, [("reason", reason)], 0);
        }
        for reason in of_secrets {
            count(&metrics.secrets_refused, [("reason", reason)], 0);
        }
    }

    /// Creates the metrics of split durations, one for each method (exact and greedy).
    pub fn begin_splits(&self) {
        for method in [SplitMethod::Exact, SplitMethod::Greedy] {
            let labels = labels([("method", method.into())]);
            // Existing series keep their values.
            let _series = self.0.metrics.split_duration.get_or_create(&labels);
        }
    }

    /// Creates the counters of a pool for its configured balance policy, starting at 0. `results` are the possible
    /// results of a balance answer, `rules` the rules that an answer may report.
    pub fn begin_pool(
        &self,
        pool: &PoolName,
        policy: &PolicyName,
        results: &[&'static str],
        rules: &[&'static str],
    ) {
        let (metrics, pool) = (&self.0.metrics, in_pool(pool));
        let policy: Label<'_> = ("policy", policy.as_str());
        for outcome in ["counted", "duplicate"] {
            count(&metrics.rounds, [pool, ("outcome", outcome)], 0);
        }
        for result in results {
            let labels = [pool, policy, ("result", *result)];
            count(&metrics.balance_answers, labels, 0);
        }
        for rule in rules {
            count(&metrics.balance_rules_triggered, [pool, ("rule", *rule)], 0);
        }
        count(&metrics.players_placed, [pool, policy], 0);
        count(&metrics.interventions_not_noted, [pool], 0);
        for result in ["sent", "failed", "dropped"] {
            count(&metrics.webhook_messages, [pool, ("result", result)], 0);
        }
        count(&metrics.matches_made, [pool], 0);
        set(&metrics.tickets_waiting, [pool], 0);
        let _series = metrics.match_duration.get_or_create(&labels([pool]));
    }
}
