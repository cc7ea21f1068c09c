pub(crate) mod alternative;
pub(crate) mod appearances;
pub(crate) mod catch_up;
pub(crate) mod cleanup;
pub(crate) mod comparison;
pub(crate) mod early_players;
pub(crate) mod export;
pub(crate) mod lease;
pub(crate) mod load;
pub(crate) mod open_row;
mod prefetched_log;
pub(crate) mod prune;
pub(crate) mod rebuild;
pub(crate) mod rebuild_progress;
pub(crate) mod round_change;
pub(crate) mod rows;
pub(crate) mod seasons;
pub(crate) mod switch_over;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod verify;

use std::collections::{BTreeMap, HashMap};

use crate::config::Overrides;
use crate::domain::PlayerMap;
use crate::rating::{
    AppliedRound, Engine, EngineError, InvalidState, ModelName, ModelState, Parameters, PoolSums,
};
use crate::store::{
    Change, Changed, EntryChunk, LogEntry, LoggedRound, PoolId, PoolRecord, SettingsId, StoreError,
    Tx,
};
use alternative::{Assumed, Marks};
use load::Stored;
use seasons::EndedSeason;

/// Recomputation of a pool from its log, beginning at any entry. Each entry is rated by the constants of its time.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    pub(crate) engine: Engine,
    /// Log position of the last entry that the replay has computed.
    pub(crate) position: u64,
    pub(super) settings: HashMap<SettingsId, Parameters>,
    pub(super) longest_window: u32,
    /// Number of last rounds of each player whose end times are kept.
    times: usize,
    overrides: Overrides,
    /// Voids, corrections and undos that change the log entries to compute next.
    marks: Marks,
    /// Assumed changes, which the log does not contain, by the log position of the changed entry.
    pub(super) assumed: BTreeMap<u64, Assumed>,
    /// Source of players who are not in memory. `None` if all players are in memory.
    stored: Option<Stored>,
    /// Seasons that have ended, in log order, until the caller takes them.
    pub(super) ended_seasons: Vec<EndedSeason>,
    /// Last row of rated rounds of each player that was read, up to the replay's log position. The caller takes the rows
    /// or clears the list.
    pub(super) loaded: Vec<EntryChunk>,
    /// Model states, and last rows of rated rounds, that replace the stored ones of players who are about to be read. A
    /// row holds several rounds of a player.
    replaced: PlayerMap<(ModelState, Option<EntryChunk>)>,
}

/// Reason why a log cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// Access to the database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The pool's log has no entry at this position, although it has later ones.
    #[error("the log has no entry at position {0}, but has later entries")]
    Gap(u64),
    /// The settings that rated the log entry at this position are missing.
    #[error("the entry at position {0} of the log was rated by settings that are missing")]
    NoSettings(u64),
    /// The assumed settings cannot be combined with the settings of the log.
    #[error("the settings of the log cannot be combined with {0}")]
    Overrides(String),
    /// The setting `window` or `return_boost_rounds` was raised beyond the number of rounds that the replay keeps.
    #[error("the setting window or return_boost_rounds was raised in the meantime; try again")]
    WindowRaised,
    /// A season of the pool started during the replay.
    #[error("a season of the pool was started in the meantime; try again")]
    SeasonStarted,
    /// The model must begin with the first round of the log, which is pruned.
    #[error(
        "the model {0} learns from every round, and rounds of this pool are pruned; to use that model, import the \
         files that pruning wrote and an export of the pool into a new database"
    )]
    Pruned(ModelName),
}

impl From<EngineError> for ReplayError {
    fn from(error: EngineError) -> Self {
        Self::Store(error.into())
    }
}

impl From<InvalidState> for ReplayError {
    fn from(error: InvalidState) -> Self {
        Self::Store(error.into())
    }
}

impl Replay {
    /// Creates a replay at the beginning of a pool's log. `overrides` replace the configured constants.
    pub(super) async fn open(tx: &mut Tx, overrides: Overrides) -> Result<Self, ReplayError> {
        let mut replay = Self {
            overrides,
            ..Self::default()
        };
        replay.read_settings(tx).await?;
        let windows = replay.settings.values().map(|parameters| parameters.window);
        replay.longest_window = windows.max().unwrap_or(0);
        let times = replay.settings.values().map(Parameters::returning_rounds);
        replay.times = times.max().unwrap_or(0);
        replay.engine = Engine::new(replay.longest_window, replay.times);
        Ok(replay)
    }

    /// Creates a replay that begins after log position `position`, and reads missing players from `stored`. Its sums
    /// over predictions, such as log loss, cover all rounds of the pool; its other sums cover only the replayed rounds.
    /// The model of `pool` must need no state besides ratings.
    pub(crate) async fn open_behind(
        tx: &mut Tx,
        pool: &PoolRecord,
        position: u64,
        stored: Stored,
    ) -> Result<Self, ReplayError> {
        let mut replay = Self::open(tx, Overrides::default()).await?;
        replay.position = position;
        replay.stored = Some(stored);
        let sums = PoolSums {
            predictions: tx.predictions_before(pool.id, position + 1).await?,
            ..PoolSums::default()
        };
        replay.engine.begin(pool.model.start(), sums);
        Ok(replay)
    }

