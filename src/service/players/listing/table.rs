use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::changes::{Changes, Span};
use super::last_round_cache::LastRoundCache;
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{mean, number};
use crate::service::players::past::Rated;
use crate::service::public_cache::LastFailure;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Generation, ListedPlayer};

/// Minimum time for which the table of a pool's players is cached. Tables that are slow to compute are cached longer.
const MIN_SHOWN: Duration = Duration::from_secs(10);
/// Time for which the table of a pool's players is cached, as a multiple of the time to compute the table.
const SHOWN_TIMES: u32 = 10;
/// Number of players that one query reads for the table of a pool's players. Kept low so that no query runs into the
/// database timeout.
const PORTION: u32 = 10_000;

/// Table of all players of a pool at one moment.
///
/// # Design
/// The sort keys of lists follow from sums and from past ratings, so no index could sort the lists. The table reads all
/// players once for all requests within some seconds, at 64 bytes a player, and sorts them in memory. Changes over a
/// period are read only for lists sorted by them, and for the rows that are shown. The last rounds found for a period
/// are cached for the next table, at 80 to 170 bytes a player and period. They cover the players who played in the
/// period, or all players if a season started in it.
#[derive(Debug)]
pub(crate) struct PlayerTable {
    pub(super) computed_at: Timestamp,
    generation: Generation,
    /// Log position up to which this table of a pool's players includes every round.
    pub(super) end: u64,
    pub(super) ranked: u64,
    /// Rows for all players of the pool, one for each player, in order of player ids.
    pub(super) rows: Vec<Row>,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: PlayerId,
    pub(super) rank: Option<u32>,
    pub(super) rating: Rating,
    pub(super) rounds: u32,
    /// Number of the player's rated rounds, including rounds before resets.
    pub(super) entries: u64,
    pub(super) last_played: Option<Timestamp>,
    pub(super) is_stale: bool,
    /// `true` if the player has the lowest rating that the pool's model allows.
    pub(super) is_at_floor: bool,
    /// Sum of the player's win probabilities over all rated rounds, including rounds before resets.
    expected: f64,
    score: f64,
}

impl Row {
    fn of(player: &ListedPlayer, stale_before: Timestamp, floor: Option<Rating>) -> Self {
        Self {
            id: player.id,
            rank: None,
            rating: player.rating,
            rounds: player.rounds,
            entries: player.entries,
            last_played: player.last_played,
            is_stale: player.last_played.is_some_and(|last| last < stale_before),
            is_at_floor: floor.is_some_and(|floor| player.rating <= floor),
            expected: player.expected_wins,
            score: player.wins,
        }
    }

    pub(super) fn rated(&self) -> Rated {
        Rated {
            id: self.id,
            rating: self.rating,
            entries: self.entries,
            last_played: self.last_played,
        }
    }

    /// Returns the mean of result (1 for a win) minus win probability over a player's rated rounds; above 0 if the
    /// player wins more than predicted.
    pub(super) fn excess(&self) -> Option<f64> {
        mean(self.score - self.expected, self.entries)
    }

    /// Returns a player's wins beyond the prediction ([`Row::excess`]) in standard errors. The variance of a round is p
    /// (1 - p). Its value at the mean probability is at least the mean variance, so the result is too low rather than
    /// too high.
    pub(super) fn excess_errors(&self) -> Option<f64> {
        let rounds = number(self.entries);
        let mean = self.expected / rounds;
        let deviation = (rounds * mean * (1.0 - mean)).sqrt();
        (deviation > 0.0).then(|| (self.score - self.expected) / deviation)
    }
}

/// Cache of the table of a pool's players, with the last failure to compute the table.
#[derive(Debug, Default)]
pub(crate) struct PlayerTableCache {
    shown: Option<Shown>,
    rounds: LastRoundCache,
    failure: LastFailure,
}

impl PlayerTableCache {
    /// Clears the cached table of players, so that the next request reads all players again.
    pub(in crate::service) fn forget(&mut self) {
        self.shown = None;
        self.rounds = LastRoundCache::default();
    }
}

#[derive(Debug)]
struct Shown {
    table: Arc<PlayerTable>,
    changes: HashMap<Span, Arc<Changes>>,
    until: Timestamp,
}

impl Shown {
    /// Returns the cached table of a pool's players, and their rating changes over the period `span`. Returns `None` if
    /// these changes are not cached.
    fn get(&self, span: Option<Span>) -> Option<(Arc<PlayerTable>, Arc<Changes>)> {
        let changes = match span {
            Some(span) => Arc::clone(self.changes.get(&span)?),
            None => Arc::default(),
        };
        Some((Arc::clone(&self.table), changes))
    }
}

