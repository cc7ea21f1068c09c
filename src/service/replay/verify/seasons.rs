//! Whether the standings that are stored are those that the log gives.

use std::collections::BTreeSet;

use super::Check;
use crate::domain::PlayerId;
use crate::service::replay::seasons::{standing_in, standings_given};
use crate::store::{PoolId, StoreError, Tx};

impl Check {
    pub(super) async fn compare_standings(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
    ) -> Result<(), StoreError> {
        let ended = self.replay.take_ended_seasons();
        let given = standings_given(tx, pool, (ended, self.pruned == 0)).await?;
        for (position, given) in given {
            let stored = tx.season_standings(pool, position).await?;
            let standings = stored.iter().chain(&given);
            let players: BTreeSet<PlayerId> = standings.map(|one| one.player).collect();
            let differs = |player: &&PlayerId| {
                standing_in(&stored, **player) != standing_in(&given, **player)
            };
            let wrong = players.iter().filter(differs).count();
            if wrong > 0 {
                self.differ(|| {
                    format!(
                        "of the season that ended at place {position} of the log, {wrong} standings are not what \
                         the log gives"
                    )
                });
            }
        }
        Ok(())
    }
}
