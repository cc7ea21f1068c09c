use maud::{Markup, PreEscaped, html};

use super::report::{Report, Row};
use super::settings::Way;
use crate::scale::Scale;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;
const TOP: f64 = 34.0;
/// Style of a standalone SVG file, which has no surrounding page.
const STYLE: &str = "\
svg{--c0:#2a78d6;--c1:#c2407c;--c2:#d9480f;--c3:#12876a;--c4:#8a7a00;color:#222;background:#fff;\
font:12px system-ui,sans-serif}\
@media(prefers-color-scheme:dark){svg{--c0:#6aa9f5;--c1:#f08ab8;--c2:#ff8a5c;--c3:#3fc79a;--c4:#d9c53a;color:#eee;\
background:#161616}}\
text{fill:currentColor}.grid{stroke:currentColor;opacity:.15;fill:none}";

/// Mean wait and imbalance of every setting, with one line per way of matchmaking, as an SVG file.
pub(super) fn svg(report: &Report) -> String {
    let wait = |row: &Row| row.queued.mean_wait;
    let x = Scale::around(report.rows.iter().map(wait), (LEFT, WIDTH - 12.0));
    let imbalances = report.rows.iter().map(|row| row.queued.imbalance);
    let y = Scale::around(imbalances.chain([0.0]), (HEIGHT - BOTTOM, TOP));
    let title = format!("Waiting and evenness, {} members", report.members);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(HEIGHT)
            viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(title) {
            style { (PreEscaped(STYLE)) }
            @for (mark, text) in y.marks() {
                path class="grid" d={ "M" (LEFT) " " (y.at(mark)) "H" (WIDTH - 12.0) } {}
                text x=(LEFT - 6.0) y=(y.at(mark)) dy="4" text-anchor="end" { (text) }
            }
            @for (mark, text) in x.marks() {
                text x=(x.at(mark)) y=(HEIGHT - BOTTOM + 16.0) text-anchor="middle" { (text) }
            }
            text x=(f64::midpoint(LEFT, WIDTH)) y=(HEIGHT - 8.0) text-anchor="middle" { "mean wait, seconds" }
            text x=(LEFT) y=(TOP - 20.0) { "|P − 0.5|" }
            @for (number, way) in Way::ALL.into_iter().enumerate() {
                (line(report, way, &format!("var(--c{number})"), x, y))
                text x=(140 + 110 * number) y=(TOP - 20.0) style={ "fill:var(--c" (number) ")" } { (way.name()) }
            }
        }
    }
    .into_string()
}

/// The settings of one way, from the shortest to the longest mean wait.
fn line(report: &Report, way: Way, color: &str, x: Scale, y: Scale) -> Markup {
    let of = report.rows.iter().filter(|row| row.way == way);
    let mut rows: Vec<&Row> = of.collect();
    rows.sort_by(|one, other| one.queued.mean_wait.total_cmp(&other.queued.mean_wait));
    let path = rows.iter().enumerate().map(|(index, row)| {
        let step = if index == 0 { 'M' } else { 'L' };
        let (x, y) = (x.at(row.queued.mean_wait), y.at(row.queued.imbalance));
        format!("{step}{x} {y}")
    });
    let path: String = path.collect();
    html! {
        path fill="none" style={ "stroke:" (color) } stroke-width="2" stroke-linejoin="round" d=(path) {}
        @for row in rows {
            circle cx=(x.at(row.queued.mean_wait)) cy=(y.at(row.queued.imbalance)) r="4" style={ "fill:" (color) } {
                title {
                    (way.name()) ", " (row.setting) ": "
                    (format!("{:.0} s, {:.3}", row.queued.mean_wait, row.queued.imbalance))
                }
            }
        }
    }
}
