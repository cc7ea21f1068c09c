//! `rbs evaluate`: compares how well rating models would have predicted rounds.

mod report;
mod rounds;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::arguments::share;
use super::database::{Access, chosen_pools, must_exist, open};
use super::handicap::HandicapOptions;
use super::terminal::output::{Format, print};
use crate::balance::{PowerPredictions, PowerRules};
use crate::config::{Override, Overrides, Settings};
use crate::domain::{PoolName, Probability, Round, Score, SetRules, Side};
use crate::rating::{EngineError, InMemoryPool, ModelName, ModelScores, Parameters, log_loss_term};
use crate::service::LogReader;
use report::ModelReport;

pub use report::{HEADINGS, Report};
pub use rounds::{Played, read_file, theta_for};

const PAGE: u32 = 500;

/// Arguments of `rbs evaluate`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every model predicts each round from the rounds before it, then learns the result. The first rounds are not scored,
because all models start without data. Void rounds and admin changes are left out.

If rounds have stats, the pool's powers are compared too, unless --model is given: each predicts from the difference
between the teams' sums, times a slope that is fitted on the rounds that are not scored.

For files, theta follows from the team size that 97.5 % of the teams do not exceed, and all other settings have their
defaults; for the database, all settings are the configured ones. The constants of the models other than SynElo are
always defaults: `rbs-lab tune` fits them to rounds.

With --json: one line per pool and file, an object with file, pool, rounds, rated, scored, draws, uneven, unrated,
void, changes, theta, and models, each with model, log_loss, brier, accuracy, calibration_slope, difference (its mean
and standard_error against the first model) and seconds.")]
pub struct Evaluate {
    /// Files of rounds, as for rbs import (.gz too); - for standard input. Without files, `rbs evaluate` reads the
    /// rounds from the database.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Evaluate only this pool [default: all pools, one after another]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Evaluate only this model and SynElo; may be given several times.
    #[arg(long = "model", value_name = "NAME")]
    models: Vec<ModelName>,
    /// Also evaluate SynElo with this setting, as an extra model; may be given several times to combine settings.
    #[arg(long = "set", value_name = "SETTING=VALUE")]
    overrides: Vec<Override>,
    /// Rate at most the last N rounds.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    last: usize,
    /// Share of the rounds, 0 to 1, to leave out of the scores: the earliest rounds, from which the models only learn.
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    skip: Probability,
    #[command(flatten)]
    ahead: HandicapOptions,
    /// Print comma-separated values instead of tables.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object per pool and file instead of tables.
    #[arg(long)]
    json: bool,
}

/// Predictions of a pool's rounds by several models, with the results.
#[derive(Debug)]
pub struct Evaluated {
    /// Scores of each model's predictions, with the numbers of rounds.
    pub report: Report,
    /// Predictions of each model for the scored rounds.
    pub predictions: Vec<Predictions>,
    /// Rated rounds of the pool, oldest first.
    pub rounds: Vec<Round>,
}

/// Predictions of one model for the scored rounds, with the results.
#[derive(Debug)]
pub struct Predictions {
    /// Name of the model, with a note if its settings were changed.
    pub model: String,
    /// Predicted win probability of team a, and the result as team a's score, for each round.
    pub predicted: Vec<(Probability, Score)>,
}

impl Predictions {
    /// Returns the log loss of the prediction of a round in nats, by the index of the round among the scored ones.
    #[must_use]
    pub fn loss(&self, number: usize) -> Option<f64> {
        let (for_a, score) = self.predicted.get(number)?;
        Some(log_loss_term(*for_a, *score))
    }
}

/// Powers that `rbs evaluate` compares with the models, if rounds have stats.
struct Powers<'all> {
    rules: &'all PowerRules,
    sets: Option<&'all SetRules>,
}

impl Evaluate {
    /// Evaluates the rounds of the files, prints a report for each pool, and passes the results to `each`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if the files contain no rounds.
    pub fn evaluate_files(&self, mut each: impl FnMut(&Evaluated)) -> anyhow::Result<()> {
        let rules = PowerRules::built_in()?;
        let powers = Powers {
            rules: &rules,
            sets: None,
        };
        let mut is_first = true;
        for file in &self.files {
            for played in read_file(file, self.pool.as_ref(), self.last)? {
                let parameters = self.ahead.over(&Parameters {
                    theta: theta_for(&played.rounds),
                    ..Parameters::default()
                })?;
                let evaluated = self.evaluate(played, &parameters, &powers)?;
                self.print(&evaluated.report, is_first)?;
                each(&evaluated);
                is_first = false;
            }
        }
        anyhow::ensure!(!is_first, "there is no round to evaluate in the files");
        Ok(())
    }

