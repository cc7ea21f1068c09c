//! What a pool would be if its log were computed otherwise.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;
use tokio_util::task::AbortOnDropHandle;

use super::alternative::{Alternative, Assumed, AssumedSeason, SeasonStart};
use super::lease::with_batch_timeout;
use super::rebuild::{PAGE, Watch};
use super::round_change::LogChange;
use super::{Applied, Replay, ReplayError, log_page, settings_of};
use crate::api::MovedRatingsAnswer;
use crate::domain::{PlayerId, Probability, Progress, RoundId, Score, ServerName, Side, Winner};
use crate::rating::{ModelScores, MovedRating, Parameters, RatingComparison, Windowed};
use crate::service::players::names::moved_ratings;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{LogEntry, LoggedRound, PoolId, PoolRecord, SettingsId, Store, StoreError, Tx};

/// How much of the log is computed before others have their turn on the same thread.
const TURN: usize = 64;
/// Players who are compared at a time.
const PLAYERS: usize = 1_000;
/// Number of last rounds that are named.
const LAST_ROUNDS: usize = 10;

/// A pool as it is and as it would be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Number of rounds that were computed and count.
    pub rounds: usize,
    /// W: the window's scores are over at most that many of them, the last ones.
    pub window: u32,
    /// Scores of the stored predictions.
    pub is: Windowed<ModelScores>,
    /// Scores of the predictions as they would have been; `difference` is that log loss less the stored one.
    pub would_be: Windowed<ModelScores>,
    /// Ratings of the players who were computed.
    pub ratings: RatingComparison,
    /// The last rounds, up to ten, the last first.
    pub last_rounds: Vec<RoundOdds>,
}

/// The odds of a round, for team a.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoundOdds {
    /// Where it was played.
    pub server: ServerName,
    /// Its name there.
    pub round_id: RoundId,
    /// How it ended.
    pub winner: Winner,
    /// The odds that it was given.
    pub is: Probability,
    /// The odds that it would have been given.
    pub would_be: Probability,
}

/// Predictions of rounds that count, each with how the round ended.
#[derive(Debug, Default)]
pub(crate) struct PairedPredictions {
    pub(crate) is: Vec<(Probability, Score)>,
    /// Indexed as `is`.
    pub(crate) would_be: Vec<(Probability, Score)>,
}

impl Service {
    /// Computes a pool again from its log, as it would be by `alternative`, and compares it with what is stored. Changes
    /// nothing. Whether a rating is shown is by the constants that are `configured`; where the pool is not declared any
    /// more, by those of the last entry of its log.
    ///
    /// # Errors
    /// A log that cannot be replayed; for another model, a pool whose rounds are pruned; a rebuild or a prune that took
    /// effect meanwhile.
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
        let PairedPredictions { is, would_be } = &comparer.predictions;
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

    /// Compares the ratings of a pool with what they would be with `change` in its log. Changes nothing.
    ///
    /// # Errors
    /// As [`Service::compare`].
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
        // Somebody may be known by nothing but what is to be void.
        let players = change.players();
        let ratings = comparer.ratings(&mut tx, players, parameters).await?;
        Ok(moved_ratings(&mut tx, ratings).await?)
    }
}

/// A page of the log.
struct Page {
    /// The transaction that read the page.
    tx: Tx,
    pool: PoolRecord,
    entries: Vec<LogEntry>,
    /// Stored odds of the rounds in `entries`, and of a few rounds behind them, each with the round's place in the log.
    odds: Vec<(u64, Probability)>,
}

/// Computes a log as it would be, next to what it is.
pub(crate) struct Comparer {
    store: Store,
    /// The pool as the computation began.
    pool: PoolRecord,
    replay: Replay,
    /// The replay without any start where the season takes the place of one; `None` where the stored results are the
    /// baseline.
    baseline: Option<Replay>,
    /// The season, until it has started.
    season: Option<AssumedSeason>,
    pub(crate) predictions: PairedPredictions,
    last_rounds: VecDeque<(LoggedRound, Probability, Probability)>,
    last_settings: Option<SettingsId>,
}

impl Comparer {
    /// Begins in front of the first place of the log that `alternative` concerns.
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
        if let Some(SeasonStart::LastStart { position, .. }) =
            season.as_ref().map(|season| season.place)
        {
            let mut without = alternative.open(&mut tx, &pool).await?;
            for replay in [&mut replay, &mut without] {
                replay.assume(position, Assumed::Undone);
            }
            baseline = Some(without);
        }
        Ok(Self {
            store,
            pool,
            replay,
            baseline,
            season,
            predictions: PairedPredictions::default(),
            last_rounds: VecDeque::new(),
            last_settings: None,
        })
    }

    /// Computes the log up to its end, or until so many `rounds` behind the start of the season are compared. Answers
    /// the transaction that saw its end.
    pub(crate) async fn run(
        &mut self,
        rounds: usize,
        watch: Watch<'_>,
    ) -> Result<Tx, ServiceError> {
        let mut next = self.read_behind(self.replay.position);
        loop {
            let Page {
                mut tx,
                pool,
                entries,
                odds,
            } = next.await.map_err(ServiceError::internal)??;
            let Some(last) = entries.last().map(LogEntry::position) else {
                self.pool = pool;
                return Ok(tx);
            };
            next = self.read_behind(last);
            self.replay.prepare(&mut tx, pool.id, &entries).await?;
            self.replay.forget_loaded();
            if let Some(baseline) = &mut self.baseline {
                baseline.prepare(&mut tx, pool.id, &entries).await?;
            }
            let mut stored = odds.into_iter();
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
                let is = match other {
                    Some(other) => other.rated.result.win_probability,
                    None => {
                        let (_, odds) = stored.find(|(place, _)| *place == position).ok_or(
                            StoreError::Corrupt {
                                table: "results",
                                column: "position",
                            },
                        )?;
                        odds
                    }
                };
                if self.season.is_none() {
                    self.compare(applied, is);
                    if self.predictions.is.len() >= rounds {
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

    /// Reads a page of the log, and the odds of its rounds, while the page before is computed.
    fn read_behind(&self, position: u64) -> AbortOnDropHandle<Result<Page, ServiceError>> {
        let (store, began) = (self.store.clone(), self.pool.clone());
        AbortOnDropHandle::new(tokio::spawn(async move {
            let mut tx = store.begin_read().await?;
            let pool = tx.pool(began.id).await?;
            // A rebuild replaces, and a prune deletes, rows that the computation still has to read.
            if pool.generation != began.generation || pool.pruned != began.pruned {
                return Err(ServiceError::RebuildUnderWay(pool.name));
            }
            Ok(Page {
                entries: log_page(&mut tx, pool.id, position, PAGE).await?,
                odds: tx.odds_after(pool.id, position, PAGE).await?,
                tx,
                pool,
            })
        }))
    }

    /// Starts the season where the log has come to its place.
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
            self.predictions.is.push((is, score));
            self.predictions.would_be.push((would_be, score));
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

    /// Compares the ratings, at the end of the log, of the players who were computed and of `others`, each shown by the
    /// constants of `now` or `then`.
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
        let ids: BTreeSet<PlayerId> = engine.ids().chain(others).collect();
        let ids: Vec<PlayerId> = ids.into_iter().collect();
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
