use maud::{Markup, html};

use super::{Predictions, color};
use crate::scale::Scale;
use rbs::rating::{Calibration, CalibrationBin, wilson};

const SIDE: f64 = 230.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 30.0;
/// Right margin: half the width of the last axis number.
const RIGHT: f64 = 14.0;

/// Observed results of a model against its predictions.
pub(super) fn plot(number: usize, model: &Predictions) -> Markup {
    let calibration = model
        .predicted
        .iter()
        .fold(Calibration::default(), |bins, (for_a, score)| {
            bins.with(*for_a, *score)
        });
    let x = Scale::new((0.0, 1.0), (LEFT, SIDE - RIGHT));
    let y = Scale::new((0.0, 1.0), (SIDE - BOTTOM, 6.0));
    let points = calibration.bins().iter().filter_map(|bin| point(bin, x, y));
    let points: Vec<Point> = points.collect();
    let (name, color) = (&model.model, color(number));
    html! {
        figure {
            figcaption { (name) }
            svg width=(SIDE) height=(SIDE) viewBox={ "0 0 " (SIDE) " " (SIDE) } role="img"
                aria-label={ "Calibration of " (name) } {
                @for (mark, text) in x.marks() {
                    path class="grid" d={ "M" (x.at(mark)) " " (y.at(0.0)) "V" (y.at(1.0)) } {}
                    path class="grid" d={ "M" (x.at(0.0)) " " (y.at(mark)) "H" (x.at(1.0)) } {}
                    text class="faint" x=(x.at(mark)) y=(SIDE - BOTTOM + 15.0) text-anchor="middle" { (text) }
                    text class="faint" x=(LEFT - 5.0) y={ (y.at(mark)) } dy="4" text-anchor="end" { (text) }
                }
                path class="even" d={ "M" (x.at(0.0)) " " (y.at(0.0)) "L" (x.at(1.0)) " " (y.at(1.0)) } {}
                @for point in &points {
                    path stroke=(color) stroke-width="2" d={ "M" (point.x) " " (point.low) "V" (point.high) } {}
                    circle cx=(point.x) cy=(point.y) r="4" fill=(color) {
                        title { (point.text) }
                    }
                }
            }
        }
    }
}

struct Point {
    x: String,
    y: String,
    low: String,
    high: String,
    text: String,
}

/// Returns `None` if the bin has no rounds.
fn point(bin: &CalibrationBin, x: Scale, y: Scale) -> Option<Point> {
    let (predicted, observed) = (bin.mean_predicted()?, bin.mean_observed()?);
    let interval = wilson(Some(observed), bin.rounds)?;
    Some(Point {
        x: x.at(predicted),
        y: y.at(observed),
        low: y.at(interval.low),
        high: y.at(interval.high),
        text: format!(
            "{:.1} % predicted, {:.1} % came, {} rounds",
            100.0 * predicted,
            100.0 * observed,
            bin.rounds
        ),
    })
}
