//! Number of rounds that players must still play in the current season until they are placed, which a rank requires.

use std::collections::HashMap;

use crate::domain::PlayerId;
use crate::rating::PlayerState;
use crate::store::{PoolId, StoreError, Tx};

/// Number of rounds that players still need in the current season to be placed.
#[derive(Debug, Default)]
pub(crate) struct Placing {
    /// Number of rounds that a player needs in the season to be placed. 0 before the first season start.
    calibration: u32,
    /// Number of rated rounds that each player had before the season.
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

    /// Returns the number of rounds until the player is placed in the season: 0 if placed, and before the first season.
    pub(crate) fn rounds_left(&self, player: &PlayerState) -> u32 {
        self.rounds_left_of(player.id, player.entries)
    }

    /// Returns the number of rounds until a player with `entries` rated rounds in total is placed in the season.
    pub(crate) fn rounds_left_of(&self, player: PlayerId, entries: u64) -> u32 {
        let before = self.entries.get(&player).copied().unwrap_or_default();
        let rounds = entries.saturating_sub(before);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        self.calibration.saturating_sub(rounds)
    }
}
