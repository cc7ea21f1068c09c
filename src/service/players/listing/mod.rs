//! Lists of a pool's players: searched, filtered and sorted.

mod changes;
mod last_round_cache;
mod table;

use std::collections::HashSet;

use super::names::Names;
use crate::api::pagination::Count;
use crate::api::{
    ElsewherePlayerAnswer, ListedPlayerAnswer, PlayerFilter, PlayerListAnswer, PlayerListQuery,
    PlayerSort,
};
use crate::domain::{PlayerDisplayName, PlayerId};
use crate::service::seasons::placing::Placing;
use crate::service::{Pool, Service, ServiceError};

use changes::{Changes, Span};
pub(crate) use table::PlayerTableCache;
use table::{PlayerTable, Row};

/// Number of rounds below which a list shows a player as new, even in pools with a short shadow period.
const NEW_ROUNDS: u64 = 100;
/// Maximum number of players that a search by name finds. Searches with more results must be narrowed down.
const MAX_FOUND: u32 = 1000;

impl Service {
    /// Returns the players of `pool` that match `query`.
    ///
    /// # Errors
    /// Returns an error if the query starts at a rank, but sorts by something else or has a cursor `after`.
    pub async fn list_players(
        &self,
        pool: &Pool,
        query: &PlayerListQuery,
    ) -> Result<PlayerListAnswer, ServiceError> {
        if query.rank.is_some() && (query.sort != PlayerSort::Rank || query.after.is_some()) {
            let problem =
                "works only if the list is sorted by rank, and cannot be combined with \"after\"";
            return Err(ServiceError::invalid("/rank", problem));
        }
        let (table, changes) = self.player_table(pool, Span::of(query.sort)).await?;
        let found = match query.search.as_deref().map(str::trim) {
            None | Some("") => None,
            Some(text) => Some(self.search_players(text).await?),
        };
        let mut rows: Vec<&Row> = table
            .rows
            .iter()
            .filter(|row| found.as_ref().is_none_or(|found| found.contains(&row.id)))
            .filter(|row| {
                query
                    .filter
                    .is_none_or(|filter| is_meant(row, filter, pool))
            })
            .collect();
        sort(&mut rows, query.sort, &changes);
        let offset = match (query.rank, query.after) {
            (Some(Count(rank)), _) => {
                rows.partition_point(|row| row.rank.is_some_and(|of_row| of_row < rank))
            }
            (None, Some(Count(after))) => usize::try_from(after).unwrap_or(usize::MAX),
            (None, None) => 0,
        };
        let Count(limit) = query.limit;
        let limit = limit as usize;
        let shown: Vec<&Row> = rows.iter().copied().skip(offset).take(limit).collect();
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let end = offset.saturating_add(shown.len());
        Ok(PlayerListAnswer {
            pool: pool.name.clone(),
            computed_at: table.computed_at,
            total: number(rows.len()),
            offset: number(offset),
            next: (end < rows.len() && !shown.is_empty()).then(|| number(end)),
            previous: (offset > 0).then(|| number(offset.min(rows.len()).saturating_sub(limit))),
            players: self.listed_players(pool, &table, shown).await?,
            elsewhere: self
                .elsewhere(pool, &table, found.unwrap_or_default(), limit)
                .await?,
        })
    }

    /// Returns up to `limit` of the `found` players who are in other pools only, by pool and id.
    async fn elsewhere(
        &self,
        pool: &Pool,
        table: &PlayerTable,
        found: HashSet<PlayerId>,
        limit: usize,
    ) -> Result<Vec<ElsewherePlayerAnswer>, ServiceError> {
        let is_here = |id: &PlayerId| table.rows.binary_search_by_key(id, |row| row.id).is_ok();
        let missing: Vec<PlayerId> = found.into_iter().filter(|id| !is_here(id)).collect();
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let mut elsewhere = Vec::new();
        let mut tx = self.store.begin_read().await?;
        let names = Names::of(&mut tx, missing.clone()).await?;
        for other in self.pools.now().all().filter(|other| other.id != pool.id) {
            let mut players = tx.players(other.id, &missing).await?;
            players.sort_unstable_by_key(|player| player.id);
            elsewhere.extend(players.iter().map(|player| ElsewherePlayerAnswer {
                pool: other.name.clone(),
                id: player.id,
                name: names.of_player(player.id),
            }));
        }
        elsewhere.truncate(limit);
        Ok(elsewhere)
    }

