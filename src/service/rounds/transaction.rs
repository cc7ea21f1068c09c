use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::batch::RoundBatch;
use super::end_time::Taken;
use super::kept_players::KeptPlayers;
use super::record;
use crate::api::RoundChangeLine;
use crate::domain::{ChangeId, Fingerprint, Report, RoundId, ServerName};
use crate::service::{Pool, ServiceError, bot_levels};
use crate::store::{LoggedRound, PrunedRound, RecordedRound, RoundTraces, Store, StoreError, Tx};

/// A round that counts, and whether it did before it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The round as it counts.
    pub round: Arc<RecordedRound>,
    /// Whether it had been counted before.
    pub duplicate: bool,
    /// Whether there may be notices to its server.
    pub has_notices: bool,
}

/// A round that is to be counted, with what admins made of it since: first this, then that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRound {
    /// The round.
    pub report: Report,
    /// The secret that it came with; `None` of a file.
    pub secret: Option<Fingerprint>,
    /// What was made of it; mostly nothing.
    pub changes: Vec<RoundChangeLine>,
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

/// How often a batch is tried when another instance counts one of its rounds at the same moment,
/// in another pool, where the pool's lock does not keep the two apart.
const ATTEMPTS: u32 = 3;

/// Counts rounds of one pool in one transaction, as they were `taken`; rates them from the players who are `kept`, and
/// from what it reads of the others.
pub(crate) async fn record(
    store: &Store,
    pool: &Pool,
    rounds: &[ImportedRound],
    taken: Taken,
    on_refusal: OnRefusal,
    kept: &mut KeptPlayers,
) -> Result<Outcomes, ServiceError> {
    let mut attempt = 1;
    loop {
        // The future is large, and whoever awaits it would be as large.
        let recorded = Box::pin(try_record(store, pool, rounds, taken, on_refusal, kept));
        match recorded.await {
            Err(StoreError::Duplicate(error)) => {
                if attempt == ATTEMPTS {
                    // Whoever keeps being first will have counted it by the next try.
                    return Err(StoreError::Unavailable(error).into());
                }
                attempt += 1;
            }
            result => return Ok(result?),
        }
    }
}

async fn try_record(
    store: &Store,
    pool: &Pool,
    rounds: &[ImportedRound],
    taken: Taken,
    on_refusal: OnRefusal,
    kept: &mut KeptPlayers,
) -> Result<Outcomes, StoreError> {
    let mut tx = store.begin().await?;
    let names: Vec<(ServerName, RoundId)> =
        rounds.iter().map(|round| round.report.name()).collect();
    let (locked, traces) = tx.lock_pool_and_look_up(pool.id, &names).await?;
    let EarlierRounds {
        counted,
        pruned,
        servers_with_notices,
    } = EarlierRounds::read(&mut tx, traces).await?;
    let new: Vec<&Report> = rounds
        .iter()
        .zip(&names)
        .filter(|(_, name)| !counted.contains_key(name) && !pruned.contains_key(name))
        .map(|(round, _)| &round.report)
        .collect();
    let players = kept.take(&mut tx, pool, &locked, &new).await?;
    let mut batch = RoundBatch::new(pool, locked);
    let mut added: HashMap<(ServerName, RoundId), usize> = HashMap::new();
    let mut fates = Vec::with_capacity(rounds.len());
    for (round, name) in rounds.iter().zip(names) {
        let ImportedRound {
            report,
            secret,
            changes,
        } = round;
        let index = added.get(&name).copied();
        let fate = if let Some(index) = index {
            check_same(&batch.rounds()[index], report).map(|()| Fate::Added {
                index,
                duplicate: true,
            })
        } else if let Some(known) = counted.get(&name) {
            check_same(&known.logged, report).map(|()| Fate::Known(Arc::clone(known)))
        } else if let Some(pruned) = pruned.get(&name) {
            Err(ServiceError::RoundPruned(Box::new(pruned.clone())))
        } else if let Err(error) = taken
            .check(report)
            .and_then(|()| record::check(pool, report, taken))
            .and_then(|()| bot_levels::check(pool, &report.parts().bots))
        {
            Err(error)
        } else if let Some(change_id) = used(&mut tx, changes).await? {
            Err(ServiceError::ChangeIdTaken(change_id))
        } else {
            let index = batch.rounds().len();
            batch.add(report.clone(), (taken.at(), *secret), changes);
            added.insert(name.clone(), index);
            Ok(Fate::Added {
                index,
                duplicate: false,
            })
        };
        // A round that is pruned counts as much as one that was sent before.
        let refused = matches!(&fate, Err(error) if !matches!(error, ServiceError::RoundPruned(_)));
        fates.push((name.0, fate));
        if refused && on_refusal == OnRefusal::Stop {
            break;
        }
    }
    let saved = batch.rate_and_save(&mut tx, players).await?;
    tx.commit().await?;
    kept.keep(saved.record, saved.players);
    let outcomes = fates.into_iter().map(|(server, fate)| {
        let (round, duplicate) = match fate? {
            Fate::Known(round) => (round, true),
            Fate::Added { index, duplicate } => (Arc::clone(&saved.rounds[index]), duplicate),
        };
        Ok(Recorded {
            round,
            duplicate,
            has_notices: servers_with_notices.contains(&server),
        })
    });
    Ok(outcomes.collect())
}

