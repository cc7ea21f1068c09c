use std::time::Duration;

use crate::api::{PlayerMoveAnswer, ReasonAnswer, TeamSumsAnswer};
use crate::balance::{Move, Tally, Verdict};
use crate::service::balance::Subject;
use crate::service::convert::convert;
use crate::service::{Service, ServiceError};
use crate::store::{BrokenRule, NewIntervention, PlayerMove, StoreError, TeamsRecord};

/// Timeout for recording an intervention in the database, during which the answer to the client waits.
const TIMEOUT: Duration = Duration::from_millis(500);
/// Time within which a server's repeated balance request with an equal answer counts as the same intervention.
const SAME_WITHIN: Duration = Duration::from_mins(1);
pub(crate) const MAX_DAYS: u32 = 90;
/// Maximum number of outdated interventions deleted with each new one. More than one, so that a backlog shrinks.
const DELETED_AT_ONCE: u32 = 100;
/// Maximum number of stored interventions of all pools. A plugin whose requests get a new answer each time creates
/// many.
const MAX_COUNT: u32 = 1_000_000;

impl Service {
    /// Records a balance verdict as an intervention if the teams are unbalanced, that is if `reasons` is not empty.
    ///
    /// The verdict is valid without the record: a failure to write is logged and counted, and returns no error.
    pub(crate) async fn record_intervention(
        &self,
        subject: &Subject<'_>,
        verdict: &Verdict,
        reasons: &[BrokenRule],
    ) {
        if reasons.is_empty() {
            return;
        }
        let writing = self.write_intervention(subject, verdict, reasons);
        let written = tokio::time::timeout(TIMEOUT, writing).await;
        if let Err(error) = written.unwrap_or(Err(StoreError::TimedOut.into())) {
            self.metrics.intervention_not_noted(&subject.pool.name);
            tracing::warn!(
                error = ?error,
                server = %subject.server,
                "Cannot store an intervention (a match found unbalanced); the game server got its answer, but the \
                 intervention will not be listed"
            );
        }
    }

    async fn write_intervention(
        &self,
        subject: &Subject<'_>,
        verdict: &Verdict,
        reasons: &[BrokenRule],
    ) -> Result<(), ServiceError> {
        let (now, theta) = (self.clock.now(), subject.theta());
        let intervention = NewIntervention {
            pool: subject.pool.id,
            server: subject.server.clone(),
            asked_at: now,
            policy: subject.policy_name.as_str().to_owned(),
            reasons: reasons.to_vec(),
            moves: verdict.moves.iter().map(player_move).collect(),
            before: team_sums(&verdict.before, theta),
            after: team_sums(&verdict.after, theta),
            balanced_after: verdict.balanced_after,
        };
        let mut tx = self.store.begin().await?;
        tx.record_intervention(&intervention, now.earlier(SAME_WITHIN))
            .await?;
        let too_old = now.days_earlier(MAX_DAYS);
        tx.forget_interventions(too_old, MAX_COUNT, DELETED_AT_ONCE)
            .await?;
        Ok(tx.commit().await?)
    }
}

pub(crate) fn player_move(one: &Move) -> PlayerMove {
    PlayerMove {
        id: one.id,
        from: one.from,
        to: one.from.other(),
        with: one.with,
    }
}

/// Returns the sizes and weights (in points) of both teams, and the win probability of team a at Θ = `theta`.
pub(crate) fn team_sums(tally: &Tally, theta: f64) -> TeamsRecord {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    TeamsRecord {
        size_a: count(tally.a.size),
        size_b: count(tally.b.size),
        bots_a: count(tally.a.bots),
        bots_b: count(tally.b.bots),
        sum_a: tally.a.power.points(),
        sum_b: tally.b.power.points(),
        win_probability_a: tally.win_probability_a(theta),
    }
}

convert! {
    BrokenRule => ReasonAnswer { rule, value, limit, detail }
    PlayerMove => PlayerMoveAnswer { id, from, to, with }
    TeamsRecord => TeamSumsAnswer { size_a, size_b, bots_a, bots_b, sum_a, sum_b, win_probability_a }
}
