use crate::domain::{PlayerId, PlayerMap, Report, Timestamp};
use crate::rating::{Engine, Entry, Parameters, PastTotals, PlayerState};
use crate::service::Pool;
use crate::service::replay::appearances::Appearances;
use crate::service::replay::load;
use crate::store::{EntryChunk, Generation, LastRow, PoolRecord, StoreError, Tx};

/// What rounds are rated from: the pool's sums, and players, those who stand in the rounds among them.
#[derive(Debug)]
pub(crate) struct BatchPlayers {
    pub(crate) engine: Engine,
    /// The last row of entries of every player who is held and has entries.
    pub(crate) last: PlayerMap<EntryChunk>,
}

impl BatchPlayers {
    /// Nobody yet, for rounds that are rated by those `parameters`.
    pub(crate) fn rated_by(parameters: &Parameters) -> Self {
        let times = parameters.returning_rounds();
        Self {
            engine: Engine::new(parameters.window, times),
            last: PlayerMap::default(),
        }
    }

    /// Reads what `rounds` need and is not held; `record` is the pool, locked in `tx`.
    ///
    /// What is read for each participant does not depend on the window or on the player's history: one
    /// player, the totals at the ends of the window's halves, and the last rounds where returns are looked for in them.
    pub(crate) async fn read(
        &mut self,
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        rounds: &[&Report],
    ) -> Result<(), StoreError> {
        let parameters = &pool.settings.parameters;
        let appearances = Appearances::in_rounds(rounds, parameters.window);
        self.engine
            .resume(record.model, &record.model_state, record.sums)?;
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

    /// How many bytes the players may come to take, about, once their windows are held.
    pub(crate) fn largest_size(&self) -> u64 {
        let last = EntryChunk::SIZE * size_of::<Entry>() as u64;
        self.engine.player_count() as u64 * (self.engine.largest_player() + last)
    }

    /// Forgets the half of the players that was of use longest ago.
    pub(crate) fn forget_half(&mut self) {
        for forgotten in self.engine.forget_half() {
            self.last.remove(&forgotten.id);
        }
    }

    /// Adds the entry of a round to its player's last row; answers the row where this fills it.
    ///
    /// # Errors
    /// Where the entry is not its player's next.
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

    /// Those of the players, to be written with their last rows of entries.
    pub(crate) fn to_save(&self, players: &[PlayerId]) -> Vec<(&PlayerState, LastRow<'_>)> {
        let players = players
            .iter()
            .filter_map(|player| self.engine.known(*player));
        players
            .map(|player| (player, self.last.get(&player.id)))
            .collect()
    }
}
