use super::Replay;
use super::load::Stored;
use super::marks::Supposed;
use crate::config::Overrides;
use crate::domain::{Share, Timestamp};
use crate::rating::{ModelName, ModelState, Parameters};
use crate::service::ServiceError;
use crate::store::{LogEntry, PoolRecord, StoreError, Tx};

/// What is otherwise than the log and the settings of a pool have it.
#[derive(Clone, Debug, Default)]
pub struct Alternative {
    /// The model that rates the pool, where it is another.
    pub model: Option<ModelName>,
    /// Constants that take the place of those that were configured.
    pub settings: Overrides,
    /// What is to become of rounds and changes, at their places of the log, in its order.
    pub(crate) supposed: Vec<(u64, Supposed)>,
    /// A season that starts and does not in the log.
    pub(crate) season: Option<SupposedSeason>,
}

/// The start of a season that is not in the log.
#[derive(Clone, Debug)]
pub(crate) struct SupposedSeason {
    pub(crate) place: Place,
    pub(crate) keep: Share,
    /// The constants by which it starts.
    pub(crate) parameters: Parameters,
}

/// Where in the log a season starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// In front of the first round that ended at that moment or later.
    At(Timestamp),
    /// In place of the last start, which is at that place and was made then. It is compared with no start there.
    LastStart { position: u64, at: Timestamp },
}

impl Place {
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
        let mut replay = match self.supposed.first() {
            Some((first, _)) if follows_from_ratings => {
                let first = (*first).max(pool.pruned + 1);
                Replay::open_behind(tx, pool, first - 1, stored).await?
            }
            _ => {
                let stored = Stored::of_pruned(pool);
                Replay::open_behind_pruned(tx, &rated, self.settings.clone(), stored).await?
            }
        };
        for (position, supposed) in &self.supposed {
            replay.suppose(*position, *supposed);
        }
        Ok(replay)
    }
}
