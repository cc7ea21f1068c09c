//! Trial of a season start: its effects, computed without changing anything.

use std::time::{Duration, Instant};

use crate::api::{PredictionTrialAnswer, SeasonTrialAnswer};
use crate::domain::{Share, Timestamp};
use crate::rating::{ModelScores, MovedRating, RatingComparison, carried_over};
use crate::service::players::names::moved_ratings;
use crate::service::replay::alternative::{Alternative, AssumedSeason, SeasonStart};
use crate::service::replay::comparison::Comparer;
use crate::service::replay::rebuild::Watch;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{PoolId, Tx};

/// Number of players or log entries that a trial of a season start reads at once.
const PAGE: u32 = 1_000;
/// Number of days before the last round at which a trial puts a season start, for a pool without season starts.
const DAYS: u32 = 90;

impl Service {
    /// Returns the ratings that a season start would give the players of `pool` now, and the effect that a start in the
    /// past would have had on predictions. Changes nothing.
    ///
    /// `keep` is the share of the distance to the initial rating that ratings keep. The past start is at `since`, and
    /// affects the predictions of up to `rounds` rounds. If `since` is `None`, the past start replaces the last season
    /// start, and is compared with no start at that place. A pool without season starts tries one 90 days before its
    /// last round. The predictions are missing if their computation takes longer than `timeout`, or if rounds are
    /// pruned.
    pub async fn try_season(
        &self,
        pool: &Pool,
        keep: Share,
        (since, rounds): (Option<Timestamp>, usize),
        timeout: Duration,
        watch: Watch<'_>,
    ) -> Result<SeasonTrialAnswer, ServiceError> {
        let began = Instant::now();
        let mut tx = self.store.begin_read().await?;
        let ratings = carried_ratings(&mut tx, pool, keep).await?;
        let moved = moved_ratings(&mut tx, ratings).await?;
        let place = match since {
            Some(at) => Some(SeasonStart { at, replaced: None }),
            None => usual_place(&mut tx, pool.id).await?,
        };
        drop(tx);
        let mut predictions = None;
        if let Some(place) = place {
            let trying = Box::pin(self.try_predictions(pool, keep, (place, rounds), watch));
            let timeout = timeout.saturating_sub(began.elapsed());
            predictions = match tokio::time::timeout(timeout, trying).await {
                Err(_) | Ok(Err(ServiceError::PrunedPool(_))) => None,
                Ok(predictions) => predictions?,
            };
        }
        Ok(SeasonTrialAnswer {
            pool: pool.name.clone(),
            keep,
            moved,
            predictions,
        })
    }

    async fn try_predictions(
        &self,
        pool: &Pool,
        keep: Share,
        (place, rounds): (SeasonStart, usize),
        watch: Watch<'_>,
    ) -> Result<Option<PredictionTrialAnswer>, ServiceError> {
        let alternative = Alternative {
            season: Some(AssumedSeason {
                place,
                keep,
                parameters: pool.settings.parameters.clone(),
            }),
            ..Alternative::default()
        };
        let mut comparer = Comparer::open(&self.store, pool.id, &alternative).await?;
        comparer.run(rounds, watch).await?;
        let without = ModelScores::of(&comparer.is, None);
        let with = ModelScores::of(&comparer.would_be, Some(&comparer.is));
        let (Some(log_loss), Some(log_loss_with), Some(difference)) =
            (without.log_loss, with.log_loss, with.difference)
        else {
            return Ok(None);
        };
        Ok(Some(PredictionTrialAnswer {
            started_at: place.at,
            rounds: comparer.is.len() as u64,
            log_loss,
            log_loss_with,
            gain: 0.0 - difference.mean,
            standard_error: difference.standard_error,
        }))
    }
}

/// Returns the default moment for the trial of a season start: that of the last season start or, without one, [`DAYS`]
/// days before the last round. Returns `None` for a pool without rounds.
async fn usual_place(tx: &mut Tx, pool: PoolId) -> Result<Option<SeasonStart>, ServiceError> {
    let starts = tx.season_starts(pool).await?;
    if let Some(last) = starts.last() {
        return Ok(Some(SeasonStart {
            at: last.made_at,
            replaced: Some(last.position),
        }));
    }
    // The end of the log may contain only changes.
    let mut position = tx.pool(pool).await?.log_length;
    while position > 0 {
        let behind = position.saturating_sub(PAGE.into());
        let last = tx.rounds_after(pool, behind, PAGE).await?;
        if let Some(last) = last.last() {
            let at = last.round.ended_at().days_earlier(DAYS);
            return Ok(Some(SeasonStart { at, replaced: None }));
        }
        position = behind;
    }
    Ok(None)
}

/// Returns the ratings of all players before and after a season start that happens now.
async fn carried_ratings(
    tx: &mut Tx,
    pool: &Pool,
    keep: Share,
) -> Result<RatingComparison, ServiceError> {
    let parameters = &pool.settings.parameters;
    let mut ratings = Vec::new();
    let mut last = None;
    loop {
        let page = tx.players_after(pool.id, last, PAGE).await?;
        let Some(end) = page.last() else {
            return Ok(RatingComparison::of(ratings));
        };
        last = Some(end.id);
        ratings.extend(page.iter().map(|player| {
            let change = MovedRating {
                id: player.id,
                is: player.rating,
                would_be: carried_over(player.rating, keep, parameters),
            };
            (change, player.rounds >= parameters.shadow_rounds)
        }));
    }
}
