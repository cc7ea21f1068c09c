use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::changes::{Changes, Span};
use super::known_rounds::KnownRounds;
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::service::players::past::Rated;
use crate::service::public_cache::LastFailure;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Generation, ListedPlayer};

/// For how long a table is shown at least; longer where computing it takes long.
const MIN_SHOWN: Duration = Duration::from_secs(10);
/// How many times as long as it took to compute it a table is shown.
const SHOWN_TIMES: u32 = 10;
/// How many players are read at once: few enough that the database is through in time.
const PORTION: u32 = 10_000;

/// All players of a pool, as they were at one moment.
///
/// # Design
/// What lists are sorted by follows from sums, and from what ratings were at some moment, so no index could sort them. A
/// pool's players are read once for all who ask within some seconds, 64 bytes each, and sorted in memory. What changed
/// over a span is read only for lists that are sorted by it, and for the rows that are shown; what is found for it of
/// whoever has played in the span, or of everybody where a season has started in it, is kept for the next table, 80 to
/// 170 bytes a player and span.
#[derive(Debug)]
pub(crate) struct PlayerTable {
    /// When it was so.
    pub(super) computed_at: Timestamp,
    /// The generation that it is of.
    generation: Generation,
    /// The length of the log that all of it has.
    pub(super) end: u64,
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
    /// The sums of win probabilities and scores over all rated rounds ever.
    expected: f64,
    score: f64,
}

impl Row {
    fn of(player: &ListedPlayer, stale_before: Timestamp) -> Self {
        Self {
            id: player.id,
            rank: None,
            rating: player.rating,
            rounds: player.rounds,
            entries: player.entries,
            last_played: player.last_played,
            is_stale: player.last_played.is_some_and(|last| last < stale_before),
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
    shown: Option<Shown>,
    rounds: KnownRounds,
    failure: LastFailure,
}

impl KnownTable {
    /// Has everything read anew by whoever asks next.
    pub(in crate::service) fn forget(&mut self) {
        self.shown = None;
        self.rounds = KnownRounds::default();
    }
}

/// A table, and what was asked of it.
#[derive(Debug)]
struct Shown {
    table: Arc<PlayerTable>,
    /// What changed up to it.
    changes: HashMap<Span, Arc<Changes>>,
    /// Up to when it is shown.
    until: Timestamp,
}

impl Shown {
    /// The table, and the changes over the span unless they are still to be computed.
    fn get(&self, span: Option<Span>) -> Option<(Arc<PlayerTable>, Arc<Changes>)> {
        let changes = match span {
            Some(span) => Arc::clone(self.changes.get(&span)?),
            None => Arc::default(),
        };
        Some((Arc::clone(&self.table), changes))
    }
}

impl Service {
    /// The players of `pool`, as they were some seconds ago at most, or for ten times as long as it takes to read them,
    /// and over the span by how much their ratings changed.
    pub(super) async fn player_table(
        &self,
        pool: &Pool,
        span: Option<Span>,
    ) -> Result<(Arc<PlayerTable>, Arc<Changes>), ServiceError> {
        // Whoever comes while it is computed waits for it, and computes nothing.
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
            // One client's wait does not mean that the database is away for the others.
            Err(ServiceError::Busy) => Err(ServiceError::Busy),
            Err(error) => {
                known.failure.remember(Instant::now(), error.clone());
                Err(error)
            }
        }
    }

    /// Computes the table and all that lists are sorted by, so that it is kept for who asks.
    pub(in crate::service) async fn warm_up_player_table(
        &self,
        pool: &Pool,
    ) -> Result<(), ServiceError> {
        for span in Span::ALL {
            let _kept_with_the_pool = self.player_table(pool, Some(span)).await?;
        }
        Ok(())
    }

    /// Computes the table, unless it is shown, and the changes over the span.
    async fn read_player_table(
        &self,
        pool: &Pool,
        span: Option<Span>,
        known: &mut KnownTable,
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
        let mut rows = Vec::new();
        let mut last = None;
        loop {
            let mut tx = self.store.begin_read().await?;
            let portion = tx.listed_players_after(pool.id, last, PORTION).await?;
            drop(tx);
            rows.extend(portion.iter().map(|player| Row::of(player, stale_before)));
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
