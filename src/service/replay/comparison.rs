//! Comparison of a pool with a replay of its log under different assumptions.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;

use super::alternative::{Alternative, Assumed, AssumedSeason};
use super::lease::with_batch_timeout;
use super::prefetched_log::PrefetchedLog;
use super::rebuild::{PAGE, Watch};
use super::round_change::LogChange;
use super::{Applied, Replay, ReplayError, settings_of};
use crate::api::MovedRatingsAnswer;
use crate::domain::{PlayerId, Probability, Progress, RoundId, Score, ServerName, Side, Winner};
use crate::rating::{ModelScores, MovedRating, Parameters, RatingComparison, Windowed};
use crate::service::players::names::moved_ratings;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{
    LogEntry, LoggedRound, PoolId, PoolRecord, SettingsId, Store, StoreError, Tx, corrupt,
};

/// Number of log entries that the replay for a [`Comparison`] computes between two yields to the async runtime.
const TURN: usize = 64;
/// Number of players whose stored and recomputed ratings are compared at once.
const PLAYERS: usize = 1_000;
const LAST_ROUNDS: usize = 10;

/// Stored predictions and ratings of a pool, next to those that an alternative model, settings or log would give.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Number of rounds, without void ones, whose stored predictions are compared with the alternative predictions.
    pub rounds: usize,
    /// Length of the pool's window, in rounds. Scores over the window cover at most this many of the last rounds.
    pub window: u32,
    /// Scores of the stored predictions, such as log loss, over the window and over all compared rounds.
    pub is: Windowed<ModelScores>,
    /// Scores of the predictions under the alternative model, settings or log. Their `difference` is the alternative
    /// log loss minus the stored log loss, in nats.
    pub would_be: Windowed<ModelScores>,
    /// Stored ratings of the pool's players, compared with their ratings under the alternative model, settings or log.
    pub ratings: RatingComparison,
    /// Up to ten of the last rounds, newest first, with predictions as stored and under the alternative model, settings
    /// or log.
    pub last_rounds: Vec<RoundOdds>,
}

/// Predictions of one round, as probabilities that team A wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundOdds {
    /// Name of the game server that reported the round.
    pub server: ServerName,
    /// Id of the round, unique on its game server.
    pub round_id: RoundId,
    /// Team that won, or a draw.
    pub winner: Winner,
    /// Stored probability that team A wins.
    pub is: Probability,
    /// Probability that team A wins under the alternative model, settings or log.
    pub would_be: Probability,
}

impl Service {
    /// Replays the log of a pool under `alternative`, and compares the results with the stored ones. Changes nothing.
    ///
    /// Ratings are shown by the constants in `configured`. `None` means the constants of the last log entry, for a pool
    /// that is no longer declared.
    pub async fn compare(
        &self,
        pool: &PoolRecord,
        configured: Option<&Parameters>,
        alternative: Alternative,
        watch: Watch<'_>,
    ) -> Result<Comparison, ServiceError> {
        let mut comparer = Comparer::open(&self.store, pool.id, &alternative).await?;
        let mut tx = Box::pin(comparer.run(usize::MAX, watch)).await?;
        let now = if let Some(configured) = configured {
            configured.clone()
        } else {
            let mut settings = tx.settings().await?.into_iter();
            let last = settings.find(|(id, _)| Some(*id) == comparer.last_settings);
            last.map(|(_, last)| last).unwrap_or_default()
        };
        let then = alternative
            .settings
            .over(&now)
            .map_err(ReplayError::Overrides)?;
        let ratings = comparer.ratings(&mut tx, [], [&now, &then]).await?;
        let (is, would_be) = (&comparer.is, &comparer.would_be);
        let window = then.window;
        Ok(Comparison {
            rounds: is.len(),
            window,
            is: ModelScores::windowed(is, None, window),
            would_be: ModelScores::windowed(would_be, Some(is), window),
            ratings,
            last_rounds: comparer.last_rounds(),
        })
    }