    pub(super) async fn run_on_database(self, settings: Settings) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.ahead.is_any(),
            "--advantage and --bot apply only to rounds read from files; for pools in the database, set {}",
            "[pools.NAME.advantages] and [pools.NAME.bots]"
        );
        must_exist(&settings)?;
        let service = open(&settings, Access::Read).await?;
        let built_in = PowerRules::built_in()?;
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
            let parameters = configured
                .map(|pool| pool.parameters.clone())
                .unwrap_or_default();
            let powers = Powers {
                rules: configured.map_or(&built_in, |pool| &pool.powers.rules),
                sets: configured.and_then(|pool| pool.scoreboard.sets.as_ref()),
            };
            let evaluated = self.evaluate(played.counted(), &parameters, &powers)?;
            self.print(&evaluated.report, is_first)?;
            is_first = false;
        }
        service.close().await;
        Ok(())
    }

    /// Returns the models to compare, each with its title and settings. SynElo comes first, followed by SynElo with the
    /// settings of `--set`.
    fn models(
        &self,
        parameters: &Parameters,
    ) -> anyhow::Result<Vec<(ModelName, String, Parameters)>> {
        let mut models = vec![ModelName::SynElo];
        let wanted = if self.models.is_empty() {
            &ModelName::ALL[..]
        } else {
            &self.models
        };
        for model in wanted {
            if !models.contains(model) {
                models.push(*model);
            }
        }
        let mut models: Vec<_> = models
            .into_iter()
            .map(|model| (model, model.to_string(), parameters.clone()))
            .collect();
        if !self.overrides.is_empty() {
            let set = Overrides(self.overrides.clone())
                .over(parameters)
                .map_err(|problem| anyhow::anyhow!("--set: {problem}"))?;
            models.insert(1, (ModelName::SynElo, "synelo, as set".to_owned(), set));
        }
        Ok(models)
    }

    fn evaluate(
        &self,
        played: Played,
        parameters: &Parameters,
        powers: &Powers<'_>,
    ) -> anyhow::Result<Evaluated> {
        let rated = &played.rounds;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a length is a length"
        )]
        let skipped = (rated.len() as f64 * self.skip.get()) as usize;
        let mut compared: Vec<Predictions> = Vec::new();
        let mut reports = Vec::new();
        for (model, name, parameters) in self.models(parameters)? {
            let began = Instant::now();
            let mut pool = InMemoryPool::new(model, &parameters);
            let mut predicted: Vec<(Probability, Score)> = rated
                .iter()
                .map(|round| Ok((pool.rate(round)?, round.parts().winner.score(Side::A))))
                .collect::<Result<_, EngineError>>()?;
            let took = began.elapsed();
            predicted.drain(..skipped);
            let first = compared.first().map(|first| &first.predicted[..]);
            reports.push(ModelReport {
                model: name.clone(),
                scores: ModelScores::of(&predicted, first),
                seconds: took.as_secs_f64(),
            });
            compared.push(Predictions {
                model: name,
                predicted,
            });
        }
        if self.models.is_empty() {
            let first = compared.first().map(|first| &first.predicted[..]);
            reports.extend(power_reports(
                powers,
                rated,
                skipped,
                first.unwrap_or_default(),
            ));
        }
        let report = Report::new(&played, rated, &rated[skipped..], parameters.theta, reports);
        Ok(Evaluated {
            report,
            predictions: compared,
            rounds: played.rounds,
        })
    }

    fn print(&self, report: &Report, is_first: bool) -> anyhow::Result<()> {
        if self.csv {
            let values = report.values().into_columns().csv()?;
            let headings = usize::from(!is_first);
            let rows = values.split_inclusive('\n').skip(headings);
            return Ok(print(rows.collect::<String>().as_bytes())?);
        }
        if !self.json && !is_first {
            print(b"\n")?;
        }
        let Self { json, csv, .. } = *self;
        Format { json, csv }.print(report, Report::text)
    }
}

/// Scores each power (strength of a player computed from past games) as a predictor of the rounds after the first
/// `skipped`. Fits the slope of each power on the skipped rounds. `first` contains the predictions of the first
/// evaluated rating model, the baseline.
fn power_reports(
    powers: &Powers<'_>,
    rated: &[Round],
    skipped: usize,
    first: &[(Probability, Score)],
) -> Vec<ModelReport> {
    let reports = powers.rules.iter().filter_map(|(name, rule)| {
        let began = Instant::now();
        let found = PowerPredictions::of(rule, powers.sets, rated, skipped)?;
        Some(ModelReport {
            model: format!("power {name}"),
            scores: ModelScores::of(&found.predicted, Some(first)),
            seconds: began.elapsed().as_secs_f64(),
        })
    });
    reports.collect()
}
