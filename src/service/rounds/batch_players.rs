use crate::domain::{PlayerId, PlayerMap, Report, Timestamp};
use crate::rating::{Engine, Entry, Parameters, PastTotals, PlayerState};
use crate::service::Pool;
use crate::service::replay::appearances::Appearances;
use crate::service::replay::load;
use crate::store::{EntryChunk, Generation, LastRow, PoolRecord, StoreError, Tx};

/// Players of a pool, and sums over its rounds, such as the sum of log losses, held in memory to rate a batch of
/// rounds.
#[derive(Debug)]
pub(crate) struct BatchPlayers {
    pub(crate) engine: Engine,
    /// Last row of rated rounds of each player in memory who has any. A row holds several rounds of a player.
    pub(crate) last: PlayerMap<EntryChunk>,
}

impl BatchPlayers {
    pub(crate) fn rated_by(parameters: &Parameters) -> Self {
        let times = parameters.returning_rounds();
        Self {
            engine: Engine::new(parameters.window, times),
            last: PlayerMap::default(),
        }
    }

    /// Reads the players and older rounds that `rounds` need and that are not in memory. `record` is the record of the
    /// pool, which is locked in `tx`.
    ///
    /// The reads per participant are bounded, whatever the window and the player's history: one player, the totals at
    /// the ends of the window's halves, and the last rounds if the parameters look for returns.
    pub(crate) async fn read(
        &mut self,
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        rounds: &[&Report],
    ) -> Result<(), StoreError> {
        let parameters = &pool.settings.parameters;
        let appearances = Appearances::in_rounds(rounds, parameters.window);
        let model = record.model.resume(&record.model_state)?;
        self.engine.begin(model, record.sums);
        let mut new: Vec<PlayerId> = appearances
            .players()
            .filter(|player| self.engine.known(*player).is_none())
            .collect();
        // Neighbours share pages of the database.
        new.sort_unstable();
        let times = parameters.returning_rounds();
        for players in new.chunks(load::PLAYERS) {
            for (player, row) in tx.players_with_last_rows(pool.id, players).await? {
                let latest = (player.entries, player.totals);
                let totals = PastTotals::of(parameters.window, &row.entries, latest);
                let ended = row
                    .entries
                    .iter()
                    .rev()
                    .take(times)
                    .rev()
                    .map(|entry| entry.ended_at)
                    .collect();
                self.engine.hold(player, totals, ended);
                self.last.insert(row.player, row);
            }
        }
        load::read_older(&mut self.engine, tx, (pool.id, None), &appearances).await
    }

    /// Returns the approximate memory use, in bytes, of the players in memory once all rounds of their windows (latest
    /// rounds) are read.
    pub(crate) fn largest_size(&self) -> u64 {
        let last = EntryChunk::SIZE * size_of::<Entry>() as u64;
        self.engine.player_count() as u64 * (self.engine.largest_player() + last)
    }

    /// Evicts the least recently used half of the players from memory.
    pub(crate) fn evict_half(&mut self) {
        for evicted in self.engine.evict_half() {
            self.last.remove(&evicted.id);
        }
    }

    /// Adds a player's round to the last row of the player's rounds, and returns the row if it is full now. Returns an
    /// error if the round is not the next one of the player.
    pub(crate) fn append(
        &mut self,
        entry: Entry,
        generation: Generation,
    ) -> Result<Option<EntryChunk>, StoreError> {
        let first = || EntryChunk::empty(entry.player, 0, Timestamp::UNIX_EPOCH);
        let last = self.last.entry(entry.player).or_insert_with(first);
        last.push(entry)?;
        last.generation = generation;
        Ok(last.is_full().then(|| {
            let next = last.next();
            std::mem::replace(last, next)
        }))
    }

    pub(crate) fn to_save(&self, players: &[PlayerId]) -> Vec<(&PlayerState, LastRow<'_>)> {
        let players = players
            .iter()
            .filter_map(|player| self.engine.known(*player));
        players
            .map(|player| (player, self.last.get(&player.id)))
            .collect()
    }
}
