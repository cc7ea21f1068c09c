//! Seasons in a pool's log: every rating changes, and who everybody was is kept.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::Replay;
use super::player::in_new_season;
use crate::domain::{PlayerId, SeasonStart, Share};
use crate::rating::Parameters;
use crate::store::{Change, PlayerRecord, PoolId, SeasonStanding, StoreError, Tx};

/// A season that ended in a replay, as another started.
#[derive(Clone, Debug)]
pub(crate) struct EndedSeason {
    /// The place in the log.
    pub(crate) position: u64,
    /// What everybody kept.
    pub(crate) keep: Share,
    /// From how many rounds since a reset on a rating was shown.
    pub(crate) shadow_rounds: u32,
    /// Those who were computed, without ranks and rounds in the season.
    pub(crate) players: Vec<SeasonStanding>,
}

/// Who a player was as a season ended, without a rank and rounds in the season.
pub(crate) fn standing_of(player: &PlayerRecord) -> SeasonStanding {
    SeasonStanding {
        player: player.id,
        rank: None,
        rating: player.rating,
        rounds: player.rounds,
        season_rounds: 0,
        entries: player.entries,
    }
}

impl Replay {
    /// Starts a season at the place `position`: of everybody who is held.
    pub(crate) fn begin_season(
        &mut self,
        position: u64,
        season: &SeasonStart,
        parameters: &Parameters,
    ) -> Result<(), StoreError> {
        let mut players = Vec::with_capacity(self.projection.len());
        self.projection.change_all(|model, player| {
            players.push(standing_of(player));
            in_new_season(model, player, season.keep, parameters)
        })?;
        self.ended_seasons.push(EndedSeason {
            position,
            keep: season.keep,
            shadow_rounds: parameters.shadow_rounds,
            players,
        });
        Ok(())
    }
}

/// The season that ended at a place of the log, by what the log has of it: how many rounds it took to be placed, and
/// how many rounds everybody had had as it started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ended {
    /// Rounds of the season that it took to be placed.
    calibration: u32,
    /// Rounds ever, of those who were there.
    entries: HashMap<PlayerId, u64>,
}

impl Ended {
    /// The season of the pool that ended at the place `position`: from the last start before it on, or from the
    /// beginning of the log.
    pub(crate) async fn at(tx: &mut Tx, pool: PoolId, position: u64) -> Result<Self, StoreError> {
        let starts = tx.season_starts(pool).await?;
        let before = starts.iter().rev().find(|start| start.position < position);
        let Some((start, season)) = before.and_then(|start| Some((start, start.season()?))) else {
            return Ok(Self::default());
        };
        let standings = tx.season_standings(pool, start.position).await?;
        Ok(Self::of(season, &standings))
    }

    /// That which started so, with those who were there.
    fn of(season: &SeasonStart, standings: &[SeasonStanding]) -> Self {
        let entries = standings.iter().map(|one| (one.player, one.entries));
        Self {
            calibration: season.calibration.get(),
            entries: entries.collect(),
        }
    }

    /// The standings at its end, by player, with rounds in the season and ranks. A rank has whose rating is shown and
    /// who was placed: by at least one round.
    pub(crate) fn ranked(
        &self,
        mut standings: Vec<SeasonStanding>,
        shadow_rounds: u32,
    ) -> Vec<SeasonStanding> {
        for one in &mut standings {
            let before = self.entries.get(&one.player).copied().unwrap_or_default();
            one.season_rounds = one.entries.saturating_sub(before);
            one.rank = None;
        }
        standings.sort_unstable_by_key(|one| (Reverse(one.rating), one.player));
        let least = u64::from(self.calibration).max(1);
        let placed = standings
            .iter_mut()
            .filter(|one| one.rounds >= shadow_rounds && one.season_rounds >= least);
        let mut before = None;
        for (place, one) in (1..).zip(placed) {
            let rank = match before {
                Some((rating, rank)) if rating == one.rating => rank,
                _ => place,
            };
            before = Some((one.rating, rank));
            one.rank = Some(rank);
        }
        standings.sort_unstable_by_key(|one| one.player);
        standings
    }
}

/// The standings that the log gives at the end of each of those seasons, in the order of the log: those that are
/// stored, with those in place of them who were computed. Of everybody else only the rank may be another: nothing but
/// what is pruned concerned them.
pub(crate) async fn standings_given(
    tx: &mut Tx,
    pool: PoolId,
    (ended, is_whole_log): (Vec<EndedSeason>, bool),
) -> Result<Vec<(u64, Vec<SeasonStanding>)>, StoreError> {
    let starts = tx.season_starts(pool).await?;
    let mut given: Vec<(u64, Vec<SeasonStanding>)> = Vec::with_capacity(ended.len());
    for season in ended {
        let mut standings = BTreeMap::new();
        if !is_whole_log {
            let stored = tx.season_standings(pool, season.position).await?;
            standings.extend(stored.into_iter().map(|one| (one.player, one)));
        }
        standings.extend(season.players.into_iter().map(|one| (one.player, one)));
        let before = match given.last() {
            None => Ended::at(tx, pool, season.position).await?,
            Some((position, before)) => {
                let start = starts.iter().find(|start| start.position == *position);
                let started = start.and_then(Change::season);
                started
                    .map(|start| Ended::of(start, before))
                    .unwrap_or_default()
            }
        };
        let standings = standings.into_values().collect();
        given.push((
            season.position,
            before.ranked(standings, season.shadow_rounds),
        ));
    }
    Ok(given)
}

/// Writes the standings at places of the log in place of those that are stored there.
pub(crate) async fn write_standings(
    tx: &mut Tx,
    pool: PoolId,
    given: &[(u64, Vec<SeasonStanding>)],
) -> Result<(), StoreError> {
    /// As many rows as one statement writes.
    const ROWS: usize = 5_000;
    for (position, standings) in given {
        tx.delete_season_standings(pool, *position).await?;
        for some in standings.chunks(ROWS) {
            tx.save_season_standings(pool, *position, some).await?;
        }
    }
    Ok(())
}
