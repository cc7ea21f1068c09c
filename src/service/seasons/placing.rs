//! Placement of players in the current season.

use std::collections::HashMap;

use crate::domain::PlayerId;
use crate::rating::PlayerState;
use crate::store::{PoolId, StoreError, Tx};

/// Number of rounds that players still need to be placed in the current season.
#[derive(Debug, Default)]
pub(crate) struct Placing {
    /// Number of rounds needed to be placed. 0 before the first season start.
    calibration: u32,
    /// Number of rounds that each player had before the season.
    entries: HashMap<PlayerId, u64>,
}

impl Placing {
    pub(crate) async fn of(
        tx: &mut Tx,
        pool: PoolId,
        players: &[PlayerId],
    ) -> Result<Self, StoreError> {
        let starts = tx.season_starts(pool).await?;
        let Some((start, season)) = starts.last().and_then(|last| Some((last, last.season()?)))
        else {
            return Ok(Self::default());
        };
        let standings = tx
            .season_standings_of(pool, players)
            .await?
            .into_iter()
            .filter(|(position, _)| *position == start.position);
        Ok(Self {
            calibration: season.calibration.get(),
            entries: standings
                .map(|(_, one)| (one.player, one.entries))
                .collect(),
        })
    }

    /// Returns the number of rounds that the player still needs: 0 if placed, and before the first season start.
    pub(crate) fn rounds_left(&self, player: &PlayerState) -> u32 {
        self.rounds_left_of(player.id, player.entries)
    }

    /// Like [`Self::rounds_left`], for a player with `entries` rated rounds in total.
    pub(crate) fn rounds_left_of(&self, player: PlayerId, entries: u64) -> u32 {
        let before = self.entries.get(&player).copied().unwrap_or_default();
        let rounds = entries.saturating_sub(before);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        self.calibration.saturating_sub(rounds)
    }
}