    /// Returns the players whose name or alias contains `text`, or whose id is `text`.
    async fn search_players(&self, text: &str) -> Result<HashSet<PlayerId>, ServiceError> {
        let by_id = text.parse::<PlayerId>().ok();
        let Some(name) = PlayerDisplayName::clean(text) else {
            return Ok(by_id.into_iter().collect());
        };
        let mut tx = self.store.begin_read().await?;
        let by_name = tx.search_player_names(&name.folded(), MAX_FOUND).await?;
        Ok(by_id.into_iter().chain(by_name).collect())
    }

    async fn listed_players(
        &self,
        pool: &Pool,
        table: &PlayerTable,
        rows: Vec<&Row>,
    ) -> Result<Vec<ListedPlayerAnswer>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let day = Changes::of_rows(&mut tx, pool, (table, &rows), Span::Day).await?;
        let week = Changes::of_rows(&mut tx, pool, (table, &rows), Span::Week).await?;
        let month = Changes::of_rows(&mut tx, pool, (table, &rows), Span::Month).await?;
        let players: Vec<PlayerId> = rows.iter().map(|row| row.id).collect();
        let placing = Placing::of(&mut tx, pool.id, &players).await?;
        let names = Names::of(&mut tx, players).await?;
        let answer = |row: &Row| {
            let division = row.rank.and_then(|rank| {
                let better = u64::from(rank - 1);
                pool.settings.leaderboard.division(better, table.ranked)
            });
            ListedPlayerAnswer {
                id: row.id,
                name: names.of_player(row.id),
                id_hidden: names.hides_id(row.id),
                rank: row.rank,
                division: division.map(str::to_owned),
                rating: row.rating,
                at_floor: row.is_at_floor,
                visible: !is_meant(row, PlayerFilter::Hidden, pool),
                stale: row.is_stale,
                rounds: row.rounds,
                placing_rounds: placing.rounds_left_of(row.id, row.entries),
                last_played: row.last_played,
                change_1_day: day.of(row.id),
                change_7_days: week.of(row.id),
                change_30_days: month.of(row.id),
                excess: row.excess(),
                excess_errors: row.excess_errors(),
            }
        };
        Ok(rows.into_iter().map(answer).collect())
    }
}

fn is_meant(row: &Row, filter: PlayerFilter, pool: &Pool) -> bool {
    let parameters = &pool.settings.parameters;
    match filter {
        PlayerFilter::Ranked => row.rank.is_some(),
        PlayerFilter::Hidden => row.rounds < parameters.shadow_rounds,
        PlayerFilter::New => {
            let shadowed = 2 * u64::from(parameters.shadow_rounds);
            row.entries < shadowed.max(NEW_ROUNDS) && !row.is_stale
        }
        PlayerFilter::Stale => row.is_stale,
        PlayerFilter::Floor => row.is_at_floor,
    }
}

/// Sorts the rows of a list of players by the requested column `by`. Rows arrive in order of player ids, and rows with
/// equal values keep this order.
fn sort(rows: &mut [&Row], by: PlayerSort, changes: &Changes) {
    match by {
        PlayerSort::Rank => {
            rows.sort_by_key(|row| (row.rank.is_none(), row.rank, -row.rating.points()));
        }
        PlayerSort::Rating => rows.sort_by_key(|row| row.rating),
        PlayerSort::RatingDown => rows.sort_by_key(|row| -row.rating.points()),
        PlayerSort::Rounds => rows.sort_by_key(|row| row.rounds),
        PlayerSort::RoundsDown => rows.sort_by_key(|row| u32::MAX - row.rounds),
        PlayerSort::ChangeOfDay | PlayerSort::ChangeOfWeek | PlayerSort::ChangeOfMonth => {
            rows.sort_by_cached_key(|row| changes.of(row.id));
        }
        PlayerSort::ChangeOfDayDown
        | PlayerSort::ChangeOfWeekDown
        | PlayerSort::ChangeOfMonthDown => {
            rows.sort_by_cached_key(|row| -changes.of(row.id));
        }
        // Players without a value come last in both directions.
        PlayerSort::Excess => rows.sort_by(|one, other| {
            let errors = |row: &Row| row.excess_errors().unwrap_or(f64::INFINITY);
            errors(one).total_cmp(&errors(other))
        }),
        PlayerSort::ExcessDown => rows.sort_by(|one, other| {
            let errors = |row: &Row| row.excess_errors().unwrap_or(f64::NEG_INFINITY);
            errors(other).total_cmp(&errors(one))
        }),
        PlayerSort::LastPlayed => {
            rows.sort_by_key(|row| (row.last_played.is_none(), row.last_played));
        }
        PlayerSort::LastPlayedDown => rows.sort_by_key(|row| std::cmp::Reverse(row.last_played)),
    }
}
