use std::collections::{HashMap, HashSet};

use super::Replay;
use super::load::Stored;
use crate::config::Overrides;
use crate::domain::{RoundAction, Share, Timestamp};
use crate::rating::{ModelName, ModelState, Parameters};
use crate::service::ServiceError;
use crate::store::{Change, Changed, LogEntry, PoolId, PoolRecord, RoundMarks, StoreError, Tx};

/// Differences of a replay from the log and the settings of a pool.
#[derive(Clone, Debug, Default)]
pub struct Alternative {
    /// Model that rates the pool. `None` keeps the pool's own model.
    pub model: Option<ModelName>,
    /// Constants that replace the configured ones.
    pub settings: Overrides,
    /// Assumptions about rounds and changes, by log position, ascending.
    pub(crate) assumed: Vec<(u64, Assumed)>,
    /// Season start that is missing in the log.
    pub(crate) season: Option<AssumedSeason>,
}

#[derive(Clone, Debug)]
pub(crate) struct AssumedSeason {
    pub(crate) place: SeasonStart,
    pub(crate) keep: Share,
    pub(crate) parameters: Parameters,
}

/// Place in the log at which a season starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SeasonStart {
    /// Before the first round that ended at or after this time.
    At(Timestamp),
    /// In place of the last season start of the log. The comparison's baseline is a replay without that start.
    LastStart { position: u64, at: Timestamp },
}

impl SeasonStart {
    pub(crate) fn moment(self) -> Timestamp {
        match self {
            Self::At(at) | Self::LastStart { at, .. } => at,
        }
    }

    /// Returns `true` if a season that has not started yet starts before `entry`.
    pub(super) fn is_reached(self, entry: &LogEntry) -> bool {
        match (self, entry) {
            (Self::At(at), LogEntry::Round(round)) => round.round.ended_at() >= at,
            (Self::At(_), LogEntry::Change(_)) => false,
            (Self::LastStart { position, .. }, entry) => entry.position() >= position,
        }
    }
}

impl Alternative {
    /// Opens a replay of `pool`. If entries are assumed and the model follows from ratings, the replay begins before
    /// the first assumed entry. Otherwise it begins after the pruned rounds.
    pub(super) async fn open(
        &self,
        tx: &mut Tx,
        pool: &PoolRecord,
    ) -> Result<Replay, ServiceError> {
        let stored = Stored {
            active: pool.generation,
            written: None,
        };
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
        for (position, assumed) in &self.assumed {
            replay.assume(*position, *assumed);
        }
        Ok(replay)
    }
}

/// Assumption about one entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumed {
    /// The round is voided, restored or corrected.
    Round(RoundAction),
    /// The player change or season start was never made.
    Undone,
}

/// Later changes to entries of the log, by log position.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Rounds that were ever voided or corrected.
    pub(super) rounds: HashMap<u64, RoundMarks>,
    /// Undone player changes and season starts.
    pub(super) undone: HashSet<u64>,
}

impl Marks {
    /// Applies one change. Changes must come in log order.
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

    /// Applies an assumption about the entry at `position`. The assumed change has log position 0, since its real
    /// position is known only when it is written.
    pub(super) fn assume(&mut self, position: u64, assumed: Assumed) {
        match assumed {
            Assumed::Round(action) => self.rounds.entry(position).or_default().apply(action, 0),
            Assumed::Undone => {
                self.undone.insert(position);
            }
        }
    }
}

/// Returns the voids and corrections that the log contains for the round at `position`.
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
