use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use crate::simulation::{Scenario, Simulated, Summary, Tenth};
use rbs::cli::terminal::output::{Output, line};
use rbs::cli::terminal::table::Table;
use rbs::rating::ModelName;

/// Results of a scenario with a model.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    scenario: &'static str,
    model: &'static str,
    seeds: usize,
    rounds: u32,
    /// Spread of the ratings as a fraction of the spread of the skills.
    spread_ratio: Option<Summary>,
    imbalance_first: Option<Summary>,
    imbalance: Option<Summary>,
    correlation: Option<Summary>,
    error: Option<Summary>,
    rating_mean: Option<Summary>,
    /// Means over the seeds.
    tenths: Vec<Tenth>,
    watched: Vec<WatchedReport>,
}

/// Rating errors of the players who were watched individually.
#[derive(Debug, Serialize)]
struct WatchedReport {
    what: &'static str,
    players: u32,
    error: Option<Summary>,
    rms: Option<Summary>,
}

impl Report {
    /// Builds the report from one result per seed.
    pub(super) fn new(scenario: &Scenario, model: ModelName, played: &[Simulated]) -> Self {
        let over = |figure: fn(&Tenth) -> f64, tenth: fn(&Simulated) -> Option<&Tenth>| {
            let figures: Vec<f64> = played.iter().filter_map(tenth).map(figure).collect();
            Summary::of(&figures)
        };
        Self {
            scenario: scenario.name,
            model: model.name(),
            seeds: played.len(),
            rounds: scenario.rounds,
            spread_ratio: over(Tenth::spread_ratio, last),
            imbalance_first: over(|tenth| tenth.imbalance, first),
            imbalance: over(|tenth| tenth.imbalance, last),
            correlation: over(|tenth| tenth.correlation, last),
            error: over(|tenth| tenth.error, last),
            rating_mean: over(|tenth| tenth.rating_mean, last),
            tenths: mean_tenths(played),
            watched: watched(played),
        }
    }
}

fn first(simulated: &Simulated) -> Option<&Tenth> {
    simulated.tenths.first()
}

fn last(simulated: &Simulated) -> Option<&Tenth> {
    simulated.tenths.last()
}

fn mean_tenths(played: &[Simulated]) -> Vec<Tenth> {
    let longest = played.iter().map(|one| one.tenths.len()).max();
    let tenths = (0..longest.unwrap_or_default()).filter_map(|number| {
        let of = |figure: fn(&Tenth) -> f64| {
            let there = played.iter().filter_map(|one| one.tenths.get(number));
            let figures: Vec<f64> = there.map(figure).collect();
            Summary::of(&figures).map(|summary| summary.mean)
        };
        Some(Tenth {
            imbalance: of(|tenth| tenth.imbalance)?,
            correlation: of(|tenth| tenth.correlation)?,
            rating_mean: of(|tenth| tenth.rating_mean)?,
            rating_spread: of(|tenth| tenth.rating_spread)?,
            skill_spread: of(|tenth| tenth.skill_spread)?,
            error: of(|tenth| tenth.error)?,
        })
    });
    tenths.collect()
}

fn watched(played: &[Simulated]) -> Vec<WatchedReport> {
    let mut reports: Vec<WatchedReport> = Vec::new();
    for what in played.iter().flat_map(|one| &one.watched) {
        if reports.iter().any(|report| report.what == what.what) {
            continue;
        }
        let same = played.iter().flat_map(|one| &one.watched);
        let same = same.filter(|other| other.what == what.what);
        let errors: Vec<f64> = same.clone().map(|other| other.error).collect();
        let squares: Vec<f64> = same.clone().map(|other| other.rms).collect();
        reports.push(WatchedReport {
            what: what.what,
            players: same.map(|other| other.players).sum(),
            error: Summary::of(&errors),
            rms: Summary::of(&squares),
        });
    }
    reports
}

/// One JSON object per report and line.
pub(super) fn lines(reports: &[Report]) -> anyhow::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for report in reports {
        lines.extend(line(report)?);
    }
    Ok(lines)
}

/// Text tables: one of all scenarios, and one of the watched players if there are any.
pub(super) fn text(reports: &[Report]) -> Result<Output, fmt::Error> {
    let mut text = Output::default();
    let table = Table::new(reports)
        .left("scenario", |row| row.scenario)
        .left("model", |row| row.model)
        .right("seeds", |row| row.seeds)
        .right("spread / true", |row| ranged(row.spread_ratio, 2))
        .right("|P - 0.5|, first tenth", |row| mean(row.imbalance_first, 3))
        .right("last tenth", |row| ranged(row.imbalance, 3))
        .right("correlation", |row| mean(row.correlation, 2))
        .right("rms error", |row| mean(row.error, 0))
        .right("mean rating", |row| ranged(row.rating_mean, 0));
    text.table(table);
    let watched = reports.iter().flat_map(|report| {
        let rows = report.watched.iter();
        rows.map(move |watched| (report, watched))
    });
    let watched: Vec<(&Report, &WatchedReport)> = watched.collect();
    if watched.is_empty() {
        return Ok(text);
    }
    let players = Table::new(&watched)
        .left("scenario", |(report, _)| report.scenario)
        .left("model", |(report, _)| report.model)
        .left("who", |(_, watched)| watched.what)
        .right("players", |(_, watched)| watched.players)
        .right("error", |(_, watched)| ranged(watched.error, 0))
        .right("rms", |(_, watched)| mean(watched.rms, 0));
    writeln!(text)?;
    text.table(players);
    Ok(text)
}

fn mean(summary: Option<Summary>, digits: usize) -> String {
    summary.map_or_else(
        || "-".to_owned(),
        |summary| format!("{:.digits$}", summary.mean),
    )
}

fn ranged(summary: Option<Summary>, digits: usize) -> String {
    summary.map_or_else(
        || "-".to_owned(),
        |Summary {
             mean, low, high, ..
         }| format!("{mean:.digits$} ({low:.digits$} to {high:.digits$})"),
    )
}