    /// Creates a replay that begins after the pruned rounds. Its sums of log losses, K-factors and the like begin at
    /// the values that the prune recorded, and so cover the whole log. `stored` is required if rounds are pruned.
    pub(crate) async fn open_behind_pruned(
        tx: &mut Tx,
        pool: &PoolRecord,
        overrides: Overrides,
        stored: Option<Stored>,
    ) -> Result<Self, ReplayError> {
        let window = overrides.window();
        let mut replay = Self::open(tx, overrides).await?;
        replay.stored = stored;
        let model = pool.model.start();
        replay.engine.begin(model, PoolSums::default());
        if let Some(prune) = tx.last_prune(pool.id).await? {
            if !replay.engine.model().follows_from_ratings() {
                return Err(ReplayError::Pruned(pool.model));
            }
            let kept = prune.kept_window;
            if let Some(window) = window.filter(|window| *window > u64::from(kept)) {
                return Err(ReplayError::Overrides(format!(
                    "window={window}: pruned rounds are kept only for windows of up to {kept} rounds"
                )));
            }
            replay.position = prune.position;
            let sums = PoolSums {
                predictions: tx.predictions_before(pool.id, prune.position + 1).await?,
                calibration: prune.calibration,
                experience: prune.experience,
            };
            replay.engine.begin_with(sums, prune.groups);
        }
        Ok(replay)
    }

    /// Reads up to `limit` log entries after the position of the replay, and prepares the replay to apply them.
    pub(crate) async fn next_page(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        limit: u32,
    ) -> Result<Vec<LogEntry>, ReplayError> {
        let page = log_page(tx, pool, self.position, limit).await?;
        self.prepare(tx, pool, &page).await?;
        Ok(page)
    }

    /// Reads the settings, players, voids, corrections and undos that a page of the log needs.
    pub(super) async fn prepare(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        page: &[LogEntry],
    ) -> Result<(), ReplayError> {
        let is_unknown = |entry: &LogEntry| !self.settings.contains_key(&settings_of(entry));
        if page.iter().any(is_unknown) {
            self.read_settings(tx).await?;
            if self.settings.values().any(|known| {
                known.window > self.longest_window || known.returning_rounds() > self.times
            }) {
                return Err(ReplayError::WindowRaised);
            }
        }
        // Rounds may be voided during a replay, so each page reads the later changes to its own entries.
        self.marks = Marks::default();
        if let (Some(first), Some(last)) = (page.first(), page.last()) {
            let (first, last) = (first.position(), last.position());
            for change in tx.changes_of_rounds(pool, first, last).await? {
                self.marks.apply(&change);
            }
            for (position, assumed) in self.assumed.range(first..=last) {
                self.marks.assume(*position, *assumed);
            }
        }
        // A replay with all players in memory reads none.
        if self.stored.is_none() {
            return Ok(());
        }
        let appearances = self.appearances(page);
        self.load_players(tx, pool, &appearances).await
    }

    /// Computes the next entry of the log. Returns the rating result if the entry is a round.
    pub(crate) fn apply(&mut self, entry: LogEntry) -> Result<Option<Applied>, ReplayError> {
        let position = entry.position();
        if position != self.position + 1 {
            return Err(ReplayError::Gap(self.position + 1));
        }
        self.position = position;
        let parameters = self
            .settings
            .get(&settings_of(&entry))
            .ok_or(ReplayError::NoSettings(position))?;
        if let LogEntry::Change(change) = &entry
            && let Some(season) = change.season()
        {
            if !self.marks.undone.contains(&position) {
                let parameters = parameters.clone();
                self.begin_season(position, season.keep, &parameters)?;
            }
            return Ok(None);
        }
        match entry {
            LogEntry::Round(mut round) => {
                let noted = round.marks();
                let marks = self.marks.rounds.get(&position).copied();
                round.set_marks(marks.unwrap_or_default());
                let rated = self.engine.rate(
                    position,
                    &round.round,
                    round.voided_at.is_some(),
                    parameters,
                )?;
                Ok(Some(Applied {
                    has_stale_marks: round.marks() != noted,
                    round: *round,
                    rated,
                }))
            }
            LogEntry::Change(_) if self.marks.undone.contains(&position) => Ok(None),
            LogEntry::Change(Change {
                changed: Changed::Player(player, kind),
                ..
            }) => {
                self.engine.change(player, kind, parameters)?;
                Ok(None)
            }
            // A change to an earlier entry already took effect at that entry.
            LogEntry::Change(Change {
                changed: Changed::Round { .. } | Changed::Undo { .. } | Changed::Season(_),
                ..
            }) => Ok(None),
        }
    }

    async fn read_settings(&mut self, tx: &mut Tx) -> Result<(), ReplayError> {
        for (id, parameters) in tx.settings().await? {
            let parameters = self
                .overrides
                .over(&parameters)
                .map_err(ReplayError::Overrides)?;
            self.settings.insert(id, parameters);
        }
        Ok(())
    }
}

/// Round of the log with its result in a replay.
#[derive(Debug)]
pub(crate) struct Applied {
    /// Round with the voids and corrections that the log contains.
    pub(crate) round: LoggedRound,
    /// `true` if the stored voids and corrections of the round differ from the log.
    pub(super) has_stale_marks: bool,
    pub(crate) rated: AppliedRound,
}

pub(super) fn settings_of(entry: &LogEntry) -> SettingsId {
    match entry {
        LogEntry::Round(round) => round.settings,
        LogEntry::Change(change) => change.settings,
    }
}

/// Returns up to `limit` entries of the pool's log after `position`, in log order.
pub(super) async fn log_page(
    tx: &mut Tx,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<LogEntry>, StoreError> {
    let rounds = tx.rounds_after(pool, position, limit).await?;
    let changes = tx.changes_after(pool, position, limit).await?;
    let rounds = rounds.into_iter().map(Box::new).map(LogEntry::Round);
    let mut page: Vec<LogEntry> = rounds
        .chain(changes.into_iter().map(LogEntry::Change))
        .collect();
    page.sort_unstable_by_key(LogEntry::position);
    // Beyond the limit, one of the two lists may lack entries.
    page.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(page)
}
