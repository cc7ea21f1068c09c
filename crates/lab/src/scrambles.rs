use clap::Args;
use serde::Serialize;

use crate::simulation::{Scenario, ScrambleRule, Scrambled, Summary, simulate_scrambles};
use rbs::cli::arguments::whole;
use rbs::cli::terminal::output::Format;
use rbs::cli::terminal::table::Table;

const RULES: [(&str, ScrambleRule); 7] = [
    ("never", ScrambleRule::Never),
    ("3 wins in a row", ScrambleRule::Streak(3)),
    ("odds above 0.75", ScrambleRule::Odds(0.75)),
    ("odds above 0.70", ScrambleRule::Odds(0.70)),
    ("odds above 0.65", ScrambleRule::Odds(0.65)),
    ("odds above 0.60", ScrambleRule::Odds(0.60)),
    ("every round", ScrambleRule::Always),
];

#[derive(Debug, Args)]
pub(crate) struct Scrambles {
    /// Play with the players of this scenario; repeatable
    #[arg(long = "scenario", value_name = "NAME", required = true)]
    scenarios: Vec<Scenario>,
    /// Number of seeds for each rule: 1, 2 and so on
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1..=1000_u64))]
    seeds: u64,
    #[command(flatten)]
    format: Format,
}

/// Means over the seeds of a scenario and rule.
#[derive(Debug, Serialize)]
struct Row {
    scenario: &'static str,
    rule: &'static str,
    #[serde(flatten)]
    figures: Scrambled,
}

impl Scrambles {
    /// Plays every rule with the players of each scenario, and prints the results.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut rows = Vec::new();
        for scenario in &self.scenarios {
            for (name, rule) in RULES {
                let mut played = Vec::new();
                for seed in 1..=self.seeds {
                    played.push(simulate_scrambles(scenario, rule, seed)?);
                }
                rows.push(Row {
                    scenario: scenario.name,
                    rule: name,
                    figures: mean_of(&played),
                });
            }
        }
        self.format.print(&rows, |rows, text| {
            text.table(table(rows));
            Ok(())
        })
    }
}

fn table(rows: &[Row]) -> Table<'_, Row> {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    Table::new(rows)
        .left("scenario", |row| row.scenario)
        .left("scramble", |row| row.rule)
        .right("new teams", move |row| percent(row.figures.new_teams))
        .right("mean favourite", move |row| percent(row.figures.favourite))
        .right("one-sided", move |row| percent(row.figures.one_sided))
}

fn mean_of(played: &[Scrambled]) -> Scrambled {
    let mean = |figure: fn(&Scrambled) -> f64| {
        let figures: Vec<f64> = played.iter().map(figure).collect();
        Summary::of(&figures).map_or(f64::NAN, |summary| summary.mean)
    };
    Scrambled {
        new_teams: mean(|one| one.new_teams),
        favourite: mean(|one| one.favourite),
        one_sided: mean(|one| one.one_sided),
    }
}
