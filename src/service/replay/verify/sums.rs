//! Comparison of a pool's stored sums and season standings with computed ones, to the last bit.

use std::collections::BTreeSet;

use super::Check;
use crate::domain::PlayerId;
use crate::rating::{Engine, PredictionTotals, RoundGroup};
use crate::service::replay::seasons::{standing_in, standings_given};
use crate::store::{PoolId, PoolRecord, StoreError, Tx};

/// Describes the running sums of a pool that differ from the replay of its log.
pub(super) fn differing_sums(pool: &PoolRecord, computed: &Engine) -> Vec<String> {
    let mut differing = Vec::new();
    if !same_sums(&pool.sums.predictions, &computed.sums().predictions) {
        let (stored, computed) = (pool.sums.predictions, computed.sums().predictions);
        differing.push(format!(
            "the sums of prediction scores are {stored:?}; the log gives {computed:?}"
        ));
    }
    if pool.sums.calibration != computed.sums().calibration {
        differing.push(
            "the stored calibration (predicted and actual wins) differs from the one computed from the log"
                .to_owned(),
        );
    }
    // A pool without rounds has no stored state yet, and the model's first state counts as equal.
    let stored = pool
        .model
        .resume(&pool.model_state)
        .and_then(|model| model.state());
    if stored.is_err() || stored != computed.model().state() {
        differing.push(format!(
            "the stored state of the model {} differs from the one computed from the log",
            pool.model
        ));
    }
    if pool.sums.experience != computed.sums().experience {
        differing.push(
            "the stored sums of K-factors by number of rounds played differ from those computed from the log"
                .to_owned(),
        );
    }
    differing
}

/// Returns `true` if the stored and the computed sums over predictions are equal to the last bit.
pub(super) fn same_sums(stored: &PredictionTotals, computed: &PredictionTotals) -> bool {
    let bits = |sums: &PredictionTotals| {
        let favourites = &sums.favourites;
        let predicted = favourites.predicted;
        [sums.brier, sums.log_loss, predicted, favourites.brier].map(f64::to_bits)
    };
    stored == computed && bits(stored) == bits(computed)
}

/// Names the totals of a group of rounds in messages, such as `the sums of the map dm1`.
pub(super) fn group_name(group: &RoundGroup) -> String {
    format!("the sums of the {} {}", group.kind.name(), group.name)
}

impl Check {
    pub(super) async fn compare_standings(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
    ) -> Result<(), StoreError> {
        let ended = std::mem::take(&mut self.replay.ended_seasons);
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
                        "in the season that ended at position {position} of the log, {wrong} standings differ from \
                         those computed from the log"
                    )
                });
            }
        }
        Ok(())
    }
}
