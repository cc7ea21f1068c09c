//! Players at a position of the log, restored from stored rows.

use std::collections::VecDeque;

use super::alternative::Assumed;
use super::appearances::Appearances;
use super::{Replay, ReplayError};
use crate::domain::{PlayerId, PlayerMap, Share, Timestamp};
use crate::rating::{ChangeKind, Engine, ModelState, PastTotals, PlayerState};
use crate::store::{
    Change, Changed, ChunksBefore, EntryChunk, Generation, LogEntry, PoolId, PoolRecord,
    SettingsId, StoreError, Tx,
};

/// Limit on the database rows of rounds to read for one player, so large that all rows are read.
const ALL_CHUNKS: u64 = u64::MAX >> 16;

/// Number of players read from the database at once. Rows take more memory while they are read than afterwards,
/// especially if all rows of a player are read.
pub(crate) const PLAYERS: usize = 250;
const ROWS: usize = 500;
/// Number of players restored between two yields to the async runtime.
const TURN: usize = 32;

/// Generations (versions of computed rows) from which a replay reads players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) active: Generation,
    /// First log position whose results the replay writes, and the generation (version) of the written rows.
    pub(crate) written: Option<(u64, Generation)>,
}

impl Stored {
    /// Returns the source of players for a replay that writes no rows.
    pub(crate) fn of(active: Generation) -> Self {
        Self {
            active,
            written: None,
        }
    }

    /// Returns the generations from which a replay reads players who have only pruned rounds. Returns `None` if nothing
    /// of `pool` is pruned, because all players follow from the log then.
    pub(crate) fn of_pruned(pool: &PoolRecord) -> Option<Self> {
        (pool.pruned > 0).then(|| Self::of(pool.generation))
    }

    /// Returns the newest generation of rows that the replay reads. Of the versions of a row, the newest counts.
    fn read_by(self) -> Generation {
        let written = self.written.map(|(_, generation)| generation);
        written.unwrap_or(self.active)
    }
}

struct Restored {
    record: PlayerState,
    totals: PastTotals,
    /// End times of the player's last rounds, oldest first.
    ended: VecDeque<Timestamp>,
    /// Row of the player's rounds that the next round belongs to, with the rounds up to the replay's log position.
    last: Option<EntryChunk>,
}

#[derive(Clone, Copy, Debug)]
enum Happened {
    Change(ChangeKind),
    Season(Share),
}

/// Returns how many of a player's last database rows are enough to hold the player's last `longest` rounds and the
/// round before them. A row holds several rounds.
pub(super) fn rows_of_window(longest: u32) -> u64 {
    u64::from(longest) / EntryChunk::SIZE + 2
}

/// Reads the players' last database rows of rounds before log position `end`. Each group of players comes with the
/// number of rows to read per player.
async fn read_histories(
    tx: &mut Tx,
    pool: PoolId,
    end: ChunksBefore,
    groups: [(Vec<PlayerId>, u64); 2],
) -> Result<PlayerMap<Vec<EntryChunk>>, StoreError> {
    let mut histories: PlayerMap<Vec<EntryChunk>> = PlayerMap::default();
    for (players, chunks) in groups {
        if !players.is_empty() {
            for chunk in tx.chunks_before(pool, &players, end, chunks).await? {
                histories.entry(chunk.player).or_default().push(chunk);
            }
        }
    }
    Ok(histories)
}

impl Replay {
    /// Reads the players and older rounds that the next log entries need and that are not in memory.
    pub(crate) async fn load_players(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        appearances: &Appearances,
    ) -> Result<(), ReplayError> {
        let Some(stored) = self.stored else {
            return Ok(());
        };
        let mut missing: Vec<PlayerId> = appearances
            .players()
            .filter(|player| self.engine.known(*player).is_none())
            .collect();
        // Neighbours share pages of the database.
        missing.sort_unstable();
        for players in missing.chunks(PLAYERS) {
            for restored in self.restore(tx, pool, players, stored).await? {
                let (record, totals) = (restored.record, restored.totals);
                self.engine.hold(record, totals, restored.ended);
                self.loaded.extend(restored.last);
            }
        }
        let generation = Some(stored.read_by());
        Ok(read_older(&mut self.engine, tx, (pool, generation), appearances).await?)
    }

    /// Moves all players that the replay `other` holds in memory into this replay.
    pub(super) fn take_in(&mut self, other: &mut Self) {
        self.engine.take_in(&mut other.engine);
        self.loaded.append(&mut other.loaded);
    }

    /// Collects the players who appear in a page of the log, and the lengths of the windows by which its rounds are
    /// rated, in rounds.
    pub(super) fn appearances(&self, page: &[LogEntry]) -> Appearances {
        let mut appearances = Appearances::default();
        for entry in page {
            match entry {
                LogEntry::Round(round) => {
                    appearances.add_round(&round.round);
                    if let Some(parameters) = self.settings.get(&round.settings) {
                        appearances.add_window(parameters.window);
                    }
                }
                LogEntry::Change(change) => {
                    if let Changed::Player(player, _) = change.changed {
                        appearances.add_player(player);
                    }
                }
            }
        }
        appearances
    }

