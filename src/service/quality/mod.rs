//! The quality of the predictions, its history, and what servers do.

pub(crate) mod activity;
mod departures;
pub(crate) mod history;
mod hours;
mod mean_rating;
pub(crate) mod metrics;
mod recent;
mod report;
mod verdict;
mod warnings;

pub(in crate::service) use activity::RoundsOfDay;
pub(crate) use hours::{CountedHours, DAY_IN_HOURS, HOUR, beginning};
pub(crate) use recent::RecentRounds;

use crate::rating::{PredictionTotals, Windowed};
use crate::store::{PoolRecord, StoreError, Tx};

/// The pool's sums over its last `window` rounds, and over all.
pub(crate) async fn windowed_totals(
    tx: &mut Tx,
    pool: &PoolRecord,
    window: u32,
) -> Result<Windowed<PredictionTotals>, StoreError> {
    let all = pool.sums.predictions;
    let before_window = all.rounds.saturating_sub(u64::from(window));
    let earlier = tx.predictions_at(pool.id, before_window).await?;
    // Number 0, before the first round, has no row and no sums.
    Ok(all.windowed(earlier.unwrap_or_default()))
}