    /// Compares the ratings of a pool with the ratings that `change` would lead to. Changes nothing.
    pub(crate) async fn compare_ratings(
        &self,
        pool: &Pool,
        change: &LogChange,
    ) -> Result<MovedRatingsAnswer, ServiceError> {
        let alternative = Alternative {
            assumed: change.assumed(),
            ..Alternative::default()
        };
        let mut comparer = Comparer::open(&self.store, pool.id, &alternative).await?;
        let mut tx = Box::pin(comparer.run(usize::MAX, &mut |_| ())).await?;
        let parameters = [&pool.settings.parameters; 2];
        // The round to be voided may be the only round of a player.
        let players = change.players();
        let ratings = comparer.ratings(&mut tx, players, parameters).await?;
        Ok(moved_ratings(&mut tx, ratings).await?)
    }
}

/// Replay of a pool under another model, settings or log ([`Alternative`]), compared round by round with a baseline.
pub(crate) struct Comparer {
    store: Store,
    pool: PoolRecord,
    replay: Replay,
    /// Replay to compare with, which leaves out the season start that the assumed season replaces. `None` if the stored
    /// results are compared instead.
    baseline: Option<Replay>,
    /// Season start that the alternative adds to the log. `None` without one, or once the replay has passed it.
    season: Option<AssumedSeason>,
    /// Predictions of the compared rounds as they are, without void rounds: team A's win probability and score.
    pub(crate) is: Vec<(Probability, Score)>,
    /// Predictions of the same rounds under the alternative.
    pub(crate) would_be: Vec<(Probability, Score)>,
    last_rounds: VecDeque<(LoggedRound, Probability, Probability)>,
    last_settings: Option<SettingsId>,
}

impl Comparer {
    /// Opens the comparison of a pool with a replay of its log under `alternative`. The replay begins before the first
    /// log entry that `alternative` affects.
    pub(crate) async fn open(
        store: &Store,
        pool: PoolId,
        alternative: &Alternative,
    ) -> Result<Self, ServiceError> {
        let store = with_batch_timeout(store);
        let mut tx = store.begin_read().await?;
        let pool = tx.pool(pool).await?;
        let season = alternative.season.clone();
        if pool.pruned > 0 && (alternative.model.is_some() || season.is_some()) {
            return Err(ServiceError::PrunedPool(pool.name));
        }
        let mut replay = alternative.open(&mut tx, &pool).await?;
        let mut baseline = None;
        if let Some(position) = season.as_ref().and_then(|season| season.place.replaced) {
            let mut without = alternative.open(&mut tx, &pool).await?;
            for replay in [&mut replay, &mut without] {
                replay.assumed.insert(position, Assumed::Undone);
            }
            baseline = Some(without);
        }
        Ok(Self {
            store,
            pool,
            replay,
            baseline,
            season,
            is: Vec::new(),
            would_be: Vec::new(),
            last_rounds: VecDeque::new(),
            last_settings: None,
        })
    }

