//! What the start of a season would do.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use crate::api::{PredictionTrialAnswer, SeasonTrialAnswer, TriedRatingAnswer};
use crate::config::Overrides;
use crate::domain::{Probability, Progress, Rating, Score, Share, Side, Timestamp};
use crate::rating::{PairedDifference, Parameters, carried_over};
use crate::service::players::names::Names;
use crate::service::replay::Replay;
use crate::service::replay::lease::with_batch_timeout;
use crate::service::replay::marks::Supposed;
use crate::service::replay::rebuild::Watch;
use crate::service::{Pool, RatingChange, Service, ServiceError};
use crate::store::{LogEntry, PoolId, PoolRecord, Store, Tx};

/// How much is read at a time.
const PAGE: u32 = 1_000;
/// How much of it is computed before others have their turn on the same thread.
const TURN: usize = 64;
/// How many rounds are compared where nothing else is asked for.
const ROUNDS: u64 = 500;
/// How many players are named.
const NAMED: usize = 10;
/// For how many days before the last round no season started, where it is tried then.
const DAYS: u32 = 90;

/// What the start of a season would do to a pool, and what one would have done to its predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct SeasonTrial {
    /// Players whose ratings would be others.
    pub moved: u64,
    /// Players whose ratings are shown.
    pub shown: u64,
    /// Those of them who would share the rating of another, and do not now.
    pub tied: u64,
    /// The highest-rated of those who are shown, by what they would be.
    pub highest: Vec<RatingChange>,
    /// What a start would have done to the predictions; `None` of a pool without rounds behind it.
    pub predictions: Option<PredictionTrialAnswer>,
}

impl Service {
    /// What a season that keeps so much would do to `pool` now, and what it would have done to the predictions of up to
    /// `rounds` rounds had it started `since` then. Without a moment it takes the place of the last start of a season, and
    /// is compared with none there, or else it is tried 90 days before the last round. Changes nothing.
    ///
    /// # Errors
    /// A pool whose rounds are pruned; a log that cannot be replayed; a rebuild that took effect meanwhile.
    pub async fn try_season(
        &self,
        pool: &Pool,
        keep: Share,
        which: (Option<Timestamp>, u64),
        watch: Watch<'_>,
    ) -> Result<SeasonTrial, ServiceError> {
        let mut trial = self.try_ratings(pool, keep).await?;
        trial.predictions = Box::pin(self.try_predictions(pool, keep, which, watch)).await?;
        Ok(trial)
    }

    /// The same of 500 rounds, without the predictions where they take longer to compute than `timeout`, or rounds are
    /// pruned.
    ///
    /// # Errors
    /// A log that cannot be replayed; a rebuild that took effect meanwhile.
    pub async fn try_season_within(
        &self,
        pool: &Pool,
        keep: Share,
        timeout: Duration,
    ) -> Result<SeasonTrialAnswer, ServiceError> {
        let began = Instant::now();
        let trial = self.try_ratings(pool, keep).await?;
        let timeout = timeout.saturating_sub(began.elapsed());
        let watch = &mut |_| ();
        let predicting = Box::pin(self.try_predictions(pool, keep, (None, ROUNDS), watch));
        let predictions = match tokio::time::timeout(timeout, predicting).await {
            Err(_) | Ok(Err(ServiceError::PrunedPool(_))) => None,
            Ok(predictions) => predictions?,
        };
        let mut tx = self.store.begin_read().await?;
        let players = trial.highest.iter().map(|change| change.id).collect();
        let names = Names::of(&mut tx, players).await?;
        let highest = trial.highest.iter().map(|change| TriedRatingAnswer {
            id: change.id,
            name: names.of_player(change.id),
            id_hidden: names.hides_id(change.id),
            rating: change.is,
            would_be: change.would_be,
        });
        Ok(SeasonTrialAnswer {
            pool: pool.name.clone(),
            keep,
            moved: trial.moved,
            shown: trial.shown,
            tied: trial.tied,
            highest: highest.collect(),
            predictions,
        })
    }

