//! Every metric: what it is called, what it counts, and its help text; and the counters that begin at 0.

use std::sync::atomic::AtomicU64;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::{Metrics, count, in_pool, set};
use crate::domain::{PolicyName, PoolName, SplitMethod};

/// The name and the value of a label, which distinguishes the series of one metric.
pub(super) type Label<'text> = (&'static str, &'text str);
/// The labels of a series.
pub(super) type Labels<const N: usize> = [(&'static str, String); N];

/// A gauge that may have fractions.
pub(super) type Fraction = Gauge<f64, AtomicU64>;
/// Durations, counted below fixed bounds.
pub(super) type Durations<const N: usize> = Family<Labels<N>, Histogram, fn() -> Histogram>;

/// Declares the metrics as fields that are named as they are. The library appends `_total` to the
/// names of counters, and the unit where there is one.
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
        "The program that runs, always 1";
    http_requests: Family<Labels<3>, Counter>,
        "Requests answered, by the template of their path (\"unmatched\" where there is nothing)";
    http_request_duration: Durations<2> = Durations::new_with_constructor(request_seconds), Seconds,
        "From a request's head to its answer's";
    http_requests_under_way: Gauge,
        "Requests that are being answered, this one included";
    rounds: Family<Labels<2>, Counter>,
        "Rounds that were sent and count: for the first time, or again";
    rounds_rejected: Family<Labels<1>, Counter>,
        "Rounds that were sent and refused; of those refused as unavailable some may count all the same";
    secrets_refused: Family<Labels<1>, Counter>,
        "Requests that were refused for their secret: none was sent, it is none that is known, or it is not for that";
    secret_last_used_timestamp: Family<Labels<1>, Fraction>, Seconds,
        "When a request last came with the secret of that fingerprint; 0 where that was not since the start";
    rounds_waiting: Family<Labels<1>, Gauge>,
        "Rounds that wait to be counted";
    balance_answers: Family<Labels<3>, Counter>,
        "Answers about the teams of a match in mid-round, by what they said; a plugin that asks again is counted again";
    balance_rules_triggered: Family<Labels<2>, Counter>,
        "Rules that said of a match in mid-round that its teams are unbalanced; an answer may have several";
    players_placed: Family<Labels<2>, Counter>,
        "Players who joined a match and were given a team";
    interventions_not_noted: Family<Labels<1>, Counter>,
        "Interventions that were answered and could not be written down";
    match_duration: Durations<1> = Durations::new_with_constructor(split_seconds), Seconds,
        "Making matches from a queue, without the wait for a turn";
    matches_made: Family<Labels<1>, Counter>,
        "Matches that were made from a queue";
    tickets_waiting: Family<Labels<1>, Gauge>,
        "Tickets that the last answer about a queue left waiting";
    split_duration: Durations<1> = Durations::new_with_constructor(split_seconds), Seconds,
        "Computing a table of splits, with the turns of others; those that are known already are not computed";
    splits_abandoned: Counter,
        "Tables of splits that were given up while they were computed, because whoever asked is gone";
    database_connections: Family<Labels<2>, Gauge>,
        "Open connections to the database";
    database_up: Gauge,
        "Whether the database answered when it was last asked, and takes rounds, as /readyz says it";
    database_disk_full: Gauge,
        "Whether the database had no room left on its disk when it was last asked";
    clock_jump: Fraction, Seconds,
        "How far the clock is ahead of what it would show if nobody had set it since the start; negative if it is behind";
    database_size: Gauge, Bytes,
        "What the database takes, as it was when it was last asked";
    backup_last_success_timestamp: Fraction = no_value(), Seconds,
        "The moment that the latest backup in backup_folder holds; 0 where there is none, NaN where no folder is set";
    import_bytes: Family<Labels<1>, Gauge>,
        "Bytes that the imports under way have read of their files, and those left; 0 while none runs";
    server_last_round_timestamp: Family<Labels<2>, Fraction>, Seconds,
        "When the last round of the server in the pool ended";
    pool_figures_read_timestamp: Family<Labels<1>, Fraction>, Seconds,
        "When the figures of the pool were read";
    pool_rounds: Family<Labels<1>, Gauge>,
        "Rated rounds of the pool";
    pool_players: Family<Labels<2>, Gauge>,
        "Players of the pool, in their shadow period or past it";
    pool_stale_players: Family<Labels<1>, Gauge>,
        "Players of the pool without a round for too long";
    pool_season_start_timestamp: Family<Labels<1>, Fraction>, Seconds,
        "When the season of the pool started";
    pool_season_rounds: Family<Labels<1>, Gauge>,
        "Rated rounds of the season of the pool";
    pool_rebuild_entries: Family<Labels<2>, Gauge>,
        "Rounds and changes that a void or a rebuild of the pool has computed, and those left; 0 while none runs";
    pool_rebuild_remaining: Family<Labels<1>, Gauge>, Seconds,
        "How long the void or rebuild of the pool may still take, by its pace so far";
    pool_challenger_lag_rounds: Family<Labels<1>, Gauge>,
        "Rounds of the pool that its challengers have not predicted yet; missing where it has none";
    pool_brier_score: Family<Labels<2>, Fraction>,
        "Mean Brier score of the pool's predictions: 0.25 is a coin's without draws, less is better";
    pool_log_loss: Family<Labels<2>, Fraction>,
        "Mean log loss of the pool's predictions, in nats: 0.693 is a coin's, less is better";
    pool_mean_rating: Family<Labels<1>, Fraction>,
        "Mean rating of the pool's active players";
    pool_mean_rating_change: Family<Labels<1>, Fraction>,
        "By how many points the mean rating of the pool's active players has changed over its latest rounds";
    pool_verdict: Family<Labels<2>, Gauge>,
        "Whether the pool's predictions are honest: 1 for the word that GET /v1/admin/quality has, 0 for the others";
}

/// A gauge that has no value yet.
fn no_value() -> Fraction {
    let gauge = Fraction::default();
    gauge.set(f64::NAN);
    gauge
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

pub(super) fn labels<const N: usize>(labels: [Label<'_>; N]) -> Labels<N> {
    labels.map(|(name, value)| (name, value.to_owned()))
}

impl Metrics {
    /// No round was rejected yet for any of these reasons, and no secret refused for any of those.
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

    /// No table of splits was computed yet by any method.
    pub fn begin_splits(&self) {
        for method in [SplitMethod::Exact, SplitMethod::Greedy] {
            let labels = labels([("method", method.as_str())]);
            // A series that exists keeps its value.
            let _series = self.0.metrics.split_duration.get_or_create(&labels);
        }
    }

    /// Nothing was counted yet in `pool`: no round, no match made, nothing balanced by the policy that is set for it.
    /// An answer is one of `results`, and has some of `rules`.
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
        count(&metrics.matches_made, [pool], 0);
        set(&metrics.tickets_waiting, [pool], 0);
        let _series = metrics.match_duration.get_or_create(&labels([pool]));
    }
}