/// What becomes of a round that is not refused.
enum Fate {
    /// It had been counted.
    Known(Arc<RecordedRound>),
    /// It is the round of the batch with that index, or the same once more.
    Added { index: usize, duplicate: bool },
}

/// Checks that a round is sent again as it was sent first.
fn check_same(first: &LoggedRound, again: &Report) -> Result<(), ServiceError> {
    let differing = first.report().differences(again);
    if differing.is_empty() {
        return Ok(());
    }
    let (server, round_id) = again.name();
    Err(ServiceError::RoundIdTaken {
        pool: first.round.pool().clone(),
        server,
        round_id,
        differing,
    })
}

/// What the database has of rounds that are sent.
#[derive(Debug, Default)]
struct EarlierRounds {
    counted: HashMap<(ServerName, RoundId), Arc<RecordedRound>>,
    pruned: HashMap<(ServerName, RoundId), PrunedRound>,
    servers_with_notices: HashSet<ServerName>,
}

impl EarlierRounds {
    /// Reads of what there are traces: of most rounds nothing.
    async fn read(tx: &mut Tx, traces: Vec<RoundTraces>) -> Result<Self, StoreError> {
        let mut found = Self::default();
        let mut known = Vec::new();
        for traces in traces {
            if traces.is_known {
                known.push((traces.server.clone(), traces.round_id));
            }
            if traces.has_notices {
                found.servers_with_notices.insert(traces.server);
            }
        }
        if known.is_empty() {
            return Ok(found);
        }
        let counted = tx.rounds(&known).await?.into_iter();
        found.counted = counted
            .map(|recorded| (recorded.logged.round.name(), Arc::new(recorded)))
            .collect();
        known.retain(|name| !found.counted.contains_key(name));
        let pruned = tx.pruned_rounds(&known).await?.into_iter();
        found.pruned = pruned
            .map(|round| ((round.server.clone(), round.round_id.clone()), round))
            .collect();
        Ok(found)
    }
}

/// The first of the names that another change has already.
async fn used(tx: &mut Tx, changes: &[RoundChangeLine]) -> Result<Option<ChangeId>, StoreError> {
    for line in changes {
        if tx.change(&line.change_id).await?.is_some() {
            return Ok(Some(line.change_id.clone()));
        }
    }
    Ok(None)
}

impl From<Report> for ImportedRound {
    fn from(report: Report) -> Self {
        Self {
            report,
            secret: None,
            changes: Vec::new(),
        }
    }
}
