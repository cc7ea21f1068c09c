use prometheus_client::metrics::family::Family;

use super::Fraction;
use super::labels::Measured;
use crate::domain::PoolName;

/// What a pool holds, and how its predictions do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolFigures {
    /// Rated rounds.
    pub rounds: u64,
    /// Players in their shadow period.
    pub hidden_players: u64,
    /// Players past it.
    pub visible_players: u64,
    /// Players of either kind without a round for too long.
    pub stale_players: u64,
    /// The mean Brier score, 0 to 1.
    pub brier: WindowAndAll,
    /// The mean log loss, in nats.
    pub log_loss: WindowAndAll,
}

/// A figure over the last rounds and over all; `None` where there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WindowAndAll {
    /// Over the pool's window.
    pub window: Option<f64>,
    /// Over all rounds.
    pub all: Option<f64>,
}

impl WindowAndAll {
    /// Shows both for `pool`, and what there is not, not.
    pub(super) fn show(self, pool: &PoolName, family: &Family<Measured, Fraction>) {
        for (over, figure) in [("window", self.window), ("all", self.all)] {
            let pool = pool.to_string();
            let label = Measured { pool, over };
            if let Some(figure) = figure {
                family.get_or_create(&label).set(figure);
            } else {
                family.remove(&label);
            }
        }
    }
}
