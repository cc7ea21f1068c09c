//! Who is placed in the season that goes on.

use std::collections::HashMap;

use crate::domain::PlayerId;
use crate::rating::PlayerState;
use crate::store::{PoolId, StoreError, Tx};

/// How many rounds players have left until they are placed in the season that goes on.
#[derive(Debug, Default)]
pub(crate) struct Placing {
    /// How many it takes; none before the first season.
    calibration: u32,
    /// Rounds ever as it started, of those who were there.
    entries: HashMap<PlayerId, u64>,
}

impl Placing {
    /// That of some players of the pool.
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

    /// How many more rounds it takes until the player is placed; 0 where that is so, or no season has started.
    pub(crate) fn rounds_left(&self, player: &PlayerState) -> u32 {
        self.rounds_left_of(player.id, player.entries)
    }

    /// The same of a player of so many rated rounds ever.
    pub(crate) fn rounds_left_of(&self, player: PlayerId, entries: u64) -> u32 {
        let before = self.entries.get(&player).copied().unwrap_or_default();
        let rounds = entries.saturating_sub(before);
        let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
        self.calibration.saturating_sub(rounds)
    }
}
