use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::batch::RoundBatch;
use super::end_time::RoundSource;
use super::player_cache::PlayerCache;
use super::record;
use crate::api::RoundChangeLine;
use crate::domain::{ChangeId, Fingerprint, Report, RoundId, ServerName};
use crate::service::{Pool, ServiceError};
use crate::store::{LoggedRound, PrunedRound, RecordedRound, RoundTraces, Store, StoreError, Tx};

/// Recorded round, which may have been sent before.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Round in the log, with its result.
    pub round: Arc<RecordedRound>,
    /// `true` if the round had been recorded before.
    pub duplicate: bool,
    /// `true` if there may be notices for the round's server.
    pub has_notices: bool,
}

/// Round to record, with the later changes to it in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedRound {
    /// Report of the round.
    pub report: Report,
    /// Fingerprint of the secret that sent the round. `None` for a round from a file.
    pub secret: Option<Fingerprint>,
    /// Voids, restorations and corrections of the round, usually none.
    pub changes: Vec<RoundChangeLine>,
}

/// Treatment of the rounds after a refused round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnRefusal {
    /// Records the rounds after a refused round, for batches of independent rounds.
    GoOn,
    /// Records none of the rounds after a refused round, for batches whose order matters. These rounds have no outcome.
    Stop,
}

/// Outcomes of a batch of rounds, in the order of the rounds.
pub(crate) type Outcomes = Vec<Result<Recorded, ServiceError>>;

/// Number of attempts to record a batch while another instance records one of its rounds in another pool. The lock of
/// the pool does not prevent such a conflict.
const ATTEMPTS: u32 = 3;

/// Records rounds of one pool in one transaction. Uses the cached players, and reads the others.
pub(crate) async fn record(
    store: &Store,
    pool: &Pool,
    rounds: &[ImportedRound],
    source: RoundSource,
    on_refusal: OnRefusal,
    kept: &mut PlayerCache,
) -> Result<Outcomes, ServiceError> {
    let mut attempt = 1;
    loop {
        // Boxed, because the future is large and would enlarge its callers.
        let recorded = Box::pin(try_record(store, pool, rounds, source, on_refusal, kept));
        match recorded.await {
            Err(StoreError::Duplicate(error)) => {
                if attempt == ATTEMPTS {
                    // The next request will find the round that another instance has just recorded.
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
    source: RoundSource,
    on_refusal: OnRefusal,
    kept: &mut PlayerCache,
) -> Result<Outcomes, StoreError> {
    let mut tx = store.begin().await?;
    let names: Vec<(ServerName, RoundId)> =
        rounds.iter().map(|round| round.report.name()).collect();
    let (locked, traces) = tx.lock_pool_and_look_up(pool.id, &names).await?;
    let earlier = EarlierRounds::read(&mut tx, traces).await?;
    let (counted, pruned) = (&earlier.counted, &earlier.pruned);
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
        let (report, changes) = (&round.report, &round.changes);
        let index = added.get(&name).copied();
        let fate = if let Some(index) = index {
            check_same(&batch.rounds[index], report).map(|()| Fate::Added {
                index,
                duplicate: true,
            })
        } else if let Some(known) = counted.get(&name) {
            check_same(&known.logged, report).map(|()| Fate::Known(Arc::clone(known)))
        } else if let Some(pruned) = pruned.get(&name) {
            Err(ServiceError::RoundPruned(Box::new(pruned.clone())))
        } else if let Err(error) = check_new(pool, report, source) {
            Err(error)
        } else if let Some(change_id) = used(&mut tx, changes).await? {
            Err(ServiceError::ChangeIdTaken(change_id))
        } else {
            let index = batch.rounds.len();
            batch.add(report.clone(), (source.at(), round.secret), changes);
            added.insert(name.clone(), index);
            Ok(Fate::Added {
                index,
                duplicate: false,
            })
        };
        // A pruned round counts like a round that was sent before, and is no refusal.
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
            has_notices: earlier.servers_with_notices.contains(&server),
        })
    });
    Ok(outcomes.collect())
}

fn check_new(pool: &Pool, report: &Report, source: RoundSource) -> Result<(), ServiceError> {
    source.check(report)?;
    record::check(pool, report, source)?;
    pool.check_bots("", &report.parts().bots)
}

/// Outcome of a round that is not refused, before the batch is rated.
enum Fate {
    /// Round of this batch that an earlier transaction already recorded under the same server and round id.
    Known(Arc<RecordedRound>),
    /// Round of this batch by its index in the batch, or a repetition of such a round.
    Added { index: usize, duplicate: bool },
}

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

/// Rounds of a batch that the database already contains, and servers with notices.
#[derive(Debug, Default)]
struct EarlierRounds {
    counted: HashMap<(ServerName, RoundId), Arc<RecordedRound>>,
    pruned: HashMap<(ServerName, RoundId), PrunedRound>,
    servers_with_notices: HashSet<ServerName>,
}

impl EarlierRounds {
    /// Reads the rounds of a batch that were recorded earlier, and the servers with notices. `traces` says for rounds
    /// of the batch if they are known, and if their servers have notices. Most batches have no known round.
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

/// Returns the first id of these imported changes that another change already uses.
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
