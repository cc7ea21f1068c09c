use std::collections::{BTreeSet, HashMap, HashSet};

use crate::domain::{PlayerId, Report, Timestamp};
use crate::rating::boundaries;
use crate::service::Pool;
use crate::service::replay::projection::Projection;
use crate::store::{
    Entry, EntryChunk, Generation, LastRow, PlayerRecord, PoolRecord, StoreError, Tx,
};

/// What a few rounds are rated from: the pool's sums, and the players who stand in them.
#[derive(Debug, Default)]
pub(crate) struct BatchPlayers {
    pub(crate) projection: Projection,
    /// The last row of entries of every player who is held and has entries.
    pub(crate) last: HashMap<PlayerId, EntryChunk>,
}

impl BatchPlayers {
    /// Reads what `rounds` need; `record` is the pool, locked in `tx`.
    ///
    /// What is read for each participant does not depend on the window or on the player's history: one
    /// player, the totals at the ends of the window's halves, and the last rounds where returns are looked for in them.
    pub(crate) async fn read(
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        rounds: &[&Report],
    ) -> Result<Self, StoreError> {
        // How often each player is rated; 0 for those who only count into a sum.
        let mut appearances: HashMap<PlayerId, u32> = HashMap::new();
        for (_, entry) in rounds.iter().flat_map(|round| round.entries()) {
            *appearances.entry(entry.id).or_default() += u32::from(entry.is_rated());
        }
        let ids: Vec<PlayerId> = appearances.keys().copied().collect();
        let known = tx.players_with_last_rows(pool.id, &ids).await?;

        let times = pool.settings.parameters.returning_rounds();
        // The ends of windows, and the last rounds where their times count, as far as they are not in the last row.
        let mut wanted = HashSet::new();
        for (player, _) in &known {
            for later in 0..appearances.get(&player.id).copied().unwrap_or(0) {
                let ends = boundaries(
                    player.entries + u64::from(later),
                    player.rounds.saturating_add(later),
                    pool.settings.parameters.window,
                );
                let since_reset = player.entries - u64::from(player.rounds).min(player.entries);
                let oldest = player.entries.saturating_sub(times as u64).max(since_reset) + 1;
                wanted.extend(
                    (oldest..=last_in_full_row(player))
                        .map(|number| (player.id, EntryChunk::of(number))),
                );
                wanted.extend(
                    [ends.start, ends.old_end, ends.new_start]
                        .into_iter()
                        .filter(|number| (1..=last_in_full_row(player)).contains(number))
                        .map(|number| (player.id, EntryChunk::of(number))),
                );
            }
        }
        let wanted: Vec<(PlayerId, u64)> = wanted.into_iter().collect();
        let found = if wanted.is_empty() {
            Vec::new()
        } else {
            tx.chunks(pool.id, &wanted).await?
        };
        let (players, last): (Vec<PlayerRecord>, Vec<EntryChunk>) = known.into_iter().unzip();
        let entries = found.iter().chain(&last).flat_map(|chunk| &chunk.entries);
        let totals = entries.clone();
        let totals = totals.map(|entry| (entry.player, entry.number, entry.totals));
        let totals = totals.collect();
        let ended = entries.filter(|_| times > 0);
        let ended = ended.map(|entry| ((entry.player, entry.number), entry.ended_at));
        let ended = ended.collect();
        Ok(Self {
            projection: Projection::of(record, players, totals, (times, ended))?,
            last: last
                .into_iter()
                .map(|chunk| (chunk.player, chunk))
                .collect(),
        })
    }

    /// Adds an entry of each of the rounds to the players' last rows; answers the rows that this fills.
    ///
    /// # Errors
    /// Where an entry is not its player's next.
    pub(crate) fn append(
        &mut self,
        entries: Vec<Entry>,
        generation: Generation,
    ) -> Result<Vec<EntryChunk>, StoreError> {
        let mut full = Vec::new();
        for entry in entries {
            let first = || EntryChunk::empty(entry.player, 0, Timestamp::UNIX_EPOCH);
            let last = self.last.entry(entry.player).or_insert_with(first);
            last.push(entry)?;
            last.generation = generation;
            if last.is_full() {
                let next = last.next();
                full.push(std::mem::replace(last, next));
            }
        }
        full.sort_unstable_by_key(|chunk| (chunk.player, chunk.chunk));
        Ok(full)
    }

    /// Those of the players, to be written with their last rows of entries.
    pub(crate) fn to_save(
        &self,
        players: &BTreeSet<PlayerId>,
    ) -> Vec<(&PlayerRecord, LastRow<'_>)> {
        let players = players.iter();
        let players = players.filter_map(|player| self.projection.known(*player));
        players
            .map(|player| (player, self.last.get(&player.id)))
            .collect()
    }
}

/// The number of the last entry of a player that is in a full row.
fn last_in_full_row(player: &PlayerRecord) -> u64 {
    player.entries - player.entries % EntryChunk::SIZE
}