    async fn try_ratings(&self, pool: &Pool, keep: Share) -> Result<SeasonTrial, ServiceError> {
        let mut tx = with_batch_timeout(&self.store).begin_read().await?;
        ratings(&mut tx, pool, keep).await
    }

    async fn try_predictions(
        &self,
        pool: &Pool,
        keep: Share,
        (since, rounds): (Option<Timestamp>, u64),
        watch: Watch<'_>,
    ) -> Result<Option<PredictionTrialAnswer>, ServiceError> {
        let store = with_batch_timeout(&self.store);
        let mut tx = store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        check_log(&record, &record)?;
        let place = match since {
            Some(since) => Some(Place::At(since)),
            None => usual_place(&mut tx, pool.id, record.log_length).await?,
        };
        let Some(place) = place else { return Ok(None) };
        let tried = Tried {
            with: replay(&mut tx, &record, place).await?,
            without: match place {
                Place::At(_) => None,
                Place::LastStart { .. } => Some(replay(&mut tx, &record, place).await?),
            },
            keep,
            parameters: &pool.settings.parameters,
            place,
            rounds,
        };
        drop(tx);
        Box::pin(tried.predictions(store, &record, watch)).await
    }
}

/// That the log of `pool` is whole, and was not computed again since it was `before`.
fn check_log(pool: &PoolRecord, before: &PoolRecord) -> Result<(), ServiceError> {
    if pool.pruned > 0 {
        return Err(ServiceError::PrunedPool(pool.name.clone()));
    }
    if pool.generation != before.generation {
        return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
    }
    Ok(())
}

/// Where in the log a season is tried.
#[derive(Clone, Copy)]
enum Place {
    /// In front of the first round that ended at that moment or later.
    At(Timestamp),
    /// In place of the last start, which is at that place and was made then.
    LastStart { position: u64, at: Timestamp },
}

impl Place {
    fn moment(self) -> Timestamp {
        match self {
            Self::At(at) | Self::LastStart { at, .. } => at,
        }
    }

    /// Whether the season starts in front of that, if it has not yet.
    fn is_reached(self, entry: &LogEntry) -> bool {
        match (self, entry) {
            (Self::At(at), LogEntry::Round(round)) => round.round.ended_at() >= at,
            (Self::At(_), LogEntry::Change(_)) => false,
            (Self::LastStart { position, .. }, entry) => entry.position() >= position,
        }
    }
}

/// A replay of the log, in which the start that the season takes the place of is not made.
async fn replay(tx: &mut Tx, pool: &PoolRecord, place: Place) -> Result<Replay, ServiceError> {
    let overrides = Overrides::default();
    let mut replay = Replay::open_behind_pruned(tx, pool, overrides, None).await?;
    if let Place::LastStart { position, .. } = place {
        replay.suppose(position, Supposed::Undone);
    }
    Ok(replay)
}

/// The place of the last start of a season, or so many days before the last round; `None` without one.
async fn usual_place(
    tx: &mut Tx,
    pool: PoolId,
    log_length: u64,
) -> Result<Option<Place>, ServiceError> {
    let starts = tx.season_starts(pool).await?;
    if let Some(last) = starts.last() {
        return Ok(Some(Place::LastStart {
            position: last.position,
            at: last.made_at,
        }));
    }
    // Behind the last round nothing but changes may stand.
    let mut position = log_length;
    while position > 0 {
        let behind = position.saturating_sub(PAGE.into());
        let last = tx.rounds_after(pool, behind, PAGE).await?;
        if let Some(last) = last.last() {
            let at = last.round.ended_at().days_earlier(DAYS);
            return Ok(Some(Place::At(at)));
        }
        position = behind;
    }
    Ok(None)
}

