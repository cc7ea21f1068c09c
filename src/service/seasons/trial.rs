//! What the start of a season would do.

use std::cmp::Reverse;

use serde::Serialize;

use crate::config::Overrides;
use crate::domain::{Probability, Progress, Rating, Score, SeasonStart, Side, Timestamp};
use crate::rating::{PairedDifference, Parameters, carried_over};
use crate::service::replay::Replay;
use crate::service::replay::marks::Supposed;
use crate::service::replay::rebuild::Watch;
use crate::service::{Pool, RatingChange, Service, ServiceError};
use crate::store::{LogEntry, PoolId, PoolRecord, Tx};

/// How much is read at a time.
const PAGE: u32 = 1_000;
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
    pub predictions: Option<PredictionTrial>,
}

/// The predictions of some rounds as they were, and as they would have been.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictionTrial {
    /// When the season would have started.
    pub started_at: Timestamp,
    /// The rounds behind that.
    pub rounds: u64,
    /// Their mean log loss, in nats, as they were predicted.
    pub log_loss: f64,
    /// The same with the season.
    pub log_loss_with: f64,
    /// How much lower it would have been: below 0 where it would have been higher.
    pub gain: f64,
    /// The standard error of that; `None` of a single round.
    pub standard_error: Option<f64>,
}

impl Service {
    /// What `start` would do to `pool` now, and what it would have done to the predictions of up to `rounds` rounds had it
    /// been `since` then. Without a moment it takes the place of the last start of a season, and is compared with none
    /// there, or else it is tried 90 days before the last round. Changes nothing.
    ///
    /// # Errors
    /// A pool whose rounds are pruned; a log that cannot be replayed.
    pub async fn try_season(
        &self,
        pool: &Pool,
        start: &SeasonStart,
        (since, rounds): (Option<Timestamp>, u64),
        watch: Watch<'_>,
    ) -> Result<SeasonTrial, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        if record.pruned > 0 {
            return Err(ServiceError::PrunedPool(record.name));
        }
        let mut trial = ratings(&mut tx, pool, start).await?;
        let place = match since {
            Some(since) => Some(Place::At(since)),
            None => usual_place(&mut tx, pool.id, record.log_length).await?,
        };
        if let Some(place) = place {
            let tried = Tried {
                with: replay(&mut tx, &record, place).await?,
                without: match place {
                    Place::At(_) => None,
                    Place::LastStart { .. } => Some(replay(&mut tx, &record, place).await?),
                },
                start,
                parameters: &pool.settings.parameters,
                place,
                rounds,
            };
            trial.predictions = tried.predictions(&mut tx, &record, watch).await?;
        }
        Ok(trial)
    }
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
async fn ratings(
    tx: &mut Tx,
    pool: &Pool,
    start: &SeasonStart,
) -> Result<SeasonTrial, ServiceError> {
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
                would_be: carried_over(player.rating, start.keep, parameters),
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
    start: &'trial SeasonStart,
    parameters: &'trial Parameters,
    place: Place,
    /// How many rounds behind it are compared.
    rounds: u64,
}

impl Tried<'_> {
    async fn predictions(
        mut self,
        tx: &mut Tx,
        pool: &PoolRecord,
        watch: Watch<'_>,
    ) -> Result<Option<PredictionTrial>, ServiceError> {
        let mut was: Vec<(Probability, Score)> = Vec::new();
        let mut with: Vec<(Probability, Score)> = Vec::new();
        let mut has_begun = false;
        'log: loop {
            let behind = self.with.position;
            let page = self.with.next_page(tx, pool.id, PAGE).await?;
            if page.is_empty() {
                break;
            }
            if let Some(without) = &mut self.without {
                without.prepare(tx, pool.id, &page).await?;
            }
            let stored = tx.results_after(pool.id, behind, PAGE).await?;
            for entry in page {
                if !has_begun && self.place.is_reached(&entry) {
                    has_begun = true;
                    let place = self.with.position;
                    self.with.begin_season(place, self.start, self.parameters)?;
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
        Ok(Some(PredictionTrial {
            started_at: self.place.moment(),
            rounds: with.len() as u64,
            log_loss: mean(&was),
            log_loss_with: mean(&with),
            gain: difference.mean,
            standard_error: difference.standard_error,
        }))
    }
}
