//! Quality of win predictions: scores, calibration, baselines and fits. Pure, like the rest of `rating`.

pub(crate) mod baseline;
pub(crate) mod challengers;
pub(crate) mod comparison;
pub(crate) mod departures;
pub(crate) mod distribution;
pub(crate) mod experience;
pub(crate) mod favourites;
pub(crate) mod findings;
pub(crate) mod group;
pub(crate) mod histogram;
pub(crate) mod mean_rating;
pub(crate) mod rating_comparison;
pub(crate) mod remedies;
pub(crate) mod residual;
pub(crate) mod scores;
pub(crate) mod theta_fit;
pub(crate) mod totals;
pub(crate) mod verdict;

#[expect(clippy::cast_precision_loss, reason = "counts lie far below 2^53")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

pub(crate) fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / number(count))
}