impl Service {
    /// Returns the table of the pool's players, and the changes of ratings over the period. The table is some seconds
    /// old at most, or ten times as old as the table takes to compute.
    pub(super) async fn player_table(
        &self,
        pool: &Pool,
        span: Option<Span>,
    ) -> Result<(Arc<PlayerTable>, Arc<Changes>), ServiceError> {
        // Concurrent requests wait for the computation, and then find the cached table.
        let mut known = pool.player_table.lock().await;
        let now = self.clock.now();
        let is_over = |shown: &mut Shown| now >= shown.until || now < shown.table.computed_at;
        drop(known.shown.take_if(is_over));
        if let Some(read) = known.shown.as_ref().and_then(|shown| shown.get(span)) {
            return Ok(read);
        }
        if let Some(error) = known.failure.recent(Instant::now()) {
            return Err(error);
        }
        match self.read_player_table(pool, span, &mut known).await {
            Ok(read) => Ok(read),
            // `Busy` concerns one client's turns; the database may still answer other clients.
            Err(ServiceError::Busy) => Err(ServiceError::Busy),
            Err(error) => {
                known.failure.remember(Instant::now(), error.clone());
                Err(error)
            }
        }
    }

    pub(in crate::service) async fn warm_up_player_table(
        &self,
        pool: &Pool,
    ) -> Result<(), ServiceError> {
        for span in Span::ALL {
            let _kept_with_the_pool = self.player_table(pool, Some(span)).await?;
        }
        Ok(())
    }

    /// Computes the table of the pool's players, if it is not cached, and the rating changes over the period.
    async fn read_player_table(
        &self,
        pool: &Pool,
        span: Option<Span>,
        known: &mut PlayerTableCache,
    ) -> Result<(Arc<PlayerTable>, Arc<Changes>), ServiceError> {
        let (now, began) = (self.clock.now(), Instant::now());
        let shown = match &mut known.shown {
            Some(shown) => shown,
            none => none.insert(Shown {
                table: Arc::new(self.compute_player_table(pool).await?),
                changes: HashMap::new(),
                until: now.later(MIN_SHOWN.max(began.elapsed() * SHOWN_TIMES)),
            }),
        };
        let table = Arc::clone(&shown.table);
        let Some(span) = span else {
            return Ok((table, Arc::default()));
        };
        let began = Instant::now();
        let rounds = known.rounds.of(span, table.generation);
        let changes = Changes::of_all(&self.store, pool, &table, span, rounds).await?;
        let changes = Arc::new(changes);
        shown.changes.insert(span, Arc::clone(&changes));
        shown.until = shown.until.later(began.elapsed() * SHOWN_TIMES);
        Ok((table, changes))
    }

    async fn compute_player_table(&self, pool: &Pool) -> Result<PlayerTable, ServiceError> {
        let now = self.clock.now();
        let parameters = &pool.settings.parameters;
        let stale_before = now.days_earlier(parameters.stale_days);
        let record = self.store.begin_read().await?.pool(pool.id).await?;
        let floor = record.model.has_floor().then_some(parameters.min_rating);
        let mut rows = Vec::new();
        let mut last = None;
        loop {
            let mut tx = self.store.begin_read().await?;
            let portion = tx.listed_players_after(pool.id, last, PORTION).await?;
            drop(tx);
            rows.extend(
                portion
                    .iter()
                    .map(|player| Row::of(player, stale_before, floor)),
            );
            match portion.last() {
                Some(player) if portion.len() == PORTION as usize => last = Some(player.id),
                _ => break,
            }
        }
        let ranked = rank(&mut rows, parameters.shadow_rounds);
        Ok(PlayerTable {
            computed_at: now,
            generation: record.generation,
            end: record.log_length,
            ranked,
            rows,
        })
    }
}

/// Ranks a pool's players by rating, the best first, except hidden and stale players. Returns the number of ranked
/// players.
fn rank(rows: &mut [Row], shadow_rounds: u32) -> u64 {
    let mut ranked: Vec<&mut Row> = rows
        .iter_mut()
        .filter(|row| row.rounds >= shadow_rounds && row.last_played.is_some() && !row.is_stale)
        .collect();
    ranked.sort_by_key(|row| -row.rating.points());
    let mut last = (None, 0);
    for (row, place) in ranked.iter_mut().zip(1..) {
        if last.0 != Some(row.rating) {
            last = (Some(row.rating), place);
        }
        row.rank = Some(last.1);
    }
    ranked.len() as u64
}
