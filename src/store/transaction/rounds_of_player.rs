//! Search for a player's rounds: the rated ones by the player's entries, and the others by the table `unrated_players`.

use std::collections::HashSet;

use super::Tx;
use crate::domain::{PlayerId, ServerName, Timestamp};
use crate::store::{PoolId, RecordedRound, RoundFilter, StoreError};

/// Factor by which each further attempt to list a player's rounds reads more rows of rated rounds.
const MORE: u32 = 8;
/// Number of consecutively stored rounds that cost as much to read as one round by its log position.
const MORE_OF_SERVER: usize = 8;

impl Tx {
    /// Returns the last `limit` rounds that the player was rated for, latest first. `entries` is the number of all
    /// rounds that the player was rated for.
    pub async fn latest_rounds(
        &mut self,
        pool: PoolId,
        (player, entries): (PlayerId, u64),
        limit: u64,
    ) -> Result<Vec<RecordedRound>, StoreError> {
        let latest: Vec<(PlayerId, u64)> = (entries.saturating_sub(limit) + 1..=entries)
            .map(|number| (player, number))
            .collect();
        let positions: Vec<u64> = self
            .entries(pool, &latest)
            .await?
            .iter()
            .map(|entry| entry.position)
            .collect();
        let mut rounds = self.rounds_at(pool, &positions).await?;
        rounds.sort_unstable_by_key(|round| std::cmp::Reverse(round.logged.position));
        Ok(rounds)
    }

    /// Lists rounds with the player on a team, rated or not, void or not. Otherwise works like [`Tx::list_rounds`].
    pub async fn list_rounds_of_player(
        &mut self,
        pool: PoolId,
        player: PlayerId,
        filter: &RoundFilter,
        before: Option<(Timestamp, u64)>,
        limit: u32,
    ) -> Result<Vec<RecordedRound>, StoreError> {
        let mut listed = self
            .unrated_rounds_of_player(pool, player, filter, before, limit)
            .await?;
        listed.extend(
            self.rated_rounds_of_player(pool, player, filter, before, limit)
                .await?,
        );
        listed.sort_unstable();
        listed.dedup();
        let positions: Vec<u64> = listed
            .iter()
            .rev()
            .map(|(_, position)| *position)
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .collect();
        let mut rounds = self.rounds_at(pool, &positions).await?;
        rounds.sort_unstable_by_key(|round| {
            let logged = &round.logged;
            std::cmp::Reverse((logged.round.ended_at(), logged.position))
        });
        Ok(rounds)
    }

    /// Returns end time and log position of rounds that rated the player: at least the last `limit` that pass the
    /// filter.
    async fn rated_rounds_of_player(
        &mut self,
        pool: PoolId,
        player: PlayerId,
        filter: &RoundFilter,
        before: Option<(Timestamp, u64)>,
        limit: u32,
    ) -> Result<Vec<(Timestamp, u64)>, StoreError> {
        let pruned = self.pool(pool).await?.pruned;
        let before_time = before.map(|(time, _)| time);
        let to = before_time.into_iter().chain(filter.to).min();
        let is_listed = |ended: &(Timestamp, u64)| {
            // Entries of pruned rounds may be kept.
            ended.1 > pruned
                && filter.from.is_none_or(|from| ended.0 >= from)
                && filter.to.is_none_or(|to| ended.0 < to)
                && before.is_none_or(|before| *ended < before)
        };
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
        let last = self.last_rows(pool, &[player]).await?;
        let mut chunks = limit / 8 + 2;
        loop {
            let read = self
                .chunks_of_player(pool, player, (filter.from, to), chunks)
                .await?;
            let is_all = read.len() < usize::try_from(chunks).unwrap_or(usize::MAX);
            // No earlier row has a round that ended after this time.
            let end = read.last().map(|chunk| chunk.latest);
            let entries = last.iter().chain(&read).flat_map(|chunk| &chunk.entries);
            let ended = entries.map(|entry| (entry.ended_at, entry.position));
            let is_certain = |time: Timestamp| is_all || end.is_some_and(|end| time > end);
            let mut found: Vec<(Timestamp, u64)> = ended
                .filter(|ended| is_listed(ended) && is_certain(ended.0))
                .collect();
            if let Some(server) = &filter.server {
                let of_server = self.those_of_server(pool, server, &found).await?;
                found.retain(|(_, position)| of_server.contains(position));
            }
            if filter.needs_rows() {
                let positions: Vec<u64> = found.iter().map(|(_, position)| *position).collect();
                let meeting = self.filter_positions(pool, &positions, filter).await?;
                let meeting: HashSet<u64> = meeting.into_iter().collect();
                found.retain(|(_, position)| meeting.contains(position));
            }
            if is_all || found.len() >= wanted {
                return Ok(found);
            }
            chunks = chunks.saturating_mul(MORE);
        }
    }

    /// Returns the log positions of the `rounds` that were played on the server. If the server has few other rounds in
    /// that time, reads all of its rounds, which are stored together. Otherwise looks the rounds up one by one.
    async fn those_of_server(
        &mut self,
        pool: PoolId,
        server: &ServerName,
        rounds: &[(Timestamp, u64)],
    ) -> Result<HashSet<u64>, StoreError> {
        let (Some((first, _)), Some((last, _))) = (rounds.iter().min(), rounds.iter().max()) else {
            return Ok(HashSet::new());
        };
        let most = u32::try_from(rounds.len() * MORE_OF_SERVER).unwrap_or(u32::MAX);
        let of_server = self
            .positions_of_server(pool, server, (*first, *last), most)
            .await?;
        if of_server.len() < rounds.len() * MORE_OF_SERVER {
            return Ok(of_server.into_iter().collect());
        }
        let positions: Vec<u64> = rounds.iter().map(|(_, position)| *position).collect();
        let names = self.round_names(pool, &positions).await?.into_iter();
        let of_server = names.filter(|played| played.server == *server);
        Ok(of_server.map(|played| played.position).collect())
    }
}
