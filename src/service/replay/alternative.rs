use std::collections::{HashMap, HashSet};

use super::Replay;
use super::load::Stored;
use crate::config::Overrides;
use crate::domain::{RoundAction, Share, Timestamp};
use crate::rating::{ModelName, ModelState, Parameters};
use crate::service::ServiceError;
use crate::store::{Change, Changed, LogEntry, PoolId, PoolRecord, RoundMarks, StoreError, Tx};

/// Assumptions of a replay (recomputation of a pool's ratings) that differ from the pool's log and settings.
#[derive(Clone, Debug, Default)]
pub struct Alternative {
    /// Model that rates the pool. `None` keeps the pool's own model.
    pub model: Option<ModelName>,
    /// Rating constants that replace the pool's configured ones in the replay.
    pub settings: Overrides,
    /// Assumed voids, restorations, corrections and undos, each with the log position of the changed entry, ascending.
    pub(crate) assumed: Vec<(u64, Assumed)>,
    /// Season start that the replay assumes although the log does not contain it.
    pub(crate) season: Option<AssumedSeason>,
}

#[derive(Clone, Debug)]
pub(crate) struct AssumedSeason {
    pub(crate) place: SeasonStart,
    pub(crate) keep: Share,
    pub(crate) parameters: Parameters,
}

/// Place in the log at which an assumed season starts: before the first round that ended at or after `at`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeasonStart {
    pub(crate) at: Timestamp,
    /// Log position of the last season start, if the assumed one is in its place. The baseline is then a replay without
    /// a start there.
    pub(crate) replaced: Option<u64>,
}

impl SeasonStart {
    /// Returns `true` if the assumed season, which has not started yet, starts before this log entry.
    pub(super) fn is_reached(self, entry: &LogEntry) -> bool {
        match (self.replaced, entry) {
            (Some(position), entry) => entry.position() >= position,
            (None, LogEntry::Round(round)) => round.round.ended_at() >= self.at,
            (None, LogEntry::Change(_)) => false,
        }
    }
}

impl Alternative {
    /// Opens a replay of `pool` with this alternative model, settings, log entries and season start. If log entries are
    /// assumed and the model needs no state besides ratings, the replay begins before the first such entry. Otherwise
    /// it begins after the pruned rounds.
    pub(super) async fn open(
        &self,
        tx: &mut Tx,
        pool: &PoolRecord,
    ) -> Result<Replay, ServiceError> {
        let stored = Stored::of(pool.generation);
        let rated = PoolRecord {
            model: self.model.unwrap_or(pool.model),
            ..pool.clone()
        };
        let model = rated.model.resume(&ModelState::default());
        let follows_from_ratings = model.map_err(StoreError::from)?.follows_from_ratings();
        let mut replay = match self.assumed.first() {
            Some((first, _)) if follows_from_ratings => {
                let first = (*first).max(pool.pruned + 1);
                Replay::open_behind(tx, pool, first - 1, stored).await?
            }
            _ => {
                let stored = Stored::of_pruned(pool);
                Replay::open_behind_pruned(tx, &rated, self.settings.clone(), stored).await?
            }
        };
        replay.assumed.extend(self.assumed.iter().copied());
        Ok(replay)
    }
}

/// Assumption of a replay about one entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumed {
    /// Assumption that the round is voided, restored or corrected.
    Round(RoundAction),
    /// Assumption that the player change or season start was never made.
    Undone,
}

/// Voids, corrections and undos of log entries, by the log position of the changed entry.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Voids and corrections of rounds, by the log position of the round.
    pub(super) rounds: HashMap<u64, RoundMarks>,
    /// Log positions of undone player changes and season starts.
    pub(super) undone: HashSet<u64>,
}

impl Marks {
    /// Records a void, correction or undo that was read from the log. Changes must come in log order.
    pub(super) fn apply(&mut self, change: &Change) {
        match change.changed {
            Changed::Round { position, action } => {
                let marks = self.rounds.entry(position).or_default();
                marks.apply(action, change.position);
            }
            Changed::Undo { position, .. } => {
                self.undone.insert(position);
            }
            Changed::Player(..) | Changed::Season(_) => {}
        }
    }

    /// Records an assumed void, correction or undo of the log entry at `position`. The assumed change has log position
    /// 0, since its real position is known only when it is written.
    pub(super) fn assume(&mut self, position: u64, assumed: Assumed) {
        match assumed {
            Assumed::Round(action) => self.rounds.entry(position).or_default().apply(action, 0),
            Assumed::Undone => {
                self.undone.insert(position);
            }
        }
    }
}

/// Returns the voids and corrections that the log contains for the round at log position `position`.
pub(super) async fn marks_of(
    tx: &mut Tx,
    pool: PoolId,
    position: u64,
) -> Result<RoundMarks, StoreError> {
    let mut marks = Marks::default();
    for change in tx.changes_of_rounds(pool, position, position).await? {
        marks.apply(&change);
    }
    Ok(marks.rounds.remove(&position).unwrap_or_default())
}
