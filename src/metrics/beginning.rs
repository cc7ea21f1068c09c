//! The counters that are there before there is anything to count.

use super::registry::{Label, labels};
use super::{Metrics, count, in_pool, set};
use crate::domain::{PolicyName, PoolName, SplitMethod};

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
