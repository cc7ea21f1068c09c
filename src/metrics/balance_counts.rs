use super::Metrics;
use super::labels::{BalanceResult, PolicyLabel, PoolLabel, ResultLabel, RuleLabel};
use crate::domain::{PolicyName, PoolName};

impl Metrics {
    /// The teams of a match of `pool` were judged by a policy, with that result, for those rules.
    pub fn balance_answered(
        &self,
        pool: &PoolName,
        policy: &PolicyName,
        result: BalanceResult,
        rules: impl Iterator<Item = &'static str>,
    ) {
        let counters = &self.0.counters;
        let label = ResultLabel {
            pool: pool.to_string(),
            policy: policy.to_string(),
            result: result.as_str(),
        };
        counters.balance_answers.get_or_create(&label).inc();
        for rule in rules {
            let pool = pool.to_string();
            let label = RuleLabel { pool, rule };
            counters.balance_rules.get_or_create(&label).inc();
        }
    }

    /// So many players who join a match of `pool` were told their teams.
    pub fn players_placed(&self, pool: &PoolName, policy: &PolicyName, count: usize) {
        let pool = pool.to_string();
        let policy = policy.to_string();
        let label = PolicyLabel { pool, policy };
        let placed = &self.0.counters.placed;
        placed.get_or_create(&label).inc_by(count as u64);
    }

    /// Shows that no intervention of `pool` has been lost yet: what is not there at first, nobody sees
    /// rise.
    pub fn begin_pool(&self, pool: &PoolName) {
        let not_noted = &self.0.counters.not_noted;
        not_noted.get_or_create(&PoolLabel::of(pool)).inc_by(0);
    }

    /// An intervention in a match of `pool` was answered and not written down.
    pub fn intervention_not_noted(&self, pool: &PoolName) {
        let not_noted = &self.0.counters.not_noted;
        not_noted.get_or_create(&PoolLabel::of(pool)).inc();
    }
}
