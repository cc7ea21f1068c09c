use prometheus_client::metrics::family::Family;

use super::Fraction;
use super::labels::Measured;
use crate::domain::PoolName;
use crate::rating::Figure;

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
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
}

/// Shows both of `figure` for `pool`; where there is none, its series goes.
pub(super) fn show(figure: Figure, pool: &PoolName, family: &Family<Measured, Fraction>) {
    for (over, figure) in [("window", figure.window), ("all", figure.all)] {
        let pool = pool.to_string();
        let label = Measured { pool, over };
        if let Some(figure) = figure {
            family.get_or_create(&label).set(figure);
        } else {
            family.remove(&label);
        }
    }
}