    /// Reads the states of `players` at the position of the replay, without keeping them in memory. Skips unknown
    /// players. Returns nothing if the replay holds all known players in memory.
    pub(super) async fn read_players(
        &self,
        tx: &mut Tx,
        pool: PoolId,
        players: &[PlayerId],
    ) -> Result<Vec<PlayerState>, ReplayError> {
        let mut read = Vec::new();
        if let Some(stored) = self.stored {
            for players in players.chunks(PLAYERS) {
                let restored = self.restore(tx, pool, players, stored).await?;
                read.extend(restored.into_iter().map(|restored| restored.record));
            }
        }
        Ok(read)
    }

    async fn restore(
        &self,
        tx: &mut Tx,
        pool: PoolId,
        missing: &[PlayerId],
        stored: Stored,
    ) -> Result<Vec<Restored>, ReplayError> {
        let mut changes = self.changes_made(&tx.changes_of_players(pool, missing).await?);
        let mut seasons = tx.season_starts(pool).await?;
        seasons.retain(|start| {
            start.position <= self.position
                && self.assumed.get(&start.position) != Some(&Assumed::Undone)
        });
        let end = ChunksBefore {
            position: stored.written.map_or(self.position + 1, |(from, _)| from),
            active: stored.active,
            written: stored.written.map(|(_, generation)| generation),
        };
        // The last rounds whose times count, and the row before them, which has the latest time of all earlier rounds.
        let chunks = rows_of_window(u32::try_from(self.times).unwrap_or(u32::MAX));
        // After a reset, the number of rounds and the latest time follow only from all rounds since the reset.
        let is_reset = |player: &PlayerId| {
            let mut changes = changes.get(player).into_iter().flatten();
            changes.any(|(_, kind, _)| *kind == ChangeKind::Reset)
        };
        let (reset, others): (Vec<_>, Vec<_>) = missing.iter().partition(|id| is_reset(id));
        let mut histories =
            read_histories(tx, pool, end, [(others, chunks), (reset, ALL_CHUNKS)]).await?;
        // A rebuild from the first round must repair unreadable rows, and so cannot depend on them.
        let is_from_first = end.position == 1;
        let last_rows = if is_from_first {
            Vec::new()
        } else {
            tx.players_with_last_rows(pool, missing).await?
        };
        let mut stored: PlayerMap<(ModelState, EntryChunk)> = last_rows
            .into_iter()
            .map(|(player, last)| (player.id, (player.model_state, last)))
            .collect();
        let mut all = Vec::with_capacity(missing.len());
        for (number, player) in missing.iter().copied().enumerate() {
            if number > 0 && number.is_multiple_of(TURN) {
                tokio::task::yield_now().await;
            }
            let rows = histories.remove(&player).unwrap_or_default();
            let (state, last) = stored.remove(&player).unzip();
            // The model state is stored only for the end of the log. If it does not follow from ratings, the replay is
            // at the end of the log or began at its first round.
            let known = self.replaced.get(&player).map(|(state, _)| state.clone());
            let state = known.or(state).unwrap_or_default();
            let mut history = self.whole_history(player, rows, last, end.position);
            let changes = changes.remove(&player).unwrap_or_default();
            let what = (changes.as_slice(), seasons.as_slice());
            if let Some((mut record, totals)) = self.restored(player, &history, what)? {
                record.model_state = state;
                let entries = history.iter().flat_map(|row| &row.entries);
                let mut ended: VecDeque<Timestamp> = entries
                    .rev()
                    .take(self.times)
                    .map(|entry| entry.ended_at)
                    .collect();
                ended.make_contiguous().reverse();
                let latest = latest(&history);
                let last = history.pop().zip(latest).map(|(mut last, latest)| {
                    last.latest = latest;
                    let next = last.is_full().then(|| last.next());
                    next.unwrap_or(last)
                });
                all.push(Restored {
                    record,
                    totals,
                    ended,
                    last,
                });
            }
        }
        Ok(all)
    }

    /// Returns the admins' changes of players up to the replay's position, by player, without undone changes.
    fn changes_made(&self, found: &[Change]) -> PlayerMap<Vec<(u64, ChangeKind, SettingsId)>> {
        let is_undone = |position: u64| {
            self.assumed.get(&position) == Some(&Assumed::Undone)
                || found.iter().any(|change| {
                    matches!(change.changed, Changed::Undo { position: of, .. } if of == position)
                })
        };
        let mut changes: PlayerMap<Vec<_>> = PlayerMap::default();
        for change in found {
            if let Changed::Player(player, kind) = change.changed
                && change.position <= self.position
                && !is_undone(change.position)
            {
                let made = (change.position, kind, change.settings);
                changes.entry(player).or_default().push(made);
            }
        }
        changes
    }

