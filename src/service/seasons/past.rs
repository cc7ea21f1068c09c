//! Past season starts of a pool, and the ratings to which they led.

use std::collections::HashMap;

use super::{Season, seasons};
use crate::api::{SeasonAnswer, SeasonsAnswer};
use crate::domain::{Rating, Share, Timestamp};
use crate::rating::{Parameters, carried_over};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Change, PoolId, SettingsId, StoreError, Tx, corrupt};

/// Season starts of a pool that are not undone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Starts(Vec<Start>);

#[derive(Clone, Debug)]
struct Start {
    position: u64,
    at: Timestamp,
    keep: Share,
    /// Rating constants in force at the season start.
    parameters: Parameters,
}

impl Starts {
    pub(crate) async fn of(tx: &mut Tx, pool: PoolId) -> Result<Self, StoreError> {
        let starts = tx.season_starts(pool).await?;
        if starts.is_empty() {
            return Ok(Self::default());
        }
        let settings: HashMap<SettingsId, Parameters> = tx.settings().await?.into_iter().collect();
        let start = |start: &Change| {
            let parameters = settings
                .get(&start.settings)
                .cloned()
                .ok_or_else(|| corrupt("changes", "settings_id"))?;
            Ok::<_, StoreError>(start.season().map(|season| Start {
                position: start.position,
                at: start.made_at,
                keep: season.keep,
                parameters,
            }))
        };
        let starts: Result<Vec<_>, _> = starts.iter().map(start).collect();
        Ok(Self(starts?.into_iter().flatten().collect()))
    }

    /// Returns `true` if the predicate `counts` accepts the log position and time of every season start of the pool.
    pub(crate) fn all(&self, counts: impl Fn(u64, Timestamp) -> bool) -> bool {
        let mut starts = self.0.iter();
        starts.all(|start| counts(start.position, start.at))
    }

    /// Returns a player's rating after the season starts behind log position `since` that the predicate `counts`
    /// accepts. Computes it from the player's rating at `since`.
    pub(crate) fn after(
        &self,
        (since, rating): (u64, Rating),
        counts: impl Fn(u64, Timestamp) -> bool,
    ) -> Rating {
        let starts = self.0.iter();
        let later =
            starts.filter(|start| start.position > since && counts(start.position, start.at));
        later.fold(rating, |rating, start| {
            carried_over(rating, start.keep, &start.parameters)
        })
    }

    /// Returns the season starts between the log positions `since` and `until`: the position and time of each start,
    /// and a player's rating after it, computed from the player's rating at `since`.
    pub(crate) fn between(
        &self,
        (since, mut rating): (u64, Rating),
        until: u64,
    ) -> Vec<(u64, Timestamp, Rating)> {
        let starts = self
            .0
            .iter()
            .filter(|start| since < start.position && start.position < until);
        let start = |start: &Start| {
            rating = carried_over(rating, start.keep, &start.parameters);
            (start.position, start.at, rating)
        };
        starts.map(start).collect()
    }
}

impl Service {
    /// Returns the seasons of `pool`, latest first.
    pub async fn list_seasons(&self, pool: &Pool) -> Result<SeasonsAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let seasons = seasons(&tx.season_starts(pool.id).await?);
        let counts: HashMap<u64, (u64, u64)> = tx
            .season_counts(pool.id)
            .await?
            .into_iter()
            .map(|(position, played, ranked)| (position, (played, ranked)))
            .collect();
        let answers = seasons.into_iter().rev().map(|season| {
            let end = season.end.as_ref();
            let counted = end.map(|end| counts.get(&end.position).copied().unwrap_or_default());
            answer(season, counted)
        });
        Ok(SeasonsAnswer {
            pool: pool.name.clone(),
            seasons: answers.collect(),
        })
    }
}

/// Converts a season into an answer of the API. `counted` is the number of players and of ranked players at its end.
fn answer(season: Season, counted: Option<(u64, u64)>) -> SeasonAnswer {
    let (players, ranked) = counted.unzip();
    let name = season.name().cloned();
    let ended_at = season.end.map(|end| end.made_at);
    let start = season.start;
    let what = start.as_ref().and_then(Change::season);
    SeasonAnswer {
        number: season.number,
        name,
        keep: what.map(|what| what.keep),
        calibration: what.map(|what| what.calibration),
        started_at: start.as_ref().map(|start| start.made_at),
        ended_at,
        players,
        ranked,
        reason: start.as_ref().and_then(|start| start.reason.clone()),
        change_id: start.map(|start| start.change_id),
    }
}
