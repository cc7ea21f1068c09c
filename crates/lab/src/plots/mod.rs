//! The report as one page for a browser: plots without scripts, in the reader's light or dark theme.

mod calibration;
mod groups;
mod over_time;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use rbs::cli::evaluate::{Evaluated, HEADINGS, Predictions, Report};

const STYLE: &str = "\
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);\
--m0:#2a78d6;--m1:#d9480f;--m2:#12876a;--m3:#b07900;--m4:#c2407c;--m5:#3c7d1e;--m6:#5b4bc4}\
@media(prefers-color-scheme:dark){:root{--m0:#6aa9f5;--m1:#ff8a5c;--m2:#3fc79a;--m3:#e5b13a;--m4:#f08ab8;\
--m5:#8ccf6a;--m6:#a99df5}}\
body{font:1rem/1.5 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1rem}\
h1{font-size:1.5rem;margin:0}h2{font-size:1.25rem;margin:2rem 0 .25rem}h3{font-size:1rem;margin:1.5rem 0 .25rem}\
p{margin:.25rem 0 .75rem;max-width:46rem}\
.wide{overflow-x:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.25rem .625rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}\
th:first-child,td:first-child{text-align:left}\
svg{display:block;max-width:100%;height:auto;font:12px system-ui,sans-serif}\
svg text{fill:currentColor}svg .faint{opacity:.7}\
svg .grid{stroke:var(--line);fill:none}svg .even{stroke:currentColor;opacity:.5;stroke-dasharray:4 4;fill:none}\
.panels{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}\
.key{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:.25rem 0;padding:0}\
.key i{display:inline-block;width:.75rem;height:.75rem;border-radius:50%;margin-right:.375rem}\
summary{cursor:pointer;margin:.25rem 0}";

/// Page with these sections.
pub(crate) fn page(sections: &[Markup]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "How well rating models predict" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "How well rating models predict" }
                p {
                    "Every model predicted each round from those before it, then learnt how it ended. A log loss is \
                     in nats a round: a coin has 0.693, and less is better. Bars are 95 % intervals."
                }
                @for section in sections { (section) }
            }
        }
    };
    page.into_string()
}

/// Section about one pool.
pub(crate) fn section(evaluated: &Evaluated) -> Markup {
    let (report, models, rated) = (&evaluated.report, &evaluated.predictions, &evaluated.rounds);
    let scored = models.first().map_or(0, |model| model.predicted.len());
    let first = rated.len() - scored;
    html! {
        section {
            h2 { (report.title()) }
            p { (report.counts()) "." }
            div class="wide" { (scores(report)) }
            p { (report.advice()) }
            @if scored > 0 {
                (key(models))
                h3 { "Calibration" }
                p {
                    "How often team a won among the rounds of which about the same was predicted. On the dashed line \
                     predictions are honest; flatter than it they are too bold, steeper too timid."
                }
                div class="panels" {
                    @for (number, model) in models.iter().enumerate() { (calibration::plot(number, model)) }
                }
                h3 { "Log loss over time" }
                (over_time::plot(models, &rated[first..]))
                @for part in groups::of(models, rated, first) {
                    h3 { (part.title) }
                    p { (part.about) }
                    (groups::plot(models, &part))
                }
            }
        }
    }
}

/// Renders the table that the terminal output also has.
fn scores(report: &Report) -> Markup {
    html! {
        table {
            tr { @for heading in HEADINGS { th scope="col" { (heading) } } }
            @for row in report.rows() { tr { @for cell in row { td { (cell) } } } }
        }
    }
}

/// Legend with the color of each model.
fn key(models: &[Predictions]) -> Markup {
    html! {
        ul class="key" {
            @for (number, model) in models.iter().enumerate() {
                li { i style={ "background:" (color(number)) } {} (model.model) }
            }
        }
    }
}

/// CSS color of the model with that number.
fn color(number: usize) -> String {
    format!("var(--m{})", number % 7)
}
