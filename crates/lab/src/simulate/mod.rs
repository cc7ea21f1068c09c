mod parallel;
mod queue;
mod report;

use std::path::PathBuf;

use clap::Args;

use crate::simulation::{Scenario, simulate};
use queue::{Community, Queue};
use rbs::cli::arguments::whole;
use rbs::cli::terminal::output::{Format, print};
use rbs::rating::{ModelName, Parameters};
use report::Report;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Skills are hidden from the model, teams are the best splits by its own ratings, and winners are drawn from the
skills. What is printed of a scenario and a model are means over the seeds, with the lowest and the highest seed in
brackets. The same seeds give the same figures everywhere.

With --json: an object a scenario and model, each a line: scenario, model, seeds, rounds, spread_ratio,
imbalance_first, imbalance, correlation, error and rating_mean, each of the last tenth of the rounds (imbalance_first of the
first) with mean, low, high and standard_error; tenths, a list of the means over the seeds; and watched, a list with what,
players, error and rms. With --queue: an object a setting, each a line: members, days, way, setting, seeds, matches,
mean_wait and p95_wait in seconds, left, imbalance, spread and parties_kept; and of a policy of the service against, a list
with way, imbalance_at_wait and wait_for_imbalance, null where the other way never does so.")]
pub(crate) struct Simulate {
    /// Play this scenario; repeatable; "all" plays every one. Without it the usual scenarios are played.
    #[arg(long = "scenario", value_name = "NAME", value_parser = scenarios)]
    scenarios: Vec<Scenarios>,
    /// Rate with this model; repeatable. Without it synelo and adaptive.
    #[arg(long = "model", value_name = "NAME")]
    models: Vec<ModelName>,
    /// Number of seeds for each scenario: 1, 2 and so on
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1..=1000_u64))]
    seeds: u64,
    /// Number of rounds, in place of each scenario's own
    #[arg(long, value_name = "N", value_parser = whole(10..=1_000_000_u32))]
    rounds: Option<u32>,
    /// Set experience_floor for adaptive
    #[arg(long)]
    experience_floor: bool,
    /// Simulate days of a community of this many members who queue for matches, with the service's policies and with
    /// common alternatives; repeatable
    #[arg(long, value_name = "MEMBERS", conflicts_with_all = ["scenarios", "models", "rounds", "experience_floor"])]
    queue: Vec<Community>,
    /// Number of days for each queue; without it 1 to 40, fewer for larger communities
    #[arg(long, value_name = "N", requires = "queue", value_parser = whole(1..=365_u32))]
    days: Option<u32>,
    /// Write a plot of each queue into this folder, as queue-MEMBERS.svg
    #[arg(long, value_name = "FOLDER", requires = "queue")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Debug)]
struct Scenarios(Vec<Scenario>);

fn scenarios(text: &str) -> Result<Scenarios, String> {
    if text == "all" {
        return Ok(Scenarios(Scenario::ALL.to_vec()));
    }
    let named: Scenario = text.parse().map_err(|error| format!("{error}, and all"))?;
    Ok(Scenarios(vec![named]))
}

#[derive(Clone, Copy)]
struct Run {
    scenario: Scenario,
    model: ModelName,
    seed: u64,
}

impl Simulate {
    /// Plays the scenarios and prints the results.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if !self.queue.is_empty() {
            let queue = Queue {
                communities: &self.queue,
                days: self.days,
                seeds: self.seeds,
                plots: self.plots.as_deref(),
            };
            return queue.run(self.format);
        }
        let mut runs = Vec::new();
        for scenario in self.scenarios()? {
            for model in self.models() {
                runs.extend((1..=self.seeds).map(|seed| Run {
                    scenario,
                    model,
                    seed,
                }));
            }
        }
        let parameters = Parameters {
            experience_floor: self.experience_floor,
            ..Parameters::default()
        };
        let played = parallel::play(
            &runs,
            |run| format!("{} with {}", run.scenario.name, run.model),
            |run| simulate(&run.scenario, run.model, &parameters, run.seed),
        )?;
        let seeds = usize::try_from(self.seeds)?;
        let pairs = runs.chunks(seeds).zip(played.chunks(seeds));
        let reports = pairs.filter_map(|(runs, played)| {
            let run = runs.first()?;
            Some(Report::new(&run.scenario, run.model, played))
        });
        let reports: Vec<Report> = reports.collect();
        if self.format.json {
            Ok(print(&report::lines(&reports)?)?)
        } else {
            report::text(&reports)?.print(self.format)
        }
    }

    fn scenarios(&self) -> anyhow::Result<Vec<Scenario>> {
        let mut wanted: Vec<Scenario> = Vec::new();
        for Scenarios(named) in &self.scenarios {
            wanted.extend(named);
        }
        if wanted.is_empty() {
            for name in Scenario::USUAL {
                wanted.push(name.parse()?);
            }
        }
        let rounds = |scenario: Scenario| match self.rounds {
            Some(rounds) => scenario.with_rounds(rounds),
            None => scenario,
        };
        Ok(wanted.into_iter().map(rounds).collect())
    }

    fn models(&self) -> Vec<ModelName> {
        if self.models.is_empty() {
            vec![ModelName::SynElo, ModelName::Adaptive]
        } else {
            self.models.clone()
        }
    }
}
