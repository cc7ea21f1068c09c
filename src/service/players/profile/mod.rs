//! Profile of a player: rank, division, record and recent rounds.

mod recent;
mod record;

use std::collections::HashMap;

use recent::Recent;
use record::record;

use super::history::changed_ratings;
use super::names::Names;
use super::now::player_now;
use super::ranks::{Ranks, has_rank, ranked_at};
use crate::api::{NextDivisionAnswer, ProfileAnswer, RecentAnswer, RecordAnswer};
use crate::domain::PlayerId;
use crate::rating::{Entry, PlayerState};
use crate::service::rounds::answer::last_round;
use crate::service::seasons::placing::Placing;
use crate::service::seasons::standings::past_seasons;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{EntryChunk, StoreError, Tx};

const MAX_ROUNDS: u64 = 100_000;
/// Number of a player's latest rounds that the profile groups by map, server and other players.
const RECENT: usize = 500;
/// Number of round reports that a profile request holds in memory at once.
const REPORTS_AT_ONCE: usize = 100;
const LAST_ROUNDS: u32 = 20;

impl Service {
    /// Returns the profile of a player in `pool`. Unknown players look like new ones. Writes nothing.
    pub async fn player_profile(
        &self,
        pool: &Pool,
        id: PlayerId,
    ) -> Result<ProfileAnswer, ServiceError> {
        let now = self.clock.now();
        let parameters = &pool.settings.parameters;
        let leaderboard = &pool.settings.leaderboard;
        let mut tx = self.store.begin_read().await?;
        let (model, player) = player_now(&mut tx, pool, id).await?;
        let ranked = ranked_at(now, parameters);
        let ranks = Ranks::of(tx.ranked_ratings(pool.id, ranked).await?);
        let rating = has_rank(&player, ranked).then_some(player.rating);
        let better = rating.map(|rating| ranks.better(rating));
        let division = better.and_then(|better| leaderboard.division(better, ranks.count()));
        let next: Option<NextDivisionAnswer> =
            rating.and_then(|rating| ranks.next_division(rating, leaderboard));
        let entries = entries_since_reset(&mut tx, pool, &player).await?;
        let record = whole_record(&mut tx, pool, &player, &entries).await?;
        let recent = recent_rounds(&mut tx, pool, &entries).await?;
        let shown = u64::from(player.rounds.min(LAST_ROUNDS));
        let rounds = tx
            .latest_rounds(pool.id, (id, player.entries), shown)
            .await?;
        let names = Names::of(&mut tx, vec![id]).await?;
        let placing = Placing::of(&mut tx, pool.id, &[id]).await?;
        let seasons = past_seasons(&mut tx, pool, id).await?;
        let last_rounds = rounds.iter().filter_map(|round| last_round(round, id));
        Ok(ProfileAnswer {
            id_hidden: names.hides_id(id),
            computed_at: now,
            rounds_until_visible: parameters.shadow_rounds.saturating_sub(player.rounds),
            rank: better.map(|better| better + 1),
            ranked: ranks.count(),
            better_than: rating.and_then(|rating| ranks.share_below(rating)),
            division: division.map(str::to_owned),
            next_division: next,
            divisions: ranks.divisions(leaderboard),
            distribution: ranks.distribution(),
            record,
            recent,
            seasons,
            last_rounds: last_rounds.collect(),
            player: self.player_answer(pool, (&*model, &player), &names, &placing)?,
        })
    }
}

/// Returns the player's rated rounds since the last reset, oldest first, without pruned ones.
///
/// # Design
/// A database row holds sixteen rounds, so 70,000 rounds of a player are read as 4,400 adjacent rows.
async fn entries_since_reset(
    tx: &mut Tx,
    pool: &Pool,
    player: &PlayerState,
) -> Result<Vec<Entry>, StoreError> {
    let rounds = u64::from(player.rounds).min(MAX_ROUNDS);
    if rounds == 0 {
        return Ok(Vec::new());
    }
    let first = player.entries.saturating_sub(rounds) + 1;
    let full = (player.entries / EntryChunk::SIZE).saturating_sub(EntryChunk::of(first));
    let full = u32::try_from(full).unwrap_or(u32::MAX);
    let mut chunks = tx.last_rows(pool.id, &[player.id]).await?;
    if full > 0 {
        let read = tx
            .chunks_of_player(pool.id, player.id, (None, None), full)
            .await?;
        chunks.extend(read);
    }
    let mut entries: Vec<Entry> = chunks
        .into_iter()
        .flat_map(|chunk| chunk.entries)
        .filter(|entry| entry.number >= first)
        .collect();
    entries.sort_unstable_by_key(|entry| entry.number);
    Ok(entries)
}

async fn whole_record(
    tx: &mut Tx,
    pool: &Pool,
    player: &PlayerState,
    entries: &[Entry],
) -> Result<RecordAnswer, StoreError> {
    if entries.is_empty() {
        return Ok(RecordAnswer::default());
    }
    let changes = changed_ratings(tx, pool.id, &[player.id]).await?;
    let given: Vec<_> = changes
        .iter()
        .rev()
        .take_while(|change| !change.is_reset)
        .map(|change| (change.at, change.rating))
        .collect();
    Ok(record(entries, &given))
}

async fn recent_rounds(
    tx: &mut Tx,
    pool: &Pool,
    entries: &[Entry],
) -> Result<RecentAnswer, StoreError> {
    let latest = &entries[entries.len().saturating_sub(RECENT)..];
    let mut recent = Recent::default();
    for page in latest.chunks(REPORTS_AT_ONCE) {
        let by_position: HashMap<u64, &Entry> =
            page.iter().map(|entry| (entry.position, entry)).collect();
        let positions: Vec<u64> = page.iter().map(|entry| entry.position).collect();
        for (position, _, report) in tx.reports_at(pool.id, &positions).await? {
            if let Some(entry) = by_position.get(&position) {
                recent.add(entry, report);
            }
        }
    }
    let names = Names::of(tx, recent.others()).await?;
    Ok(recent.answer(&names))
}
