use std::sync::Arc;

use super::end_time::RoundSource;
use super::queue::MAX_BATCH;
use super::transaction::Recorded;
use crate::api::UpdateAnswer;
use crate::domain::{FieldProblem, Fingerprint, Report, StatName};
use crate::service::{Pool, Service, ServiceError};

#[derive(Debug, thiserror::Error)]
#[error("recording a round returned no outcome; report this fault of RBS")]
struct NoOutcome;

impl Service {
    /// Records a round in `pool` exactly once, and rates its participants.
    ///
    /// # Errors
    /// Returns an error if the `round_id` belongs to another round, or if the database does not answer. After the
    /// latter error, a retry cannot count the round twice.
    pub async fn record_round(
        &self,
        pool: Arc<Pool>,
        report: Report,
    ) -> Result<UpdateAnswer, ServiceError> {
        let mut outcomes = self.record_in_order(vec![(pool, report)], None).await;
        let outcome = outcomes.pop();
        let recorded = outcome.unwrap_or_else(|| Err(ServiceError::internal(NoOutcome)))?;
        Ok(recorded.into())
    }

    /// Records rounds that were sent with `secret`, each in its pool, as if each round had been sent after the answer
    /// to the one before. Returns one outcome per round.
    ///
    /// Consecutive rounds of one pool share a transaction. If a round fails with a temporary error, all later rounds
    /// get the same error, so that they do not overtake the failed one.
    pub async fn record_in_order(
        &self,
        rounds: Vec<(Arc<Pool>, Report)>,
        secret: Option<Fingerprint>,
    ) -> Vec<Result<Recorded, ServiceError>> {
        let count = rounds.len();
        let mut outcomes = Vec::with_capacity(count);
        for (pool, group) in groups(rounds) {
            let size = group.len();
            match self.queue.record_together(pool, group, secret).await {
                Ok(counted) => outcomes.extend(counted),
                Err(error) => outcomes.extend((0..size).map(|_| Err(error.clone()))),
            }
            let again = outcomes.iter().rev().take(size).find_map(retryable);
            if let Some(error) = again.cloned() {
                outcomes.resize_with(count, || Err(error.clone()));
                break;
            }
        }
        outcomes
    }
}

/// Returns the error of a failed round if a retry may succeed.
fn retryable<T>(outcome: &Result<T, ServiceError>) -> Option<&ServiceError> {
    let error = outcome.as_ref().err()?;
    matches!(error, ServiceError::Busy | ServiceError::Unavailable(_)).then_some(error)
}

/// Groups consecutive rounds of one pool, in groups of up to [`MAX_BATCH`] rounds.
fn groups(rounds: Vec<(Arc<Pool>, Report)>) -> Vec<(Arc<Pool>, Vec<Report>)> {
    let mut groups: Vec<(Arc<Pool>, Vec<Report>)> = Vec::new();
    for (pool, report) in rounds {
        match groups.last_mut() {
            Some((of, group)) if of.id == pool.id && group.len() < MAX_BATCH => group.push(report),
            _ => groups.push((pool, vec![report])),
        }
    }
    groups
}

/// Returns an error if a round's scoreboard contains numbers that the pool does not declare. A misspelt name would
/// otherwise go unnoticed. Rounds from a file are exempt, because the pool may have declared other numbers in the past.
pub(crate) fn check(pool: &Pool, report: &Report, source: RoundSource) -> Result<(), ServiceError> {
    if matches!(source, RoundSource::FromFile(_)) {
        return Ok(());
    }
    let declared = &pool.settings.scoreboard.stats;
    let parts = report.parts();
    let mut problems = Vec::new();
    for (field, team) in [("/team_a", &parts.team_a), ("/team_b", &parts.team_b)] {
        for (index, entry) in team.iter().enumerate() {
            let named = entry.stats.iter().flat_map(|stats| stats.named.keys());
            for name in named.filter(|name| !declared.contains(*name)) {
                problems.push(FieldProblem::new(
                    format!("{field}/{index}/stats/{name}"),
                    format!(
                        "is not declared by the pool {}, which has {}; leave it out, or add it to the setting \
                         \"stats\" of [pools.{}.scoreboard]",
                        pool.name,
                        listed(declared),
                        pool.name
                    ),
                ));
            }
        }
    }
    ServiceError::check(problems)
}

/// Lists the names of the numbers that a pool's scoreboards may contain, as a part of a sentence.
fn listed<'names>(declared: impl IntoIterator<Item = &'names StatName>) -> String {
    let declared: Vec<&str> = declared.into_iter().map(StatName::as_str).collect();
    match &declared[..] {
        [] => "only score, kills, deaths and assists".to_owned(),
        names => format!("score, kills, deaths, assists, {}", names.join(", ")),
    }
}
