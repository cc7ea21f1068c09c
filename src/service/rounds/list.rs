use std::collections::HashMap;

use super::answer::{listed_round, name_listed, whole_round};
use super::pruned::round_pruned;
use crate::api::pagination::{Count, Cursor, Moment, TimePlace, page};
use crate::api::{ProgressAnswer, RoundsAnswer, RoundsQuery, VoidAnswer, WholeRoundAnswer};
use crate::domain::{RoundId, ServerName, VoidAction};
use crate::service::players::names::Names;
use crate::service::replay::lease::lease_cutoff;
use crate::service::replay::under_way::progress;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolId, PoolRecord, RecordedRound, RoundFilter, StoreError, Tx};

impl Service {
    /// The rounds of `pool` that are asked for, those that ended last first.
    pub async fn list_rounds(
        &self,
        pool: &Pool,
        query: RoundsQuery,
    ) -> Result<RoundsAnswer, ServiceError> {
        let filter = RoundFilter {
            server: query.server,
            from: query.from.map(|Moment(from)| from),
            to: query.to.map(|Moment(to)| to),
        };
        let before = query.after;
        let before = before.map(|Cursor(TimePlace(time, position))| (time, position));
        let Count(limit) = query.limit;
        let mut tx = self.store.begin_read().await?;
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
        let mut voids = voids(&mut tx, pool.id, &found).await?;
        let rounds = found.iter();
        let rounds = rounds.map(|round| listed_round(round, voids.remove(&round.logged.position)));
        let mut rounds: Vec<_> = rounds.collect();
        name_listed(&mut tx, &mut rounds).await?;
        Ok(RoundsAnswer {
            pool: pool.name.clone(),
            rounds,
            next,
        })
    }

    /// The round of that name, in whichever pool.
    pub async fn get_round(
        &self,
        server: ServerName,
        round_id: RoundId,
    ) -> Result<WholeRoundAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let found = find(&mut tx, (server, round_id)).await?;
        let under_way = self.void_under_way(&mut tx, &found).await?;
        let (under_way, progress) = under_way.unzip();
        let FoundRound { pool, round } = found;
        let rounds = std::slice::from_ref(&round);
        let void = voids(&mut tx, pool.id, rounds).await?;
        let void = void.into_values().next();
        let entries = round.logged.round.entries();
        let players = entries.map(|(_, entry)| entry.id).collect();
        let names = Names::of(&mut tx, players).await?;
        let progress = progress.flatten();
        Ok(whole_round(&round, void, under_way, progress, &names))
    }

    /// What the round is becoming at the moment, by a rebuild under way that nobody has called off, and how
    /// far that is.
    pub(crate) async fn void_under_way(
        &self,
        tx: &mut Tx,
        found: &FoundRound,
    ) -> Result<Option<(VoidAction, Option<ProgressAnswer>)>, StoreError> {
        let lease_cutoff = lease_cutoff(self.clock.now());
        let position = found.round.logged.position;
        let rebuild = tx.rebuild(found.pool.id, lease_cutoff).await?;
        let rebuild = rebuild.filter(|rebuild| !rebuild.is_cancelled);
        Ok(rebuild.and_then(|rebuild| {
            let (voided, action) = rebuild.voided?;
            (voided == position).then(|| (action, progress(&rebuild)))
        }))
    }
}

/// A round with its pool.
pub(crate) struct FoundRound {
    pub(crate) pool: PoolRecord,
    pub(crate) round: RecordedRound,
}

/// The round of that name.
///
/// # Errors
/// One that there never was, or that is pruned.
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
    let pool = its.next().ok_or(StoreError::Corrupt {
        table: "rounds",
        column: "report",
    })?;
    let position = round.logged.position;
    // Its row may still be there: pruned rounds are deleted some at a time.
    if position <= pool.pruned {
        return Err(round_pruned(tx, &pool, position, name).await?);
    }
    Ok(FoundRound { pool, round })
}

/// Why those of `rounds` that do not count do not, by their places in the log.
async fn voids(
    tx: &mut Tx,
    pool: PoolId,
    rounds: &[RecordedRound],
) -> Result<HashMap<u64, VoidAnswer>, StoreError> {
    let voided: HashMap<u64, u64> = rounds
        .iter()
        .filter_map(|round| Some((round.logged.voided_at?, round.logged.position)))
        .collect();
    let (Some(first), Some(last)) = (voided.values().min(), voided.values().max()) else {
        return Ok(HashMap::new());
    };
    let changes = tx.changes_of_rounds(pool, *first, *last).await?.into_iter();
    let void = changes.filter_map(|change| {
        let void = VoidAnswer {
            reason: change.reason,
            at: change.made_at,
        };
        Some((*voided.get(&change.position)?, void))
    });
    Ok(void.collect())
}
