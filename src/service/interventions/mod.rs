//! Interventions: moves recommended by balance, and the outcomes of their rounds.

pub(crate) mod record;
mod summary;

use std::collections::HashMap;
use std::time::Duration;

use crate::api::pagination::{TimePlace, page};
use crate::api::{
    InterventionAnswer, InterventionMoveAnswer, InterventionRoundAnswer, InterventionsAnswer,
    PairAnswer,
};
use crate::domain::{InterventionResult, ServerName, Timestamp};
use crate::service::players::names::Names;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Intervention, InterventionFilter, PoolId, RoundEnd, Tx, corrupt};
use record::MAX_DAYS;

/// Maximum time from an intervention to the end of its round. A round that ends later is another round: the server was
/// empty in between, or reports were lost.
pub(crate) const ROUND_WITHIN: Duration = Duration::from_hours(3);

impl Service {
    /// Lists up to `limit` interventions of the pool, or of one server, latest first by the time of the first request.
    /// Begins after the cursor `after`. Includes only interventions at or after `from` and before `to`, if given.
    pub async fn list_interventions(
        &self,
        pool: &Pool,
        server: Option<ServerName>,
        (from, to): (Option<Timestamp>, Option<Timestamp>),
        after: Option<TimePlace>,
        limit: u32,
    ) -> Result<InterventionsAnswer, ServiceError> {
        let oldest = self.clock.now().days_earlier(MAX_DAYS);
        let filter = InterventionFilter {
            server,
            // Older interventions are deleted when the next one is recorded.
            from: from.map_or(oldest, |from| from.max(oldest)),
        };
        let after = after.map(|TimePlace(time, id)| (time, id));
        let before = after.into_iter().chain(to.map(|to| (to, 0))).min();
        let mut tx = self.store.begin_read().await?;
        let found = tx
            .list_interventions(pool.id, &filter, before, ROUND_WITHIN, limit + 1)
            .await?;
        let (found, next) = page(found, limit, |last| {
            TimePlace(last.answered.asked_at, last.id)
        });
        Ok(InterventionsAnswer {
            pool: pool.name.clone(),
            interventions: with_rounds(&mut tx, pool.id, found).await?,
            next,
        })
    }
}

/// Adds to each stored intervention the outcome of its round, and keeps the order of the interventions.
pub(crate) async fn with_rounds(
    tx: &mut Tx,
    pool: PoolId,
    found: Vec<Intervention>,
) -> Result<Vec<InterventionAnswer>, ServiceError> {
    let mut positions: Vec<u64> = found.iter().filter_map(|one| one.round).collect();
    positions.sort_unstable();
    positions.dedup();
    let ends: HashMap<u64, RoundEnd> = tx
        .round_ends(pool, &positions)
        .await?
        .into_iter()
        .map(|end| (end.position, end))
        .collect();
    let moves = found.iter().flat_map(|one| &one.answered.moves);
    let players = moves
        .flat_map(|one| [Some(one.id), one.with])
        .flatten()
        .collect();
    let names = Names::of(tx, players).await?;
    let answers = found.into_iter().map(|one| {
        let round = one.round.and_then(|position| ends.get(&position));
        answer(one, round, &names)
    });
    answers.collect()
}

fn answer(
    stored: Intervention,
    round: Option<&RoundEnd>,
    names: &Names,
) -> Result<InterventionAnswer, ServiceError> {
    let answered = stored.answered;
    let policy = answered
        .policy
        .parse()
        .map_err(|_| corrupt("interventions", "policy"))?;
    let first_asked_at = answered.asked_at;
    Ok(InterventionAnswer {
        server: answered.server,
        first_asked_at,
        last_asked_at: stored.last_asked_at,
        asked: stored.asked,
        policy,
        result: InterventionResult::of(!answered.moves.is_empty(), answered.balanced_after),
        reasons: answered.reasons.into_iter().map(Into::into).collect(),
        moves: answered
            .moves
            .into_iter()
            .map(|one| InterventionMoveAnswer {
                name: names.of_player(one.id),
                with_name: one.with.and_then(|with| names.of_player(with)),
                player: one.into(),
            })
            .collect(),
        before: answered.before.into(),
        after: answered.after.into(),
        balanced_after: answered.balanced_after,
        round: round.map(|end| {
            // The round ended after the intervention, within `ROUND_WITHIN`.
            let seconds = end.ended_at.whole_seconds_since(first_asked_at);
            InterventionRoundAnswer {
                round_id: end.round_id.clone(),
                ended_at: end.ended_at,
                seconds_after: u32::try_from(seconds).unwrap_or_default(),
                winner: end.winner,
                win_probability: PairAnswer::odds(end.win_probability),
            }
        }),
    })
}
