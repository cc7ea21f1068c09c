use crate::domain::{PlayerId, PlayerMap, Report, Timestamp};
use crate::service::Pool;
use crate::service::replay::appearances::Appearances;
use crate::service::replay::past_totals::PastTotals;
use crate::service::replay::projection::Projection;
use crate::store::{
    Entry, EntryChunk, Generation, LastRow, PlayerRecord, PoolRecord, StoreError, Tx,
};

/// What a few rounds are rated from: the pool's sums, and the players who stand in them.
#[derive(Debug, Default)]
pub(crate) struct BatchPlayers {
    pub(crate) projection: Projection,
    /// The last row of entries of every player who is held and has entries.
    pub(crate) last: PlayerMap<EntryChunk>,
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
        let parameters = &pool.settings.parameters;
        let appearances = Appearances::in_rounds(rounds, parameters.window);
        let ids: Vec<PlayerId> = appearances.players().collect();
        let times = parameters.returning_rounds();
        let mut projection = Projection::remembering(parameters.window, times);
        projection.continue_from(record)?;
        let mut last = PlayerMap::default();
        for (player, row) in tx.players_with_last_rows(pool.id, &ids).await? {
            let latest = (player.entries, player.totals);
            let totals = PastTotals::of(parameters.window, &row.entries, latest);
            let ended = row.entries.iter().rev().take(times).rev();
            projection.hold(player, totals, ended.map(|entry| entry.ended_at).collect());
            last.insert(row.player, row);
        }
        let missing: Vec<(PlayerId, u64)> =
            projection.missing_rows(&appearances).into_iter().collect();
        if !missing.is_empty() {
            projection.add_older(tx.chunks(pool.id, None, &missing).await?);
        }
        Ok(Self { projection, last })
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
    pub(crate) fn to_save(&self, players: &[PlayerId]) -> Vec<(&PlayerRecord, LastRow<'_>)> {
        let players = players.iter();
        let players = players.filter_map(|player| self.projection.known(*player));
        players
            .map(|player| (player, self.last.get(&player.id)))
            .collect()
    }
}
