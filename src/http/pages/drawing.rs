//! Charts on the public pages, made on the server so that pages need no script. A chart stretches to the available
//! width; its labels are text of the page.

use maud::{Markup, html};

use super::figures::{count, day, points};
use crate::api::{PlayerPointAnswer, RatingBinAnswer};

/// Height of a chart in SVG units, which the page stretches.
const HEIGHT: f64 = 100.0;
/// Possible distances between grid lines of a chart, in rating points.
const STEPS: [i32; 10] = [10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500];
/// Maximum number of intervals between the grid lines of a chart.
const MAX_STEPS: i32 = 5;

/// Draws the course of a player's rating over time as a step line.
pub(super) fn course(all: &[PlayerPointAnswer]) -> Markup {
    // A late round is drawn at its place in the log, so that no line runs backwards.
    let mut latest = f64::MIN;
    #[expect(clippy::cast_precision_loss, reason = "a place in a drawing")]
    let line: Vec<(f64, i32)> = all
        .iter()
        .map(|point| {
            latest = latest.max(point.at.unix_micros() as f64);
            (latest, point.rating.points())
        })
        .collect();
    let values = || line.iter().map(|(_, value)| *value);
    let (Some(low), Some(high)) = (values().min(), values().max()) else {
        return html! {};
    };
    let ends = [all.first(), all.last()].into_iter().flatten();
    let summary: Vec<String> = ends
        .clone()
        .map(|end| format!("{} on {}", points(end.rating.points()), day(end.at)))
        .collect();
    let summary = format!("The rating over time, from {}", summary.join(" to "));
    let (bottom, step, steps) = grid(low, high);
    let first = line.first().map_or(0.0, |at| at.0);
    let width = 1000.0;
    let span = if latest > first { latest - first } else { 1.0 };
    let top = f64::from(bottom + step * steps);
    let x = |at: f64| (at - first) / span * width;
    let y = |value: i32| (top - f64::from(value)) / f64::from(step * steps) * HEIGHT;
    let moves = line.iter().enumerate().map(|(index, (at, value))| {
        let (x, y) = (x(*at), y(*value));
        if index == 0 {
            format!("M{x:.1} {y:.2}")
        } else {
            format!("H{x:.1}V{y:.2}")
        }
    });
    // A single point becomes a horizontal line.
    let path = moves.collect::<String>() + &format!("H{width:.0}");
    html! {
        div.drawing {
            div.rise aria-hidden="true" {
                @for number in 0..=steps { span { (points(bottom + step * number)) } }
            }
            svg viewBox={ "0 0 " (width) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(summary) {
                @for number in 0..=steps {
                    @let at = f64::from(number) / f64::from(steps) * HEIGHT;
                    line.grid x1="0" x2=(width) y1=(at) y2=(at) vector-effect="non-scaling-stroke" {}
                }
                path.line d=(path) vector-effect="non-scaling-stroke" {}
            }
            div.along aria-hidden="true" { @for end in ends { span { (day(end.at)) } } }
        }
    }
}

/// Returns the grid of a chart for ratings from `low` to `high`: the lowest line, the distance between lines in points,
/// and the number of intervals.
fn grid(low: i32, high: i32) -> (i32, i32, i32) {
    let fits = |step: i32| {
        let bottom = low.div_euclid(step) * step;
        let steps = (high - bottom + step - 1) / step;
        (bottom, step, steps.max(1))
    };
    let mut grids = STEPS.into_iter().map(fits);
    let last = fits(2500);
    grids
        .find(|(_, _, steps)| *steps <= MAX_STEPS)
        .unwrap_or(last)
}

/// Draws a histogram of players by rating, and highlights the bin with the rating `here`.
pub(super) fn distribution(bins: &[RatingBinAnswer], here: Option<i32>, summary: &str) -> Markup {
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return html! {};
    };
    let most = bins.iter().map(|bin| bin.players).max().unwrap_or(0).max(1);
    let is_here =
        |bin: &RatingBinAnswer| here.is_some_and(|here| (bin.from..bin.to).contains(&here));
    let width = bins.len() * 10;
    #[expect(clippy::cast_precision_loss, reason = "players number far below 2^53")]
    let height = |players: u64| players as f64 / most as f64 * HEIGHT;
    html! {
        div.drawing {
            div.rise aria-hidden="true" { span { "0" } span { (count(most)) } }
            svg viewBox={ "0 0 " (width) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(summary) {
                line.grid x1="0" x2=(width) y1="0" y2="0" vector-effect="non-scaling-stroke" {}
                line.grid x1="0" x2=(width) y1=(HEIGHT) y2=(HEIGHT) vector-effect="non-scaling-stroke" {}
                @for (index, bin) in bins.iter().enumerate() {
                    @let tall = height(bin.players);
                    rect.bar.here[is_here(bin)] x=(index * 10 + 1) width="8" y=(format!("{:.2}", HEIGHT - tall)) height=(format!("{tall:.2}")) {}
                }
            }
            div.along aria-hidden="true" {
                span { (points(first.from)) }
                @if let Some(middle) = bins.get(bins.len() / 2).filter(|_| bins.len() > 2) { span { (points(middle.from)) } }
                span { (points(last.to)) }
            }
        }
    }
}

pub(super) fn share(part: u64, whole: u64, is_here: bool) -> Markup {
    #[expect(clippy::cast_precision_loss, reason = "players number far below 2^53")]
    let width = part as f64 / whole.max(1) as f64 * 100.0;
    html! {
        svg.share.here[is_here] viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.rest width="100" height="10" {}
            rect.part width=(format!("{width:.2}")) height="10" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_grid_has_few_lines() {
        assert_eq!(grid(1000, 1000), (1000, 10, 1));
        assert_eq!(grid(995, 1040), (990, 10, 5));
        assert_eq!(grid(1003, 2198), (1000, 250, 5));
        assert_eq!(grid(0, 10_000), (0, 2500, 4));
    }

    proptest! {
        #[test]
        fn a_grid_holds_all_values(low in 0..10_000_i32, above in 0..5000_i32) {
            let (bottom, step, steps) = grid(low, low + above);
            prop_assert!(bottom <= low && low + above <= bottom + step * steps);
            prop_assert!((1..=MAX_STEPS).contains(&steps));
        }
    }
}
