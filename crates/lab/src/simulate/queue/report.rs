use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use super::settings::{Setting, Way};
use crate::simulation::{QueueScenario, Queued, Summary, Trade};
use rbs::cli::terminal::output::{Output, line};
use rbs::cli::terminal::table::Table;

/// Results of a community with a queue.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) members: usize,
    pub(super) rows: Vec<Row>,
}

/// Results with one setting.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    members: usize,
    days: u32,
    #[serde(serialize_with = "by_name")]
    pub(super) way: Way,
    pub(super) setting: String,
    seeds: usize,
    /// Means over the seeds.
    #[serde(flatten)]
    pub(super) queued: Queued,
    /// Comparison with the other ways, at equal wait and at equal evenness. Only for the service's settings.
    against: Vec<Against>,
}

#[derive(Debug, Serialize)]
struct Against {
    #[serde(serialize_with = "by_name")]
    way: Way,
    /// |P - 0.5| of the other way at the same mean wait; `None` if none of its settings has so short a wait.
    imbalance_at_wait: Option<f64>,
    /// Mean wait in seconds of the other way at the same |P - 0.5|; `None` if its matches are never so even.
    wait_for_imbalance: Option<f64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn by_name<S: serde::Serializer>(way: &Way, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(way.name())
}

impl Report {
    /// Builds the report from the settings and their results for each seed.
    pub(super) fn new<'all>(
        scenario: &QueueScenario,
        seeds: usize,
        played: impl Iterator<Item = (&'all Setting, &'all [Option<Queued>])>,
    ) -> Self {
        let rows = played.filter_map(|(setting, played)| {
            let played: Vec<Queued> = played.iter().flatten().copied().collect();
            Some(Row {
                members: scenario.members,
                days: scenario.days,
                way: setting.way,
                setting: setting.name.clone(),
                seeds,
                queued: mean(&played)?,
                against: Vec::new(),
            })
        });
        let mut rows: Vec<Row> = rows.collect();
        let others = Way::ALL.into_iter().filter(|way| *way != Way::Service);
        let trades: Vec<(Way, Trade)> = others
            .map(|way| {
                let of = rows.iter().filter(|row| row.way == way);
                let points = of.map(|row| (row.queued.mean_wait, row.queued.imbalance));
                (way, Trade::new(points))
            })
            .collect();
        for row in rows.iter_mut().filter(|row| row.way == Way::Service) {
            let against = trades.iter().map(|(way, trade)| Against {
                way: *way,
                imbalance_at_wait: trade.at_wait(row.queued.mean_wait),
                wait_for_imbalance: trade.wait_for(row.queued.imbalance),
            });
            row.against = against.collect();
        }
        Self {
            members: scenario.members,
            rows,
        }
    }
}

/// Means over the seeds; `None` if there are no results.
fn mean(played: &[Queued]) -> Option<Queued> {
    let of = |figure: fn(&Queued) -> f64| {
        let figures: Vec<f64> = played.iter().map(figure).collect();
        Summary::of(&figures).map(|summary| summary.mean)
    };
    let matches: usize = played.iter().map(|queued| queued.matches).sum();
    Some(Queued {
        matches: matches.checked_div(played.len())?,
        mean_wait: of(|queued| queued.mean_wait)?,
        p95_wait: of(|queued| queued.p95_wait)?,
        left: of(|queued| queued.left)?,
        imbalance: of(|queued| queued.imbalance)?,
        spread: of(|queued| queued.spread)?,
        parties_kept: of(|queued| queued.parties_kept)?,
    })
}

/// One JSON object per setting and line.
pub(super) fn lines(reports: &[Report]) -> anyhow::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for row in reports.iter().flat_map(|report| &report.rows) {
        lines.extend(line(row)?);
    }
    Ok(lines)
}

/// Text tables: one of every setting, and one that compares the service with the others.
pub(super) fn text(reports: &[Report]) -> Result<Output, fmt::Error> {
    let rows: Vec<&Row> = reports.iter().flat_map(|report| &report.rows).collect();
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let mut text = Output::default();
    text.table(
        Table::new(&rows)
            .right("members", |row| row.members)
            .left("way", |row| row.way.name())
            .left("setting", |row| &row.setting)
            .right("matches", |row| row.queued.matches)
            .right("mean wait", |row| format!("{:.0} s", row.queued.mean_wait))
            .right("95 %", |row| format!("{:.0} s", row.queued.p95_wait))
            .right("left", |row| percent(row.queued.left))
            .right("|P - 0.5|", |row| format!("{:.3}", row.queued.imbalance))
            .right("spread", |row| format!("{:.0}", row.queued.spread))
            .right("parties kept", |row| percent(row.queued.parties_kept)),
    );
    let against = rows.iter().flat_map(|row| {
        let against = row.against.iter();
        against.map(move |against| (*row, against))
    });
    let against: Vec<(&Row, &Against)> = against.collect();
    writeln!(text)?;
    text.table(
        Table::new(&against)
            .right("members", |(row, _)| row.members)
            .left("service", |(row, _)| &row.setting)
            .left("against", |(_, against)| against.way.name())
            .right("mean wait", |(row, _)| {
                format!("{:.0} s", row.queued.mean_wait)
            })
            .right("for as even", |(_, against)| {
                or_never(against.wait_for_imbalance, |wait| format!("{wait:.0} s"))
            })
            .right("|P - 0.5|", |(row, _)| {
                format!("{:.3}", row.queued.imbalance)
            })
            .right("at that wait", |(_, against)| {
                or_never(against.imbalance_at_wait, |at| format!("{at:.3}"))
            }),
    );
    Ok(text)
}

fn or_never(figure: Option<f64>, shown: impl Fn(f64) -> String) -> String {
    figure.map_or_else(|| "never".to_owned(), shown)
}
