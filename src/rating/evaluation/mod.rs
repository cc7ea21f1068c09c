//! Quality of win predictions: scores, calibration, baselines and fits. Pure, like the rest of `rating`.

pub(crate) mod challengers;
pub(crate) mod comparison;
pub(crate) mod copies;
pub(crate) mod departures;
pub(crate) mod experience;
pub(crate) mod favourites;
pub(crate) mod group;
pub(crate) mod histogram;
pub(crate) mod mean_rating;
pub(crate) mod one_sided;
pub(crate) mod people;
pub(crate) mod rating_comparison;
pub(crate) mod remedies;
pub(crate) mod residual;
pub(crate) mod scores;
pub(crate) mod theta_fit;
pub(crate) mod totals;
pub(crate) mod verdict;

/// Maximum number of steps of [`maximum`]. Each step narrows the bracket, so fewer suffice.
const MAX_STEPS: u32 = 200;

#[expect(clippy::cast_precision_loss, reason = "counts lie far below 2^53")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

pub(crate) fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / number(count))
}

/// Returns the place of the maximum of a concave function inside a bracket from `low` to `high`. `derivatives` returns
/// the first derivative and the negative of the second, and `tolerance` the error to allow at a place.
///
/// Newton's method starts at `place`. The bracket is halved if a step leaves it.
fn maximum(
    mut place: f64,
    (mut low, mut high): (f64, f64),
    tolerance: impl Fn(f64) -> f64,
    derivatives: impl Fn(f64) -> (f64, f64),
) -> f64 {
    for _ in 0..MAX_STEPS {
        let (slope, curvature) = derivatives(place);
        if slope > 0.0 {
            low = place;
        } else {
            high = place;
        }
        let step = place + slope / curvature;
        let next = if step > low && step < high {
            step
        } else {
            f64::midpoint(low, high)
        };
        let is_found = (next - place).abs() <= tolerance(place);
        place = next;
        if is_found {
            break;
        }
    }
    place
}
