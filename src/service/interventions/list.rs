use std::collections::HashMap;
use std::time::Duration;

use super::record::KEPT_DAYS;
use crate::api::InterventionResult;
use crate::api::pagination::InterventionPlace;
use crate::domain::{PolicyName, ServerName};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Intervention, InterventionFilter, PoolId, RoundEnd, StoreError, Tx};

/// How long after an intervention its round may end. One that ended later is another: the server was
/// empty, or its reports were lost.
pub(crate) const ROUND_WITHIN: Duration = Duration::from_hours(3);

/// An intervention as an admin sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct InterventionView {
    /// What is kept of it.
    pub kept: Intervention,
    /// The policy that was applied.
    pub policy: PolicyName,
    /// What was answered.
    pub result: InterventionResult,
    /// How the round ended that it was in; `None` while that is not known.
    pub round: Option<RoundEnd>,
}

/// A page of interventions, the latest first, and where the next begins.
#[derive(Clone, Debug, PartialEq)]
pub struct InterventionPage {
    /// The interventions.
    pub interventions: Vec<InterventionView>,
    /// Where to go on; `None` at the end.
    pub next: Option<InterventionPlace>,
}

impl Service {
    /// Up to `limit` of the pool's interventions, or only of that server's, those first asked for
    /// last first, from behind `after` on.
    pub async fn list_interventions(
        &self,
        pool: &Pool,
        server: Option<ServerName>,
        after: Option<InterventionPlace>,
        limit: u32,
    ) -> Result<InterventionPage, ServiceError> {
        let filter = InterventionFilter {
            server,
            // Older ones are deleted with the next that is noted.
            from: self.clock.now().days_earlier(KEPT_DAYS),
        };
        let before = after.map(|InterventionPlace(time, id)| (time, id));
        let mut tx = self.store.begin_read().await?;
        // One more than is shown tells whether there is a next page.
        let mut found = tx
            .list_interventions(pool.id, &filter, before, ROUND_WITHIN, limit + 1)
            .await?;
        let is_last = found.len() <= limit as usize;
        found.truncate(limit as usize);
        let last = found.last().filter(|_| !is_last);
        let next = last.map(|last| InterventionPlace(last.answered.asked_at, last.id));
        let interventions = views(&mut tx, pool.id, found).await?;
        Ok(InterventionPage {
            interventions,
            next,
        })
    }
}

/// Interventions of a pool with how their rounds ended, in their order.
pub(crate) async fn views(
    tx: &mut Tx,
    pool: PoolId,
    found: Vec<Intervention>,
) -> Result<Vec<InterventionView>, ServiceError> {
    let mut positions: Vec<u64> = found.iter().filter_map(|one| one.round).collect();
    positions.sort_unstable();
    positions.dedup();
    let ends = tx.round_ends(pool, &positions).await?.into_iter();
    let ends: HashMap<u64, RoundEnd> = ends.map(|end| (end.position, end)).collect();
    found.into_iter().map(|one| view(one, &ends)).collect()
}

fn view(
    kept: Intervention,
    ends: &HashMap<u64, RoundEnd>,
) -> Result<InterventionView, ServiceError> {
    let answered = &kept.answered;
    let policy = answered.policy.parse();
    let policy = policy.map_err(|_| StoreError::Corrupt {
        table: "interventions",
        column: "policy",
    })?;
    let round = kept.round.and_then(|position| ends.get(&position));
    Ok(InterventionView {
        policy,
        result: InterventionResult::of(!answered.moves.is_empty(), answered.balanced_after),
        round: round.cloned(),
        kept,
    })
}
