//! What the start of a season would do.

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

/// How much is read at a time.
const PAGE: u32 = 1_000;
/// For how many days before the last round no season started, where it is tried then.
const DAYS: u32 = 90;

impl Service {
    /// What a season that keeps so much would do to `pool` now, and what it would have done to the predictions of up to
    /// `rounds` rounds had it started `since` then. Without a moment it takes the place of the last start of a season, and
    /// is compared with none there, or else it is tried 90 days before the last round. Changes nothing. The predictions are
    /// missing where they take longer to compute than `timeout`, and where rounds are pruned.
    ///
    /// # Errors
    /// A log that cannot be replayed; a rebuild that took effect meanwhile.
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
            Some(since) => Some(SeasonStart::At(since)),
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
        let predictions = &comparer.predictions;
        let without = ModelScores::of(&predictions.is, None);
        let with = ModelScores::of(&predictions.would_be, Some(&predictions.is));
        let (Some(log_loss), Some(log_loss_with), Some(difference)) =
            (without.log_loss, with.log_loss, with.difference)
        else {
            return Ok(None);
        };
        Ok(Some(PredictionTrialAnswer {
            started_at: place.moment(),
            rounds: predictions.is.len() as u64,
            log_loss,
            log_loss_with,
            gain: 0.0 - difference.mean,
            standard_error: difference.standard_error,
        }))
    }
}

/// The place of the last start of a season, or so many days before the last round; `None` without one.
async fn usual_place(tx: &mut Tx, pool: PoolId) -> Result<Option<SeasonStart>, ServiceError> {
    let starts = tx.season_starts(pool).await?;
    if let Some(last) = starts.last() {
        return Ok(Some(SeasonStart::LastStart {
            position: last.position,
            at: last.made_at,
        }));
    }
    // Behind the last round nothing but changes may stand.
    let mut position = tx.pool(pool).await?.log_length;
    while position > 0 {
        let behind = position.saturating_sub(PAGE.into());
        let last = tx.rounds_after(pool, behind, PAGE).await?;
        if let Some(last) = last.last() {
            let at = last.round.ended_at().days_earlier(DAYS);
            return Ok(Some(SeasonStart::At(at)));
        }
        position = behind;
    }
    Ok(None)
}

/// The ratings of all players, and what a season that starts now would make of them.
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
