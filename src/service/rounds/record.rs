use std::sync::Arc;

use super::end_time::Taken;
use super::queue::MAX_BATCH;
use super::transaction::Recorded;
use crate::api::UpdateAnswer;
use crate::domain::{FieldProblem, Fingerprint, Report, StatName};
use crate::service::{Pool, Service, ServiceError};

/// A defect: every round has an outcome.
#[derive(Debug, thiserror::Error)]
#[error("a round was counted and has no outcome")]
struct NoOutcome;

impl Service {
    /// Counts a round in `pool`, once, and rates its participants.
    ///
    /// # Errors
    /// A `round_id` that was used for another round; a database that does not answer, in which case
    /// nothing was counted that a retry would count again.
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

    /// Counts rounds that came with `secret`, each in its pool, as if each had been sent once the one before it was
    /// answered, and says what became of each.
    ///
    /// Rounds of one pool that follow one another share a transaction. Behind a round that could
    /// not be counted now, but may be later, none is: it would overtake that one. Those get its
    /// error.
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

/// Why a round was not counted now and may be later, if that is how it is.
fn retryable<T>(outcome: &Result<T, ServiceError>) -> Option<&ServiceError> {
    let error = outcome.as_ref().err()?;
    matches!(error, ServiceError::Busy | ServiceError::Unavailable(_)).then_some(error)
}

/// The rounds in their order, those of one pool that follow one another together, as many as one
/// transaction takes.
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

/// Refuses a round with numbers of the scoreboard that its pool does not declare: a slip in a name would be noticed
/// only when they are missed. A file may have numbers that the pool declared when the round was counted, and keeps them.
pub(crate) fn check(pool: &Pool, report: &Report, taken: Taken) -> Result<(), ServiceError> {
    if matches!(taken, Taken::FromFile(_)) {
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
    if problems.is_empty() {
        Ok(())
    } else {
        Err(ServiceError::Invalid(problems))
    }
}

/// The names in words.
fn listed<'names>(declared: impl IntoIterator<Item = &'names StatName>) -> String {
    let declared: Vec<&str> = declared.into_iter().map(StatName::as_str).collect();
    match &declared[..] {
        [] => "only score, kills, deaths and assists".to_owned(),
        names => format!("score, kills, deaths, assists, {}", names.join(", ")),
    }
}