    /// Replays and compares the pool's log to its end, or until `rounds` rounds after the assumed season start are
    /// compared. Returns the transaction that read the last page of the log.
    pub(crate) async fn run(
        &mut self,
        rounds: usize,
        watch: Watch<'_>,
    ) -> Result<Tx, ServiceError> {
        let mut log = PrefetchedLog::new(&self.store, self.pool.id, PAGE);
        loop {
            let behind = self.replay.position;
            let entries = log.page((behind, true), None).await?;
            let mut tx = self.store.begin_read().await?;
            let pool = tx.pool(self.pool.id).await?;
            // A rebuild replaces, and a prune deletes, rows that the computation still has to read.
            if pool.generation != self.pool.generation || pool.pruned != self.pool.pruned {
                return Err(ServiceError::RebuildInProgress(pool.name));
            }
            // Entries may have been added after the empty page was read.
            if entries.is_empty() && pool.log_length == behind {
                self.pool = pool;
                return Ok(tx);
            }
            self.replay.prepare(&mut tx, pool.id, &entries).await?;
            self.replay.loaded.clear();
            if let Some(baseline) = &mut self.baseline {
                baseline.prepare(&mut tx, pool.id, &entries).await?;
            }
            let mut stored = tx.odds_after(pool.id, behind, PAGE).await?.into_iter();
            for (number, entry) in entries.into_iter().enumerate() {
                if number % TURN == 0 {
                    tokio::task::yield_now().await;
                }
                let position = entry.position();
                self.last_settings = Some(settings_of(&entry));
                let other = match &mut self.baseline {
                    Some(baseline) => baseline.apply(entry.clone())?,
                    None => None,
                };
                self.start_season(&entry)?;
                let Some(applied) = self.replay.apply(entry)? else {
                    continue;
                };
                let is = if let Some(other) = other {
                    other.rated.result.win_probability
                } else {
                    let found = stored.find(|(place, _)| *place == position);
                    found.ok_or_else(|| corrupt("results", "position"))?.1
                };
                if self.season.is_none() {
                    self.compare(applied, is);
                    if self.is.len() >= rounds {
                        return Ok(tx);
                    }
                }
            }
            watch(Progress {
                done: self.replay.position,
                total: pool.log_length,
            });
        }
    }

    /// Starts the season that the comparison assumes, if it begins before `entry` and has not started yet.
    fn start_season(&mut self, entry: &LogEntry) -> Result<(), StoreError> {
        if let Some(season) = self.season.take_if(|season| season.place.is_reached(entry)) {
            let position = self.replay.position;
            self.replay
                .begin_season(position, season.keep, &season.parameters)?;
        }
        Ok(())
    }

    fn compare(&mut self, applied: Applied, is: Probability) {
        let round = applied.round;
        let would_be = applied.rated.result.win_probability;
        if round.voided_at.is_none() {
            let score = round.round.parts().winner.score(Side::A);
            self.is.push((is, score));
            self.would_be.push((would_be, score));
        }
        if self.last_rounds.len() == LAST_ROUNDS {
            self.last_rounds.pop_front();
        }
        self.last_rounds.push_back((round, is, would_be));
    }

    fn last_rounds(&self) -> Vec<RoundOdds> {
        self.last_rounds
            .iter()
            .rev()
            .map(|(logged, is, would_be)| {
                let parts = logged.round.parts();
                RoundOdds {
                    server: parts.server.clone(),
                    round_id: parts.round_id.clone(),
                    winner: parts.winner,
                    is: *is,
                    would_be: *would_be,
                }
            })
            .collect()
    }

    /// Compares stored ratings with the ratings at the end of the replay, for the replayed players and `others`. Stored
    /// ratings are shown by the rating constants `now`, replayed ratings by `then`.
    async fn ratings(
        &self,
        tx: &mut Tx,
        others: impl IntoIterator<Item = PlayerId>,
        [now, then]: [&Parameters; 2],
    ) -> Result<RatingComparison, ServiceError> {
        let model = self
            .pool
            .model
            .resume(&self.pool.model_state)
            .map_err(StoreError::from)?;
        let engine = &self.replay.engine;
        let distinct: BTreeSet<PlayerId> = engine.ids().chain(others).collect();
        let ids: Vec<PlayerId> = distinct.into_iter().collect();
        let mut ratings = Vec::with_capacity(ids.len());
        for ids in ids.chunks(PLAYERS) {
            for player in tx.players(self.pool.id, ids).await? {
                let is = model
                    .shown(player.profile(), now)
                    .map_err(StoreError::from)?;
                let would_be = match engine.known(player.id) {
                    Some(computed) => engine
                        .model()
                        .shown(computed.profile(), then)
                        .map_err(StoreError::from)?,
                    None => then.initial_rating,
                };
                let change = MovedRating {
                    id: player.id,
                    is,
                    would_be,
                };
                ratings.push((change, player.rounds >= now.shadow_rounds));
            }
        }
        Ok(RatingComparison::of(ratings))
    }
}
