use super::changes::Span;
use super::table::Row;
use crate::api::{NotablePlayersAnswer, PlayerFilter};
use crate::service::{Pool, Service, ServiceError};

use super::is_meant;

/// By how many standard errors a new player has to win beyond the predictions to be listed.
const LEAST_ERRORS: f64 = 3.0;
/// Which share of the players chance alone puts as far beyond, by the normal distribution.
const SHARE_BY_CHANCE: f64 = 0.001_35;
/// Fewer rounds say nothing.
const LEAST_ROUNDS: u64 = 10;
/// How many points within a week are a move.
const LEAST_MOVE: u32 = 1;

impl Service {
    /// Who of `pool` is worth a look, up to `limit` of each kind.
    pub async fn notable_players(
        &self,
        pool: &Pool,
        limit: u32,
    ) -> Result<NotablePlayersAnswer, ServiceError> {
        let (table, changes) = self.player_table(pool, Some(Span::Week)).await?;
        let limit = limit as usize;
        let mut newcomers: Vec<(f64, &Row)> = table
            .rows
            .iter()
            .filter(|row| row.entries >= LEAST_ROUNDS && is_meant(row, PlayerFilter::New, pool))
            .map(|row| (row.excess_errors().unwrap_or_default(), row))
            .collect();
        let new_players = u32::try_from(newcomers.len()).unwrap_or(u32::MAX);
        newcomers.retain(|(errors, _)| *errors >= LEAST_ERRORS);
        newcomers.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        newcomers.truncate(limit);

        let moved = |row: &Row| changes.of(row.id).unsigned_abs();
        let movers = table.rows.iter().filter(|row| moved(row) >= LEAST_MOVE);
        let mut movers: Vec<&Row> = movers.collect();
        movers.sort_by_cached_key(|row| u32::MAX - moved(row));
        movers.truncate(limit);

        let at_floor = table.rows.iter().filter(|row| {
            is_meant(row, PlayerFilter::Floor, pool) && row.rounds > 0 && !row.is_stale
        });
        let mut at_floor: Vec<&Row> = at_floor.collect();
        at_floor.sort_by_key(|row| u32::MAX - row.rounds);
        at_floor.truncate(limit);

        let kinds = (newcomers.len(), movers.len());
        let newcomers = newcomers.into_iter().map(|(_, row)| row);
        let all = newcomers.chain(movers).chain(at_floor).collect();
        let mut all = self.listed_players(pool, &table, all).await?.into_iter();
        Ok(NotablePlayersAnswer {
            pool: pool.name.clone(),
            computed_at: table.computed_at,
            least_errors: LEAST_ERRORS,
            new_players,
            by_chance: f64::from(new_players) * SHARE_BY_CHANCE,
            newcomers: all.by_ref().take(kinds.0).collect(),
            movers: all.by_ref().take(kinds.1).collect(),
            at_floor: all.collect(),
        })
    }
}