/// What the start would do to the ratings.
async fn ratings(tx: &mut Tx, pool: &Pool, keep: Share) -> Result<SeasonTrial, ServiceError> {
    let parameters = &pool.settings.parameters;
    let (mut moved, mut last) = (0, None);
    let mut shown: Vec<RatingChange> = Vec::new();
    loop {
        let page = tx.players_after(pool.id, last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last = Some(end.id);
        for player in &page {
            let change = RatingChange {
                id: player.id,
                is: player.rating,
                would_be: carried_over(player.rating, keep, parameters),
            };
            moved += u64::from(change.is != change.would_be);
            if player.rounds >= parameters.shadow_rounds {
                shown.push(change);
            }
        }
    }
    shown.sort_unstable_by_key(|change| (Reverse(change.is), change.id));
    let shared = |rating: fn(&RatingChange) -> Rating| {
        let alike = shown.chunk_by(|one, other| rating(one) == rating(other));
        let alike = alike.filter(|alike| alike.len() > 1);
        alike.map(|alike| alike.len() as u64).sum::<u64>()
    };
    let tied = shared(|change| change.would_be).saturating_sub(shared(|change| change.is));
    let count = shown.len() as u64;
    shown.truncate(NAMED);
    Ok(SeasonTrial {
        moved,
        shown: count,
        tied,
        highest: shown,
        predictions: None,
    })
}

/// A replay with a season in it that is not in the log.
struct Tried<'trial> {
    with: Replay,
    /// The same without it, where the log has another in its place; otherwise the predictions as they are stored are
    /// those without it.
    without: Option<Replay>,
    keep: Share,
    parameters: &'trial Parameters,
    place: Place,
    /// How many rounds behind it are compared.
    rounds: u64,
}

impl Tried<'_> {
    async fn predictions(
        mut self,
        database: Store,
        pool: &PoolRecord,
        watch: Watch<'_>,
    ) -> Result<Option<PredictionTrialAnswer>, ServiceError> {
        let mut was: Vec<(Probability, Score)> = Vec::new();
        let mut with: Vec<(Probability, Score)> = Vec::new();
        let mut has_begun = false;
        'log: loop {
            let behind = self.with.position;
            let mut tx = database.begin_read().await?;
            check_log(&tx.pool(pool.id).await?, pool)?;
            let page = self.with.next_page(&mut tx, pool.id, PAGE).await?;
            if page.is_empty() {
                break;
            }
            if let Some(without) = &mut self.without {
                without.prepare(&mut tx, pool.id, &page).await?;
            }
            let stored = tx.results_after(pool.id, behind, PAGE).await?;
            drop(tx);
            for (number, entry) in page.into_iter().enumerate() {
                if number % TURN == 0 {
                    tokio::task::yield_now().await;
                }
                if !has_begun && self.place.is_reached(&entry) {
                    has_begun = true;
                    let place = self.with.position;
                    self.with.begin_season(place, self.keep, self.parameters)?;
                }
                let other = match &mut self.without {
                    Some(without) => without.apply(entry.clone())?,
                    None => None,
                };
                let Some(applied) = self.with.apply(entry)? else {
                    continue;
                };
                let position = applied.round.position;
                let result = match &other {
                    Some(other) => Some(&other.rated.result),
                    None => stored.iter().find(|stored| stored.position == position),
                };
                if has_begun
                    && applied.round.voided_at.is_none()
                    && let Some(result) = result
                {
                    let score = applied.round.round.parts().winner.score(Side::A);
                    was.push((result.win_probability, score));
                    with.push((applied.rated.result.win_probability, score));
                    if with.len() as u64 >= self.rounds {
                        break 'log;
                    }
                }
            }
            watch(Progress {
                done: self.with.position,
                total: pool.log_length,
            });
        }
        let Some(difference) = PairedDifference::between(&was, &with) else {
            return Ok(None);
        };
        let mean = |predicted: &[(Probability, Score)]| {
            let scores = crate::rating::ModelScores::of(predicted).scores;
            scores.log_loss.unwrap_or_default()
        };
        Ok(Some(PredictionTrialAnswer {
            started_at: self.place.moment(),
            rounds: with.len() as u64,
            log_loss: mean(&was),
            log_loss_with: mean(&with),
            gain: difference.mean,
            standard_error: difference.standard_error,
        }))
    }
}
