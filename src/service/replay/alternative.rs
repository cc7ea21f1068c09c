use std::collections::{HashMap, HashSet};

use super::Replay;
use super::load::Stored;
use crate::config::Overrides;
use crate::domain::{RoundAction, Share, Timestamp};
use crate::rating::{ModelName, ModelState, Parameters};
use crate::service::ServiceError;
use crate::store::{Change, Changed, LogEntry, PoolId, PoolRecord, RoundMarks, StoreError, Tx};

/// Differences from the log and the settings of a pool.
#[derive(Clone, Debug, Default)]
pub struct Alternative {
    /// The model that rates the pool, where it is another.
    pub model: Option<ModelName>,
    /// Constants that take the place of those that were configured.
    pub settings: Overrides,
    /// Assumptions about rounds and changes, by their places in the log, ascending.
    pub(crate) assumed: Vec<(u64, Assumed)>,
    /// A season start that is not in the log.
    pub(crate) season: Option<AssumedSeason>,
}

/// The start of a season that is not in the log.
#[derive(Clone, Debug)]
pub(crate) struct AssumedSeason {
    pub(crate) place: SeasonStart,
    pub(crate) keep: Share,
    /// The constants by which it starts.
    pub(crate) parameters: Parameters,
}

/// Where in the log a season starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SeasonStart {
    /// In front of the first round that ended at that moment or later.
    At(Timestamp),
    /// In place of the last start, which is at that place and was made then. It is compared with no start there.
    LastStart { position: u64, at: Timestamp },
}

impl SeasonStart {
    pub(crate) fn moment(self) -> Timestamp {
        match self {
            Self::At(at) | Self::LastStart { at, .. } => at,
        }
    }

    /// Whether the season starts in front of `entry`, if it has not yet.
    pub(super) fn is_reached(self, entry: &LogEntry) -> bool {
        match (self, entry) {
            (Self::At(at), LogEntry::Round(round)) => round.round.ended_at() >= at,
            (Self::At(_), LogEntry::Change(_)) => false,
            (Self::LastStart { position, .. }, entry) => entry.position() >= position,
        }
    }
}

impl Alternative {
    /// A replay that has not begun: where nothing but places of the log are otherwise, in front of the first of them.
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

/// An assumption about an entry of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assumed {
    /// The round is voided, restored or corrected.
    Round(RoundAction),
    /// The change of a player, or the start of a season, was never made.
    Undone,
}

/// What became of some of the log, by its places.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// The rounds that were ever voided or corrected.
    pub(super) rounds: HashMap<u64, RoundMarks>,
    /// The changes of players and the starts of seasons that are undone.
    pub(super) undone: HashSet<u64>,
}

impl Marks {
    /// Takes in a change behind those before it.
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

    /// Takes in what is to become of the place `position`. Which place of the log that takes is known when it
    /// takes it.
    pub(super) fn assume(&mut self, position: u64, assumed: Assumed) {
        match assumed {
            Assumed::Round(action) => self.rounds.entry(position).or_default().apply(action, 0),
            Assumed::Undone => {
                self.undone.insert(position);
            }
        }
    }
}

/// What the log says of the round at that place of it.
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
