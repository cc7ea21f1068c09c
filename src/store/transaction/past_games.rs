//! Past games of players, from the reports of their rounds.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::{Inner, Tx, within};
use crate::domain::{GameWindow, PastGame, PlayerId, RoundParts, Timestamp, past_games};
use crate::store::{EntryChunk, PoolId, StoreError};

/// Maximum number of whole round reports in memory. Only the parts about the wanted players are kept.
const REPORTS_AT_ONCE: usize = 256;

impl Tx {
    /// Returns the last games of each of `players` within the window, latest end first.
    ///
    /// Games are the rounds that count, rated or not, including those before a reset. Pruned rounds are left out. The
    /// order of the log decides which games are the last, as it does for ratings.
    pub async fn past_games(
        &mut self,
        pool: PoolId,
        players: &[PlayerId],
        window: GameWindow,
    ) -> Result<HashMap<PlayerId, Vec<PastGame>>, StoreError> {
        let limit = window.games.min(GameWindow::MAX);
        if limit == 0 || players.is_empty() {
            return Ok(HashMap::new());
        }
        let last = self
            .last_positions(pool, players, window.since, limit)
            .await?;
        let mut players_of: HashMap<u64, BTreeSet<PlayerId>> = HashMap::new();
        for (player, positions) in &last {
            for position in positions {
                players_of.entry(*position).or_default().insert(*player);
            }
        }
        let mut rounds: Vec<u64> = players_of.keys().copied().collect();
        rounds.sort_unstable();
        let mut found: HashMap<PlayerId, Vec<(u64, PastGame)>> = HashMap::new();
        for page in rounds.chunks(REPORTS_AT_ONCE) {
            for (position, ended_at, report) in self.reports_at(pool, page).await? {
                if window.since.is_some_and(|since| ended_at < since) {
                    continue;
                }
                let Some(players) = players_of.get(&position) else {
                    continue;
                };
                for (player, game) in past_games(&report, ended_at, players) {
                    found.entry(player).or_default().push((position, game));
                }
            }
        }
        let games = found.into_iter().map(|(player, mut games)| {
            // Rated and unrated games have separate limits. The limit for both together is applied here.
            games.sort_unstable_by_key(|(position, _)| Reverse(*position));
            games.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
            games.sort_by_key(|(position, game)| Reverse((game.ended_at, *position)));
            (player, games.into_iter().map(|(_, game)| game).collect())
        });
        Ok(games.collect())
    }

    /// Returns the log positions of each player's last rounds. These are up to `limit` rated rounds that ended at or
    /// after `since`, and at least as many rounds in which the player was not rated.
    async fn last_positions(
        &mut self,
        pool: PoolId,
        players: &[PlayerId],
        since: Option<Timestamp>,
        limit: u32,
    ) -> Result<HashMap<PlayerId, Vec<u64>>, StoreError> {
        let found = self.players_with_last_rows(pool, players).await?;
        let mut chunks = Vec::new();
        let mut first_wanted = HashMap::new();
        for (player, _) in &found {
            let first = player.entries.saturating_sub(u64::from(limit)) + 1;
            first_wanted.insert(player.id, first);
            let full = EntryChunk::of(first)..player.entries / EntryChunk::SIZE;
            chunks.extend(full.map(|chunk| (player.id, chunk)));
        }
        let full = match &chunks[..] {
            [] => Vec::new(),
            chunks => self.chunks(pool, None, chunks).await?,
        };
        let mut positions: HashMap<PlayerId, Vec<u64>> = HashMap::new();
        let last = found.into_iter().map(|(_, last)| last);
        for entry in full.into_iter().chain(last).flat_map(|chunk| chunk.entries) {
            let is_wanted = first_wanted
                .get(&entry.player)
                .is_some_and(|first| entry.number >= *first)
                && since.is_none_or(|since| entry.ended_at >= since);
            if is_wanted {
                positions
                    .entry(entry.player)
                    .or_default()
                    .push(entry.position);
            }
        }
        for (player, position) in self.last_unrated_rounds(pool, players, limit).await? {
            positions.entry(player).or_default().push(position);
        }
        Ok(positions)
    }
}

statements! {
    /// Returns each player with the log positions of rounds in which the player was on a team without being rated.
    /// These are the last `limit` that count, and void ones between them.
    fn last_unrated_rounds(pool: PoolId, players: &[PlayerId], limit: u32) -> Vec<(PlayerId, u64)>
        = read_all(sql::rounds::scoreboards::LAST_UNRATED, sql::rounds::scoreboards::unrated);

    /// Returns log position, end time and report of the rounds at these log positions, in any order. Leaves out void
    /// and pruned rounds.
    fn reports_at(pool: PoolId, positions: &[u64]) -> Vec<(u64, Timestamp, RoundParts)>
        = read_all(sql::rounds::scoreboards::REPORTS_AT, sql::rounds::scoreboards::report);
}
