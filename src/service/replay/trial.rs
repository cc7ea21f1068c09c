//! What a pool would be if it were rated by another model.

use std::collections::VecDeque;

use serde::Serialize;

use super::rebuild::Watch;
use super::{Replay, settings_of};
use crate::config::Overrides;
use crate::domain::{PlayerId, Probability, Progress, Rating, RoundId, ServerName, Winner};
use crate::rating::{ModelName, Parameters, PredictionTotals, Scores, rank_correlation};
use crate::service::{Service, ServiceError};
use crate::store::{LogEntry, PoolRecord, StoreError, Tx};

/// How much is read at a time.
const PAGE: u32 = 1_000;
/// How many of the largest changes are named, and how many of the last rounds.
const NAMED: usize = 10;

/// A pool as it is and as it would be by another model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTrial {
    /// What it is rated by.
    pub present: ModelName,
    /// What it would be rated by.
    pub instead: ModelName,
    /// Rounds that count.
    pub rounds: u64,
    /// How good its predictions are, over all of them.
    pub present_scores: Scores,
    /// How good they would have been.
    pub instead_scores: Scores,
    /// Spearman's correlation of the two orders of the players who are shown, -1 to 1; `None` where there are none
    /// to compare.
    pub rank_correlation: Option<f64>,
    /// How many players are shown.
    pub players: u64,
    /// Those of them whose ratings would change most.
    pub changes: Vec<RatingChange>,
    /// The last rounds, the last first.
    pub last_rounds: Vec<RoundOdds>,
}

/// A player's rating as it is and as it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RatingChange {
    /// Who.
    pub id: PlayerId,
    /// The rating now.
    pub is: Rating,
    /// The rating by the other model.
    pub would_be: Rating,
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
    /// The odds by the other model.
    pub would_be: Probability,
}

impl Service {
    /// Computes a pool again from its log as it would be by the model `to`. Changes nothing. Whether a player is
    /// shown is by the constants that are `configured`; where the pool is not declared any more, by those of the
    /// last entry of its log.
    ///
    /// # Errors
    /// A log that cannot be replayed, or whose rounds are pruned.
    pub async fn try_model(
        &self,
        pool: &PoolRecord,
        to: ModelName,
        configured: Option<&Parameters>,
        watch: Watch<'_>,
    ) -> Result<ModelTrial, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pool = tx.pool(pool.id).await?;
        if pool.pruned > 0 {
            return Err(ServiceError::PrunedPool(pool.name));
        }
        let other = PoolRecord {
            model: to,
            ..pool.clone()
        };
        let mut replay =
            Replay::open_behind_pruned(&mut tx, &other, Overrides::default(), None).await?;
        let mut latest = VecDeque::new();
        let mut settings = None;
        loop {
            let page = replay.next_page(&mut tx, pool.id, PAGE).await?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                settings = Some(settings_of(&entry));
                if let LogEntry::Round(_) = &entry
                    && latest.len() == NAMED
                {
                    latest.pop_front();
                }
                latest.extend(replay.apply(entry)?);
            }
            watch(Progress {
                done: replay.position,
                total: pool.log_length,
            });
        }
        let parameters = match (configured, settings) {
            (Some(configured), _) => configured.clone(),
            (None, Some(last)) => replay.settings.get(&last).cloned().unwrap_or_default(),
            (None, None) => Parameters::default(),
        };
        let places: Vec<u64> = latest.iter().map(|round| round.round.position).collect();
        let recorded = tx.rounds_at(pool.id, &places).await?;
        let last_rounds = latest
            .iter()
            .rev()
            .filter_map(|applied| {
                let place = applied.round.position;
                let stored = recorded
                    .iter()
                    .find(|stored| stored.logged.position == place)?;
                let parts = applied.round.round.parts();
                Some(RoundOdds {
                    server: parts.server.clone(),
                    round_id: parts.round_id.clone(),
                    winner: parts.winner,
                    is: stored.result.win_probability,
                    would_be: applied.rated.result.win_probability,
                })
            })
            .collect();
        let mut changes = compare_players(&mut tx, &pool, &replay, &parameters).await?;
        let pairs = changes
            .iter()
            .map(|change| (change.is.points(), change.would_be.points()));
        let rank_correlation = rank_correlation(&pairs.collect::<Vec<_>>());
        let players = changes.len() as u64;
        changes.sort_by_key(|change| {
            let by = change.would_be.points().abs_diff(change.is.points());
            (std::cmp::Reverse(by), change.id)
        });
        changes.truncate(NAMED);
        let scores = |sums: &PredictionTotals| sums.scores();
        Ok(ModelTrial {
            present: pool.model,
            instead: to,
            rounds: pool.sums.predictions.rounds,
            present_scores: scores(&pool.sums.predictions),
            instead_scores: scores(&replay.engine.sums().predictions),
            rank_correlation,
            players,
            changes,
            last_rounds,
        })
    }
}

/// The ratings of the players who are shown.
async fn compare_players(
    tx: &mut Tx,
    pool: &PoolRecord,
    replay: &Replay,
    parameters: &Parameters,
) -> Result<Vec<RatingChange>, ServiceError> {
    let model = pool
        .model
        .resume(&pool.model_state)
        .map_err(StoreError::from)?;
    let mut changes = Vec::new();
    let mut last = None;
    loop {
        let page = tx.players_after(pool.id, last, PAGE).await?;
        let Some(end) = page.last() else {
            return Ok(changes);
        };
        last = Some(end.id);
        for player in &page {
            let Some(computed) = replay.engine.known(player.id) else {
                continue;
            };
            if player.rounds < parameters.shadow_rounds {
                continue;
            }
            let is = model.shown(player.profile(), parameters);
            let would_be = replay.engine.model().shown(computed.profile(), parameters);
            changes.push(RatingChange {
                id: player.id,
                is: is.map_err(StoreError::from)?,
                would_be: would_be.map_err(StoreError::from)?,
            });
        }
    }
}
