mod report;
mod rounds;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::arguments::share;
use super::database::{Access, chosen_pools, must_exist, open};
use super::terminal::json::print;
use crate::config::Settings;
use crate::domain::{PoolName, Probability, Round, Score, Side};
use crate::rating::{ModelName, ModelScores, PairedDifference, Parameters, theta_for_team_size};
use crate::service::LogReader;
use report::{Format, ModelReport, Report};
use rounds::{Played, read_file};

/// Lines that are read from the database at once.
const PAGE: u32 = 500;

/// `rbs evaluate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Every model predicts each round from those before it, then learns how it ended. The first rounds are not
scored: all models begin with nothing. Rounds that count for nothing are left out, and admin changes too.

In files SynElo and Elo take theta from the largest team, and the other settings are the defaults; of the
database's pools all are those that are configured.

With --json: an object a pool and file, each a line: file, pool, rounds, rated, scored, draws, uneven, void,
changes, theta, and models, each with model, log_loss, brier, accuracy, calibration_slope, difference (its mean
and standard_error against the first model) and seconds.")]
pub(super) struct Evaluate {
    /// Files of rounds, as rbs import reads them (.gz too), - for standard input; without any the rounds of the
    /// database.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Only rounds of this pool; without it every pool, one after another.
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Only this model, and what it is compared with; may be given several times.
    #[arg(long = "model", value_name = "NAME")]
    models: Vec<ModelName>,
    /// Rate at most so many rounds, the last ones.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    last: usize,
    /// Do not score this share of them, the first ones, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    skip: Probability,
    /// Print comma-separated values in place of tables.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object a pool and file in place of tables.
    #[arg(long)]
    json: bool,
}

impl Evaluate {
    /// Evaluates the files that are named.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut is_first = true;
        for file in &self.files {
            for played in read_file(file, self.pool.as_ref(), self.last)? {
                let largest = played.rounds.iter().map(largest_team).max();
                let parameters = Parameters {
                    theta: theta_for_team_size(largest.unwrap_or_default()),
                    ..Parameters::default()
                };
                self.print(&self.evaluate(&played, &parameters), is_first)?;
                is_first = false;
            }
        }
        anyhow::ensure!(!is_first, "there is no round to evaluate in the files");
        Ok(())
    }

    /// Evaluates the pools of the database.
    pub(super) async fn run_on_database(self, settings: Settings) -> anyhow::Result<()> {
        must_exist(&settings)?;
        let service = open(&settings, Access::Read).await?;
        let mut is_first = true;
        for pool in chosen_pools(&service, self.pool.as_ref()).await? {
            let mut played = Played::new(None, pool.name.clone(), self.last);
            let mut reader = LogReader::default();
            while let Some(page) = service.read_log(&pool, &mut reader, PAGE).await? {
                for line in page {
                    played.take(line);
                }
            }
            let configured = settings.pools.get(&pool.name);
            let parameters = configured.map(|pool| pool.parameters.clone());
            let played = played.counted();
            self.print(
                &self.evaluate(&played, &parameters.unwrap_or_default()),
                is_first,
            )?;
            is_first = false;
        }
        service.close().await;
        Ok(())
    }

    fn models(&self) -> Vec<ModelName> {
        if self.models.is_empty() {
            return ModelName::ALL.to_vec();
        }
        let mut models = vec![ModelName::ALL[0]];
        for model in &self.models {
            if !models.contains(model) {
                models.push(*model);
            }
        }
        models
    }

    fn evaluate(&self, played: &Played, parameters: &Parameters) -> Report {
        let rated = &played.rounds;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a length is a length"
        )]
        let skipped = (rated.len() as f64 * self.skip.get()) as usize;
        let mut compared: Option<Vec<(Probability, Score)>> = None;
        let models = self.models().into_iter().map(|name| {
            let began = Instant::now();
            let mut model = name.start(parameters);
            let predicted = rated.iter().map(|round| {
                let score = round.parts().winner.score(Side::A);
                (model.rate(round), score)
            });
            let predicted: Vec<(Probability, Score)> = predicted.collect();
            let took = began.elapsed();
            let scored = predicted[skipped..].to_vec();
            let difference = compared
                .as_ref()
                .and_then(|other| PairedDifference::between(&scored, other));
            let report = ModelReport::new(name, ModelScores::of(&scored), difference, took);
            compared.get_or_insert(scored);
            report
        });
        let models = models.collect();
        Report::new(played, rated, &rated[skipped..], parameters.theta, models)
    }

    fn print(&self, report: &Report, is_first: bool) -> anyhow::Result<()> {
        let format = match (self.csv, self.json) {
            (true, _) => Format::Csv { heading: is_first },
            (_, true) => Format::Json,
            _ => Format::Text { gap: !is_first },
        };
        Ok(print(&report.written(format)?)?)
    }
}

/// The players of a round's larger team, as it stood at the start.
fn largest_team(round: &Round) -> u32 {
    let size = |side| {
        round
            .entries()
            .filter(|(of, entry)| *of == side && entry.at_start)
            .count()
    };
    u32::try_from(size(Side::A).max(size(Side::B))).unwrap_or(u32::MAX)
}
