use std::time::Duration;

use crate::api::{BalanceAnswer, InterventionResult, PlaceAnswer, TeamsAnswer};
use crate::metrics::BalanceResult;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{BrokenRule, NewIntervention, PlayerMove, StoreError, TeamsRecord};

/// How long the database may take to note what was answered, which waits for it.
const TIMEOUT: Duration = Duration::from_millis(500);
/// Asked for again within this time, the same answer is the same intervention.
const SAME_WITHIN: Duration = Duration::from_mins(1);
/// For how many days interventions are kept.
pub(crate) const KEPT_DAYS: u32 = 90;
/// How many of those that are too old are deleted with each that is noted, at most: more than one,
/// so that there are fewer and fewer of them.
const FORGOTTEN_AT_ONCE: u32 = 100;
/// How many are kept at most, of all pools: a plugin that is told otherwise at every look makes many.
const MOST_KEPT: u32 = 1_000_000;

impl Service {
    /// Counts what was answered about the teams of a match, and notes it where they are unbalanced.
    ///
    /// The answer is good without the note: where it cannot be written, that is counted and logged.
    pub(crate) async fn note_balance(&self, pool: &Pool, answer: &BalanceAnswer) {
        let result = result_of(answer);
        let rules = answer.reasons.iter().map(|reason| reason.rule);
        self.metrics
            .balance_answered(&pool.name, &answer.policy, result, rules);
        if !answer.unbalanced {
            return;
        }
        let writing = tokio::time::timeout(TIMEOUT, async {
            // One after another, so that a burst of them leaves the connections to the rounds.
            let _turn = self.intervention_lock.lock().await;
            self.write_intervention(pool, answer).await
        });
        let writing = writing.await;
        if let Err(error) = writing.unwrap_or(Err(StoreError::TimedOut.into())) {
            self.metrics.intervention_not_noted(&pool.name);
            tracing::warn!(
                error = ?error,
                server = %answer.server,
                "Cannot note an intervention; it was answered, and is missing from the list"
            );
        }
    }

    /// Counts those who were placed.
    pub(crate) fn count_placed(&self, pool: &Pool, answer: &PlaceAnswer) {
        let placed = answer.placed.len();
        self.metrics
            .players_placed(&pool.name, &answer.policy, placed);
    }

    async fn write_intervention(
        &self,
        pool: &Pool,
        answer: &BalanceAnswer,
    ) -> Result<(), ServiceError> {
        let now = self.clock.now();
        let reasons = answer.reasons.iter().map(|reason| BrokenRule {
            rule: reason.rule.to_owned(),
            value: reason.value,
            limit: reason.limit,
            detail: reason.detail.clone(),
        });
        let moves = answer.moves.iter().map(|one| PlayerMove {
            id: one.id,
            from: one.from,
            to: one.to,
            with: one.with,
        });
        let noted = NewIntervention {
            pool: pool.id,
            server: answer.server.clone(),
            asked_at: now,
            policy: answer.policy.as_str().to_owned(),
            reasons: reasons.collect(),
            moves: moves.collect(),
            before: teams(&answer.before)?,
            after: teams(&answer.after)?,
            balanced_after: answer.balanced_after,
        };
        let mut tx = self.store.begin().await?;
        tx.record_intervention(&noted, now.earlier(SAME_WITHIN))
            .await?;
        let too_old = now.days_earlier(KEPT_DAYS);
        tx.forget_interventions(too_old, MOST_KEPT, FORGOTTEN_AT_ONCE)
            .await?;
        Ok(tx.commit().await?)
    }
}

fn result_of(answer: &BalanceAnswer) -> BalanceResult {
    if !answer.suppressed.is_empty() {
        BalanceResult::Suppressed
    } else if !answer.unbalanced {
        BalanceResult::Balanced
    } else {
        match InterventionResult::of(!answer.moves.is_empty(), answer.balanced_after) {
            InterventionResult::Moved => BalanceResult::Moved,
            InterventionResult::Filled => BalanceResult::Filled,
            InterventionResult::NothingHelps => BalanceResult::NothingHelps,
        }
    }
}

fn teams(teams: &TeamsAnswer) -> Result<TeamsRecord, ServiceError> {
    let count = |count: usize| u32::try_from(count).map_err(ServiceError::internal);
    Ok(TeamsRecord {
        size_a: count(teams.size_a)?,
        size_b: count(teams.size_b)?,
        bots_a: count(teams.bots_a)?,
        bots_b: count(teams.bots_b)?,
        sum_a: teams.sum_a,
        sum_b: teams.sum_b,
        win_probability_a: teams.win_probability_a,
    })
}
