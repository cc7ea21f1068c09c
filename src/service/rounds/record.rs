use std::collections::HashMap;
use std::sync::Arc;

use super::batch::RoundBatch;
use crate::domain::{ChangeId, Round, RoundId, ServerName, Timestamp};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Store, StoreError, Tx};

pub use crate::store::RecordedRound;

/// A round that counts, and whether it did before it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The round as it counts.
    pub round: RecordedRound,
    /// Whether it had been counted before.
    pub duplicate: bool,
}

/// A round of a file, with what admins made of it since: first this, then that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRound {
    /// The round.
    pub round: Round,
    /// What was made of it; mostly nothing.
    pub marks: Vec<NamedVoid>,
}

/// That a round was voided or restored, as a file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedVoid {
    /// Names it for good.
    pub change_id: ChangeId,
    /// Whether it was voided; else it was restored.
    pub void: bool,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What to do with the rounds behind one that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRefusal {
    /// Count them; each stands for itself.
    GoOn,
    /// Leave them and answer nothing for them; the order matters.
    Stop,
}

/// What became of each round of a batch, in its order.
pub(crate) type Outcomes = Vec<Result<Recorded, ServiceError>>;

impl Service {
    /// Counts a round, once, and rates its participants.
    ///
    /// # Errors
    /// A pool that is not configured; a `round_id` that was used for another round; a database
    /// that does not answer, in which case nothing was counted that a retry would count again.
    pub async fn record_round(&self, round: Round) -> Result<Recorded, ServiceError> {
        let pool = self.pool_of(&round)?;
        self.recorder.record(pool, round).await
    }

    /// Counts `rounds` of one pool, in their order, in one transaction: all or, where the database
    /// fails, none. Answers what became of each, up to the first refused one where that stops it.
    ///
    /// A round that is new is put into the log with its marks, and rated as what they make of it. The
    /// marks of one that was counted before are left, since they take a rebuild: see
    /// [`Service::apply_mark`].
    ///
    /// # Errors
    /// The database's; what concerns one round alone is in that round's outcome.
    pub async fn record_rounds(
        &self,
        pool: &Pool,
        rounds: &[ImportedRound],
        on_refusal: OnRefusal,
    ) -> Result<Vec<Result<Recorded, ServiceError>>, ServiceError> {
        let now = self.clock.now();
        Ok(Box::pin(record(&self.store, pool, rounds, now, on_refusal)).await?)
    }

    /// The pool that `round` counts in.
    ///
    /// # Errors
    /// A pool that is not configured.
    pub fn pool_of(&self, round: &Round) -> Result<Arc<Pool>, ServiceError> {
        let parts = round.parts();
        self.pool(parts.pool.as_ref(), Some(&parts.server))
    }
}

/// How often a batch is tried when another instance counts one of its rounds at the same moment,
/// in another pool, where the pool's lock does not keep the two apart.
const ATTEMPTS: u32 = 3;

pub(crate) async fn record(
    store: &Store,
    pool: &Pool,
    rounds: &[ImportedRound],
    now: Timestamp,
    on_refusal: OnRefusal,
) -> Result<Outcomes, StoreError> {
    let mut attempt = 1;
    loop {
        match try_record(store, pool, rounds, now, on_refusal).await {
            Err(StoreError::Duplicate(_)) if attempt < ATTEMPTS => attempt += 1,
            // Whoever keeps being first will have counted it by the next try.
            Err(StoreError::Duplicate(error)) => return Err(StoreError::Unavailable(error)),
            result => return result,
        }
    }
}

async fn try_record(
    store: &Store,
    pool: &Pool,
    rounds: &[ImportedRound],
    now: Timestamp,
    on_refusal: OnRefusal,
) -> Result<Outcomes, StoreError> {
    let mut tx = store.begin().await?;
    let locked = tx.lock_pool(pool.id).await?;
    let names: Vec<(ServerName, RoundId)> =
        rounds.iter().map(|marked| name(&marked.round)).collect();
    let mut counted: HashMap<(ServerName, RoundId), RecordedRound> = tx
        .rounds(&names)
        .await?
        .into_iter()
        .map(|recorded| (name(&recorded.logged.round), recorded))
        .collect();
    let new: Vec<&Round> = rounds
        .iter()
        .zip(&names)
        .filter(|(_, name)| !counted.contains_key(name))
        .map(|(marked, _)| &marked.round)
        .collect();
    let mut batch = RoundBatch::open(&mut tx, pool, locked, &new).await?;

    let mut outcomes = Vec::with_capacity(rounds.len());
    for (ImportedRound { round, marks }, name) in rounds.iter().zip(names) {
        let known = counted
            .get(&name)
            .map(|first| (first, first.logged.round.differences(round)));
        let outcome = match known {
            Some((first, differing)) if differing.is_empty() => Ok(Recorded {
                round: first.clone(),
                duplicate: true,
            }),
            Some((first, differing)) => Err(ServiceError::RoundIdTaken {
                pool: first.logged.round.parts().pool.clone().unwrap_or_default(),
                server: name.0,
                round_id: name.1,
                differing,
            }),
            None => {
                if let Some(change_id) = taken(&mut tx, marks).await? {
                    Err(ServiceError::ChangeIdTaken(change_id))
                } else {
                    let ended_at = round.parts().ended_at.unwrap_or(now);
                    let recorded = batch.rate(round.clone(), ended_at, now, marks)?;
                    counted.insert(name, recorded.clone());
                    Ok(Recorded {
                        round: recorded,
                        duplicate: false,
                    })
                }
            }
        };
        let refused = outcome.is_err();
        outcomes.push(outcome);
        if refused && on_refusal == OnRefusal::Stop {
            break;
        }
    }
    batch.save(&mut tx).await?;
    tx.commit().await?;
    Ok(outcomes)
}

/// The first of the names that another change has already.
async fn taken(tx: &mut Tx, marks: &[NamedVoid]) -> Result<Option<ChangeId>, StoreError> {
    for mark in marks {
        if tx.change(&mark.change_id).await?.is_some() {
            return Ok(Some(mark.change_id.clone()));
        }
    }
    Ok(None)
}

impl From<Round> for ImportedRound {
    fn from(round: Round) -> Self {
        Self {
            round,
            marks: Vec::new(),
        }
    }
}

fn name(round: &Round) -> (ServerName, RoundId) {
    let parts = round.parts();
    (parts.server.clone(), parts.round_id.clone())
}
