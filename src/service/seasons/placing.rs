//! Placement of players in a season, by their number of rounds in the season. A rank requires a placement.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::domain::{PlayerId, SeasonStart};
use crate::rating::PlayerState;
use crate::store::{Change, PoolId, SeasonStanding, StoreError, Tx};

/// Facts about the start of a season on which the placement of its players depends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placing {
    /// Number of rounds that a player needs in the season to be placed. 0 before the first season start.
    calibration: u32,
    /// Number of rated rounds that each player had before the season.
    entries: HashMap<PlayerId, u64>,
}

impl Placing {
    /// Reads the facts about the current season for these players.
    pub(crate) async fn of(
        tx: &mut Tx,
        pool: PoolId,
        players: &[PlayerId],
    ) -> Result<Self, StoreError> {
        let starts = tx.season_starts(pool).await?;
        let Some((start, season)) = start_of(starts.last()) else {
            return Ok(Self::default());
        };
        let standings = tx.season_standings_of(pool, players).await?;
        let current = standings
            .iter()
            .filter(|(position, _)| *position == start.position);
        Ok(Self::since(season, current.map(|(_, one)| one)))
    }

    /// Reads the facts about the season that ended at log position `position`. This season began at the preceding
    /// season start, or else at the beginning of the log.
    pub(crate) async fn at(tx: &mut Tx, pool: PoolId, position: u64) -> Result<Self, StoreError> {
        let starts = tx.season_starts(pool).await?;
        let before = starts.iter().rev().find(|start| start.position < position);
        let Some((start, season)) = start_of(before) else {
            return Ok(Self::default());
        };
        let standings = tx.season_standings(pool, start.position).await?;
        Ok(Self::since(season, standings.iter()))
    }

    /// Combines a season start with the standings of players at that moment.
    pub(crate) fn since<'all>(
        season: &SeasonStart,
        standings: impl Iterator<Item = &'all SeasonStanding>,
    ) -> Self {
        Self {
            calibration: season.calibration.get(),
            entries: standings.map(|one| (one.player, one.entries)).collect(),
        }
    }

    /// Returns the number of rounds until the player is placed in the season: 0 if placed, and before the first season.
    pub(crate) fn rounds_left(&self, player: &PlayerState) -> u32 {
        self.rounds_left_of(player.id, player.entries)
    }

    /// Returns the number of rounds until a player with `entries` rated rounds in total is placed in the season.
    pub(crate) fn rounds_left_of(&self, player: PlayerId, entries: u64) -> u32 {
        let rounds = self.season_rounds(player, entries);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        self.calibration.saturating_sub(rounds)
    }

    fn season_rounds(&self, player: PlayerId, entries: u64) -> u64 {
        let before = self.entries.get(&player).copied().unwrap_or_default();
        entries.saturating_sub(before)
    }

    /// Returns the standings at the end of the season, ordered by player, with rounds of the season and ranks. A player
    /// has a rank if the rating is shown and the player has enough rounds in the season, at least one.
    pub(crate) fn ranked(
        &self,
        mut standings: Vec<SeasonStanding>,
        shadow_rounds: u32,
    ) -> Vec<SeasonStanding> {
        for one in &mut standings {
            one.season_rounds = self.season_rounds(one.player, one.entries);
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

fn start_of(change: Option<&Change>) -> Option<(&Change, &SeasonStart)> {
    change.and_then(|change| Some((change, change.season()?)))
}
