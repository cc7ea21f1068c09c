use std::collections::HashMap;

use super::answer::{Reasons, listed_round, name_listed, round_pruned, whole_round};
use crate::api::pagination::{Count, Cursor, Moment, TimePlace, page};
use crate::api::{
    CorrectionAnswer, ProgressAnswer, RoundsAnswer, RoundsQuery, VoidAnswer, WholeRoundAnswer,
};
use crate::domain::{RoundAction, RoundId, ServerName};
use crate::service::players::names::Names;
use crate::service::replay::lease::lease_cutoff;
use crate::service::replay::rebuild_progress::progress;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{
    Changed, LoggedRound, PoolId, PoolRecord, RecordedRound, RoundFilter, RoundMarks, StoreError,
    Tx, corrupt,
};

impl Service {
    /// Returns the rounds of `pool` that match `query`, latest end time first.
    pub async fn list_rounds(
        &self,
        pool: &Pool,
        query: RoundsQuery,
    ) -> Result<RoundsAnswer, ServiceError> {
        let filter = RoundFilter {
            server: query.server,
            map: query.map,
            from: query.from.map(|Moment(from)| from),
            to: query.to.map(|Moment(to)| to),
            secret: query.secret,
            received_from: query.received_from.map(|Moment(from)| from),
            received_to: query.received_to.map(|Moment(to)| to),
        };
        let before = query
            .after
            .map(|Cursor(TimePlace(time, position))| (time, position));
        let Count(limit) = query.limit;
        // A query for a rarely played map may read many rounds.
        let mut tx = self.store_for_figures().begin_read().await?;
        let found = match query.player {
            Some(player) => {
                tx.list_rounds_of_player(pool.id, player, &filter, before, limit + 1)
                    .await?
            }
            None => tx.list_rounds(pool.id, &filter, before, limit + 1).await?,
        };
        let (found, next) = page(found, limit, |last| {
            TimePlace(last.logged.round.ended_at(), last.logged.position)
        });
        let mut reasons = reasons(&mut tx, pool.id, &found).await?;
        let mut rounds: Vec<_> = found
            .iter()
            .map(|round| {
                let reasons = reasons.remove(&round.logged.position);
                listed_round(round, reasons.unwrap_or_default())
            })
            .collect();
        name_listed(&mut tx, &mut rounds).await?;
        Ok(RoundsAnswer {
            pool: pool.name.clone(),
            rounds,
            next,
        })
    }

    /// Returns the round with this server and round id, whichever pool contains it.
    pub async fn get_round(
        &self,
        server: ServerName,
        round_id: RoundId,
    ) -> Result<WholeRoundAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server, round_id)).await?;
        let change = self.change_in_progress(&mut tx, &found).await?;
        let (action, progress) = change.unzip();
        let in_progress = action.map(RoundAction::name);
        let FoundRound { pool, round } = found;
        let rounds = std::slice::from_ref(&round);
        let reasons = reasons(&mut tx, pool.id, rounds)
            .await?
            .into_values()
            .next()
            .unwrap_or_default();
        let entries = round.logged.round.entries();
        let players = entries.map(|(_, entry)| entry.id).collect();
        let names = Names::of(&mut tx, players).await?;
        let progress = progress.flatten();
        Ok(whole_round(&round, reasons, in_progress, progress, &names))
    }

    /// Returns the change that a rebuild in progress makes to the round, and its progress. Ignores cancelled rebuilds.
    pub(crate) async fn change_in_progress(
        &self,
        tx: &mut Tx,
        found: &FoundRound,
    ) -> Result<Option<(RoundAction, Option<ProgressAnswer>)>, StoreError> {
        let lease_cutoff = lease_cutoff(self.clock.now());
        let position = found.round.logged.position;
        let rebuild = tx
            .rebuild(found.pool.id, lease_cutoff)
            .await?
            .filter(|rebuild| !rebuild.is_cancelled);
        Ok(rebuild.and_then(|rebuild| {
            let change = rebuild.change?;
            (change.position == position).then(|| (change.action, progress(&rebuild)))
        }))
    }
}

pub(crate) struct FoundRound {
    pub(crate) pool: PoolRecord,
    pub(crate) round: RecordedRound,
}

/// Finds a recorded round by its server and round id. Returns an error if the round is unknown or pruned.
pub(crate) async fn find(
    tx: &mut Tx,
    name: (ServerName, RoundId),
) -> Result<FoundRound, ServiceError> {
    let Some(round) = tx.rounds(std::slice::from_ref(&name)).await?.pop() else {
        let pruned = tx.pruned_rounds(std::slice::from_ref(&name)).await?.pop();
        let (server, round_id) = name;
        return Err(match pruned {
            Some(pruned) => ServiceError::RoundPruned(Box::new(pruned)),
            None => ServiceError::NoSuchRound { server, round_id },
        });
    };
    let pools = tx.pools().await?.into_iter();
    let mut its = pools.filter(|pool| pool.name == *round.logged.round.pool());
    let pool = its.next().ok_or_else(|| corrupt("rounds", "report"))?;
    let position = round.logged.position;
    // The row of a pruned round may still exist, because pruned rounds are deleted in batches.
    if position <= pool.pruned {
        return Err(round_pruned(tx, &pool, position, name).await?);
    }
    Ok(FoundRound { pool, round })
}

/// Returns the reasons that were given for the voids and corrections of `rounds`, by log position.
async fn reasons(
    tx: &mut Tx,
    pool: PoolId,
    rounds: &[RecordedRound],
) -> Result<HashMap<u64, Reasons>, StoreError> {
    let changed = rounds
        .iter()
        .map(|round| &round.logged)
        .filter(|logged| logged.marks() != RoundMarks::default());
    let changed: HashMap<u64, &LoggedRound> =
        changed.map(|logged| (logged.position, logged)).collect();
    let (Some(first), Some(last)) = (changed.keys().min(), changed.keys().max()) else {
        return Ok(HashMap::new());
    };
    let mut reasons: HashMap<u64, Reasons> = HashMap::new();
    for change in tx.changes_of_rounds(pool, *first, *last).await? {
        let Changed::Round { position, action } = change.changed else {
            continue;
        };
        let Some(logged) = changed.get(&position) else {
            continue;
        };
        let of_round = reasons.entry(position).or_default();
        // Later changes replace earlier ones, so the last change counts.
        match action {
            RoundAction::Void if logged.voided_at == Some(change.position) => {
                of_round.void = Some(VoidAnswer {
                    reason: change.reason,
                    at: change.made_at,
                });
            }
            RoundAction::Correct { winner } if logged.marks().winner == Some(winner) => {
                of_round.correction = Some(CorrectionAnswer {
                    reported: logged.reported,
                    reason: change.reason,
                    at: change.made_at,
                });
            }
            _ => {}
        }
    }
    Ok(reasons)
}
