//! Quality of the predictions, its history, and activity of servers.

pub(crate) mod activity;
mod departures;
mod findings;
pub(crate) mod history;
mod hours;
mod mean_rating;
pub(crate) mod metrics;
mod recent;
mod report;
mod scrambles;
mod server_rounds;
mod summary;
mod verdict;
mod warnings;
mod watched;

pub(in crate::service) use activity::RoundsOfDay;
pub(crate) use hours::{CountedHours, DAY_IN_HOURS, HOUR, beginning};
pub(crate) use recent::RecentRounds;

use crate::rating::{GroupKind, GroupTotals, PredictionTotals, Windowed};
use crate::store::{PoolId, PoolRecord, StoreError, Tx};

/// Returns the sums of prediction scores over the pool's last `window` rounds, and over all its rounds.
pub(crate) async fn windowed_totals(
    tx: &mut Tx,
    pool: &PoolRecord,
    window: u32,
) -> Result<Windowed<PredictionTotals>, StoreError> {
    let all = pool.sums.predictions;
    let before_window = all.rounds.saturating_sub(u64::from(window));
    let earlier = tx.predictions_at(pool.id, before_window).await?;
    // A missing row means that the window begins before the first round, where all sums are zero.
    Ok(all.windowed(earlier.unwrap_or_default()))
}

/// Returns the sums of all rounds of the pool by lead, without the leads.
async fn lead_totals(tx: &mut Tx, pool: PoolId) -> Result<Vec<GroupTotals>, StoreError> {
    let groups = tx.groups(pool, GroupKind::Lead, u32::MAX).await?;
    Ok(groups.into_iter().map(|(_, totals)| totals).collect())
}
