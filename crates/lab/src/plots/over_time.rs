use maud::{Markup, html};

use super::{Predictions, color};
use crate::scale::Scale;
use rbs::domain::Round;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 50.0;
const BOTTOM: f64 = 40.0;
/// Number of parts over which the scored rounds are averaged; fewer if a part would have fewer than [`MIN`] rounds.
const PARTS: usize = 40;
const MIN: usize = 50;

/// Plots the mean log loss of every model over time.
pub(super) fn plot(models: &[Predictions], scored: &[Round]) -> Markup {
    let parts = (scored.len() / MIN).clamp(1, PARTS);
    let bounds: Vec<(usize, usize)> = (0..parts)
        .map(|part| {
            (
                part * scored.len() / parts,
                (part + 1) * scored.len() / parts,
            )
        })
        .collect();
    let lines: Vec<Vec<f64>> = models
        .iter()
        .map(|model| bounds.iter().map(|part| mean_loss(model, *part)).collect())
        .collect();
    let coin = std::f64::consts::LN_2;
    let all = lines.iter().flatten().copied();
    #[expect(clippy::cast_precision_loss, reason = "rounds are far below 2^53")]
    let number = |count: usize| count as f64;
    let x = Scale::new((0.0, number(scored.len())), (LEFT, WIDTH - 10.0));
    let y = Scale::around(all.chain([coin]), (HEIGHT - BOTTOM, 8.0));
    let path = |line: &[f64]| -> String {
        let points = bounds.iter().zip(line).enumerate();
        let points = points.map(|(index, ((from, to), loss))| {
            let middle = f64::midpoint(number(*from), number(*to));
            let step = if index == 0 { 'M' } else { 'L' };
            format!("{step}{} {}", x.at(middle), y.at(*loss))
        });
        points.collect()
    };
    let day = |round: Option<&Round>| -> String {
        let time = round.map(|round| round.ended_at().to_string());
        time.unwrap_or_default().chars().take(10).collect()
    };
    html! {
        div class="wide" {
            svg width=(WIDTH) height=(HEIGHT) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img"
                aria-label="Log loss over time" {
                @for (mark, text) in y.marks() {
                    path class="grid" d={ "M" (LEFT) " " (y.at(mark)) "H" (WIDTH - 10.0) } {}
                    text class="faint" x=(LEFT - 6.0) y=(y.at(mark)) dy="4" text-anchor="end" { (text) }
                }
                @for (mark, text) in x.marks() {
                    text class="faint" x=(x.at(mark)) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (text) }
                }
                path class="even" d={ "M" (LEFT) " " (y.at(coin)) "H" (WIDTH - 10.0) } {}
                text class="faint" x=(WIDTH - 12.0) y=(y.at(coin)) dy="-4" text-anchor="end" { "coin" }
                text class="faint" x=(LEFT) y=(HEIGHT - 6.0) { (day(scored.first())) }
                text class="faint" x=(f64::midpoint(LEFT, WIDTH)) y=(HEIGHT - 6.0) text-anchor="middle" {
                    "scored rounds"
                }
                text class="faint" x=(WIDTH - 10.0) y=(HEIGHT - 6.0) text-anchor="end" { (day(scored.last())) }
                @for (number, line) in lines.iter().enumerate() {
                    path fill="none" stroke=(color(number)) stroke-width="2" stroke-linejoin="round" d=(path(line)) {
                        title { (models[number].model) }
                    }
                }
            }
        }
    }
}

/// Mean log loss of the rounds in a range of indices.
fn mean_loss(model: &Predictions, (from, to): (usize, usize)) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "rounds are far below 2^53")]
    let count = (to - from).max(1) as f64;
    let losses = (from..to).filter_map(|number| model.loss(number));
    losses.sum::<f64>() / count
}