    /// Returns the rows of a player's rounds before log position `end`, ascending: the `full` rows, then `last`.
    fn whole_history(
        &self,
        player: PlayerId,
        mut full: Vec<EntryChunk>,
        last: Option<EntryChunk>,
        end: u64,
    ) -> Vec<EntryChunk> {
        full.sort_unstable_by_key(|row| row.chunk);
        // The last row in one generation may be full in another. A row written by this replay replaces the row of the
        // previous generation.
        if let Some((_, Some(own))) = self.replaced.get(&player) {
            full.retain(|full| full.chunk < own.chunk);
            full.push(own.clone());
        } else if let Some(mut last) = last
            && full.iter().all(|full| full.chunk < last.chunk)
        {
            last.entries.retain(|entry| entry.position < end);
            full.push(last);
        }
        full.retain(|row| !row.entries.is_empty());
        full
    }

    /// Returns the player's state after the rounds of `history`, the `changes` and the season starts, each in log
    /// order. Returns `None` for a player without rounds and changes.
    fn restored(
        &self,
        player: PlayerId,
        history: &[EntryChunk],
        (changes, seasons): (&[(u64, ChangeKind, SettingsId)], &[Change]),
    ) -> Result<Option<(PlayerState, PastTotals)>, ReplayError> {
        let entries = || history.iter().flat_map(|chunk| &chunk.entries);
        if changes.is_empty() && entries().next().is_none() {
            return Ok(None);
        }
        let resets = changes
            .iter()
            .filter(|(_, kind, _)| *kind == ChangeKind::Reset);
        let reset = resets.map(|(position, _, _)| *position).max();
        let mut record: Option<PlayerState> = None;
        if let Some(last) = entries().next_back() {
            let since = entries().filter(|entry| reset.is_none_or(|reset| entry.position > reset));
            let before = entries()
                .rfind(|entry| reset.is_some_and(|reset| entry.position < reset))
                .map_or(0, |entry| entry.number);
            record = Some(PlayerState {
                id: player,
                model_state: ModelState::default(),
                rating: last.step.rating,
                rounds: u32::try_from(last.number - before).unwrap_or(u32::MAX),
                entries: last.number,
                last_played: match reset {
                    None => latest(history),
                    Some(_) => since.map(|entry| entry.ended_at).max(),
                },
                totals: last.totals,
            });
        }
        let end = entries().next_back().map_or(0, |entry| entry.position);
        let changes = changes
            .iter()
            .map(|(position, kind, settings)| (*position, Happened::Change(*kind), *settings));
        let seasons = seasons.iter().filter_map(|start| {
            let season = start.season()?;
            let happened = Happened::Season(season.keep);
            Some((start.position, happened, start.settings))
        });
        let mut happened: Vec<_> = changes.chain(seasons).collect();
        happened.retain(|(position, ..)| *position > end);
        happened.sort_unstable_by_key(|(position, ..)| *position);
        for (position, happened, settings) in happened {
            let parameters = self
                .settings
                .get(&settings)
                .ok_or(ReplayError::NoSettings(position))?;
            let model = self.engine.model();
            record = match (happened, record) {
                (Happened::Change(kind), before) => {
                    let before = before.unwrap_or_else(|| PlayerState::new(player, parameters));
                    Some(before.changed(model, kind, parameters)?)
                }
                (Happened::Season(keep), Some(before)) => {
                    Some(before.in_new_season(model, keep, parameters)?)
                }
                (Happened::Season(_), None) => None,
            };
        }
        Ok(record.map(|record| {
            let latest = (record.entries, record.totals);
            let totals = PastTotals::of(self.longest_window, entries(), latest);
            (record, totals)
        }))
    }
}

/// Reads the rows of older rounds that the engine lacks to rate the next entries. Generation `None` is the active one.
pub(crate) async fn read_older(
    engine: &mut Engine,
    tx: &mut Tx,
    (pool, generation): (PoolId, Option<Generation>),
    appearances: &Appearances,
) -> Result<(), StoreError> {
    // The engine takes rows from the last to the first.
    let missing: Vec<(PlayerId, u64)> =
        appearances.missing_rows(engine).into_iter().rev().collect();
    for rows in missing.chunks(ROWS) {
        let chunks = tx.chunks(pool, generation, rows).await?;
        engine.add_older(chunks.into_iter().map(|chunk| chunk.entries).collect());
    }
    Ok(())
}

/// Returns the latest end time of a player's rounds, earlier rows included. The last row's own `latest` is unreliable,
/// because rounds of the row may have been left out.
fn latest(history: &[EntryChunk]) -> Option<Timestamp> {
    let (last, before) = history.split_last()?;
    let ended = last.entries.iter().map(|entry| entry.ended_at);
    let before = before.last().map(|chunk| chunk.latest);
    ended.chain(before).max()
}
