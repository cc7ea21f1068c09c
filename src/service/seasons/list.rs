use std::collections::HashMap;

use super::{Season, seasons};
use crate::api::{SeasonAnswer, SeasonsAnswer};
use crate::service::{Pool, Service, ServiceError};
use crate::store::Change;

impl Service {
    /// The seasons of `pool`, the latest first.
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

/// The season, with how many played in it and had a rank at its end.
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
