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

/// A pool computed again from its log, from the first entry on or from some other, each by the constants
/// that were configured when it came.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) engine: Engine,
    /// How far of the log it is computed.
    pub(crate) position: u64,
    pub(super) settings: HashMap<SettingsId, Parameters>,
    pub(super) longest_window: u32,
    /// Of how many of a player's last rounds it has to be known when they ended.
    times: usize,
    overrides: Overrides,
    /// What became of the last page.
    marks: Marks,
    /// What is to become of the log besides what it says: at which places, and what.
    assumed: BTreeMap<u64, Assumed>,
    /// Where players who are not held are read from; `None` where all of them are held.
    stored: Option<Stored>,
    /// The seasons that ended, until they are taken out.
    ended_seasons: Vec<EndedSeason>,
    loaded: Vec<EntryChunk>,
    /// Of players who are going to be read, the last rows that take the place of those that are stored.
    last_rows: PlayerMap<EntryChunk>,
    /// Of the same, what the pool's model remembers of them.
    model_states: PlayerMap<ModelState>,
}

/// Why a log cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The database's.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is a gap.
    #[error("the log has nothing at its place {0}, though there is more behind it")]
    Gap(u64),
    /// Something was rated by constants that are not there.
    #[error("what stands at place {0} of the log was rated by settings that are not there")]
    NoSettings(u64),
    /// Constants that do not go with those of the log.
    #[error("the settings of the log do not go with {0}")]
    Overrides(String),
    /// Windows, or the rounds after a return, became longer than what is remembered.
    #[error("the setting window or return_boost_rounds was raised meanwhile; begin again")]
    WindowRaised,
    /// A season started while a pool was computed again.
    #[error("a season of the pool was started meanwhile; begin again")]
    SeasonStarted,
    /// A model that has to begin with the first round, which is not there any more.
    #[error(
        "the model {0} learns from every round, and rounds of this pool are pruned: import the files of its \
         prunes and an export into a new database to rate it by that model"
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
    /// A replay that has not begun, where `overrides` take the place of the constants that
    /// were configured.
    pub(super) async fn open(tx: &mut Tx, overrides: Overrides) -> Result<Self, ReplayError> {
        let mut replay = Self {
            engine: Engine::default(),
            position: 0,
            settings: HashMap::new(),
            longest_window: 0,
            times: 0,
            overrides,
            marks: Marks::default(),
            assumed: BTreeMap::new(),
            stored: None,
            ended_seasons: Vec::new(),
            loaded: Vec::new(),
            last_rows: PlayerMap::default(),
            model_states: PlayerMap::default(),
        };
        replay.read_settings(tx).await?;
        let windows = replay.settings.values().map(|parameters| parameters.window);
        replay.longest_window = windows.max().unwrap_or(0);
        let times = replay.settings.values().map(Parameters::returning_rounds);
        replay.times = times.max().unwrap_or(0);
        replay.engine = Engine::new(replay.longest_window, replay.times);
        Ok(replay)
    }

    /// The same from the place behind `position` on, where players who are not held are read from what is
    /// `stored` of them. Its sums are those of the rounds from there on, but for the predictions, which
    /// are those of all. The model of `pool` is one that follows from ratings.
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
        replay
            .engine
            .resume(pool.model, &ModelState::default(), sums)?;
        Ok(replay)
    }

    /// The same from behind what is pruned on, with the sums of that: so all of its sums are those of the whole
    /// log. `stored` is needed where something is pruned.
    pub(crate) async fn open_behind_pruned(
        tx: &mut Tx,
        pool: &PoolRecord,
        overrides: Overrides,
        stored: Option<Stored>,
    ) -> Result<Self, ReplayError> {
        let window = overrides.window();
        let mut replay = Self::open(tx, overrides).await?;
        replay.stored = stored;
        replay
            .engine
            .resume(pool.model, &ModelState::default(), PoolSums::default())?;
        if let Some(prune) = tx.last_prune(pool.id).await? {
            if !replay.engine.model().follows_from_ratings() {
                return Err(ReplayError::Pruned(pool.model));
            }
            let kept = prune.kept_window;
            if let Some(window) = window.filter(|window| *window > u64::from(kept)) {
                return Err(ReplayError::Overrides(format!(
                    "window={window}: of rounds that are pruned, windows of up to {kept} are left"
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

    /// Takes what stands at that place of the log as what is to become of it.
    pub(super) fn assume(&mut self, position: u64, assumed: Assumed) {
        self.assumed.insert(position, assumed);
    }

    /// The last rows of entries of the players who were read since this was last asked, without what stands
    /// behind the place of the log that they were read at.
    pub(super) fn take_loaded(&mut self) -> Vec<EntryChunk> {
        std::mem::take(&mut self.loaded)
    }

    /// The seasons that ended since this was last asked, in the order of the log.
    pub(super) fn take_ended_seasons(&mut self) -> Vec<EndedSeason> {
        std::mem::take(&mut self.ended_seasons)
    }

    /// Forgets them, where no row is written that would go on from them.
    pub(super) fn forget_loaded(&mut self) {
        self.loaded.clear();
    }

    /// Up to `limit` of the log from where the replay is, with what it takes to apply them at hand.
    pub(crate) async fn next_page(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        limit: u32,
    ) -> Result<Vec<LogEntry>, ReplayError> {
        let page = self.read_page(tx, pool, limit).await?;
        self.prepare(tx, pool, &page).await?;
        Ok(page)
    }

    /// The same without what it takes to apply them.
    pub(super) async fn read_page(
        &self,
        tx: &mut Tx,
        pool: PoolId,
        limit: u32,
    ) -> Result<Vec<LogEntry>, StoreError> {
        log_page(tx, pool, self.position, limit).await
    }

    /// Reads what it takes to apply a page of the log.
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
        // Rounds may come in void while a replay is under way, so a page is asked what became of its
        // own rounds.
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
        // Where all are held, who stands in the page need not be known.
        if self.stored.is_none() {
            return Ok(());
        }
        let appearances = self.appearances(page);
        self.load_players(tx, pool, &appearances).await
    }

    /// Computes what stands next in the log; answers what a round made.
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
            // Where the round or the change itself stands, it is taken as what it is by now.
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

/// A round that was computed.
#[derive(Debug)]
pub(crate) struct Applied {
    /// With what the log says that became of it.
    pub(crate) round: LoggedRound,
    /// Whether something else was noted of the round.
    pub(super) has_stale_marks: bool,
    pub(crate) rated: AppliedRound,
}

pub(super) fn settings_of(entry: &LogEntry) -> SettingsId {
    match entry {
        LogEntry::Round(round) => round.settings,
        LogEntry::Change(change) => change.settings,
    }
}

/// Up to `limit` of what stands behind `position` in the pool's log, in its order.
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
    // Behind the limit one of the two lists may have ended before the other.
    page.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(page)
}
