use std::sync::Arc;
use std::time::{Duration, Instant};

use super::changes::Changes;
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::last_failure::LastFailure;
use crate::service::{Pool, Service, ServiceError};
use crate::store::ListedPlayer;

/// For how long a table is shown at least; longer where computing it takes long.
const KEPT: Duration = Duration::from_secs(10);
/// How many times as long as it took to compute it a table is shown.
const TIMES: u32 = 10;
/// How many players are read at once: few enough that the database is through in time.
const PORTION: u32 = 10_000;

/// All players of a pool, as they were at one moment.
///
/// # Design
/// What lists are sorted by follows from binary content, and from whole windows of a player's rounds, so no index could
/// sort them. A pool's players are read once for all who ask within some seconds, 72 bytes each, and sorted in memory.
#[derive(Debug)]
pub(crate) struct PlayerTable {
    /// When it was so.
    pub(super) computed_at: Timestamp,
    /// How many players have a rank.
    pub(super) ranked: u64,
    /// By id.
    pub(super) rows: Vec<Row>,
}

/// A player of the table.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: PlayerId,
    pub(super) rank: Option<u32>,
    pub(super) rating: Rating,
    pub(super) rounds: u32,
    /// Rated rounds ever.
    pub(super) entries: u64,
    pub(super) last_played: Option<Timestamp>,
    pub(super) is_stale: bool,
    /// The ratings of a day, a week and a month ago.
    before: [Rating; 3],
    /// The sums of win probabilities and scores over all rated rounds ever.
    expected: f64,
    score: f64,
}

/// How many days before now the changes of a rating begin.
pub(super) const DAYS: [u32; 3] = [1, 7, 30];

impl Row {
    /// By how much the rating has changed over the `place`th of [`DAYS`].
    pub(super) fn change(&self, place: usize) -> i32 {
        let before = self.before.get(place).copied().unwrap_or(self.rating);
        self.rating.points() - before.points()
    }

    /// By how much the player won more than was predicted, as a share of all rated rounds.
    pub(super) fn excess(&self) -> Option<f64> {
        (self.entries > 0).then(|| (self.score - self.expected) / float(self.entries))
    }

    /// The same in standard errors. The variance of a round is p (1 - p); the mean probability has at least the mean of
    /// these, so that this says too little rather than too much.
    pub(super) fn excess_errors(&self) -> Option<f64> {
        let rounds = float(self.entries);
        let mean = self.expected / rounds;
        let deviation = (rounds * mean * (1.0 - mean)).sqrt();
        (deviation > 0.0).then(|| (self.score - self.expected) / deviation)
    }
}

#[expect(clippy::cast_precision_loss, reason = "rounds number far below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}

/// The table of a pool that was computed last, and why there is no later one.
#[derive(Debug, Default)]
pub(crate) struct KnownTable {
    /// With the moment up to which it is shown.
    shown: Option<(Arc<PlayerTable>, Instant)>,
    failure: LastFailure,
}

impl Service {
    /// The players of `pool`, as they were some seconds ago at most, or for ten times as long as it takes to read them.
    pub(super) async fn player_table(&self, pool: &Pool) -> Result<Arc<PlayerTable>, ServiceError> {
        // Whoever comes while it is computed waits for it, and computes nothing.
        let mut known = pool.player_table.lock().await;
        let began = Instant::now();
        if let Some((table, until)) = &known.shown
            && began < *until
            && table.computed_at <= self.clock.now()
        {
            return Ok(Arc::clone(table));
        }
        if let Some(error) = known.failure.recent(began) {
            return Err(error);
        }
        match self.compute_player_table(pool).await {
            Ok(table) => {
                let table = Arc::new(table);
                let until = Instant::now() + KEPT.max(began.elapsed() * TIMES);
                known.shown = Some((Arc::clone(&table), until));
                Ok(table)
            }
            Err(error) => {
                known.failure.remember(Instant::now(), error.clone());
                Err(error)
            }
        }
    }

    async fn compute_player_table(&self, pool: &Pool) -> Result<PlayerTable, ServiceError> {
        let now = self.clock.now();
        let parameters = &pool.settings.parameters;
        let stale_before = now.days_earlier(parameters.stale_days);
        let mut changes = Changes::begin(&self.store, pool, now).await?;
        let mut rows = Vec::new();
        let mut last = None;
        loop {
            let mut tx = self.store.begin_read().await?;
            let portion = tx.listed_players_after(pool.id, last, PORTION).await?;
            drop(tx);
            for player in &portion {
                let before = changes.before(player);
                rows.push(row(player, before, stale_before));
            }
            match portion.last() {
                Some(player) if portion.len() == PORTION as usize => last = Some(player.id),
                _ => break,
            }
        }
        changes.look_up(&self.store, &mut rows).await?;
        let ranked = rank(&mut rows, parameters.shadow_rounds);
        Ok(PlayerTable {
            computed_at: now,
            ranked,
            rows,
        })
    }
}

fn row(player: &ListedPlayer, before: [Rating; 3], stale_before: Timestamp) -> Row {
    Row {
        id: player.id,
        rank: None,
        rating: player.rating,
        rounds: player.rounds,
        entries: player.entries,
        last_played: player.last_played,
        is_stale: player.last_played.is_some_and(|last| last < stale_before),
        before,
        expected: player.expected_wins,
        score: player.wins,
    }
}

impl Row {
    pub(super) fn set_before(&mut self, place: usize, rating: Rating) {
        if let Some(before) = self.before.get_mut(place) {
            *before = rating;
        }
    }
}

/// Gives everybody a rank who has one; answers how many that are.
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
