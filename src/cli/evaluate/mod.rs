//! `rbs evaluate`: how well rating models would have predicted rounds.

mod report;
mod rounds;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::arguments::share;
use super::database::{Access, chosen_pools, must_exist, open};
use super::handicap::HandicapOptions;
use super::terminal::json::print;
use crate::balance::{PowerPredictions, PowerRules};
use crate::config::{Override, Overrides, Settings};
use crate::domain::{PoolName, Probability, Round, Score, SetRules, Side};
use crate::rating::{EngineError, InMemoryPool, ModelName, ModelScores, Parameters, log_loss_term};
use crate::service::LogReader;
use report::{Format, ModelReport};

pub use report::Report;
pub use rounds::{Played, read_file, theta_for};

/// Lines that are read from the database at once.
const PAGE: u32 = 500;

/// `rbs evaluate`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Every model predicts each round from those before it, then learns how it ended. The first rounds are not
scored: all models begin with nothing. Rounds that count for nothing are left out, and admin changes too.

Where rounds have stats, the pool's powers are compared too, unless --model is given: each predicts by the difference
of the teams' sums, times a slope that is fitted on the rounds that are not scored.

In files SynElo and Elo take theta from the largest team, and the other settings are the defaults; of the
database's pools all are those that are configured.

With --json: an object a pool and file, each a line: file, pool, rounds, rated, scored, draws, uneven, unrated,
void, changes, theta, and models, each with model, log_loss, brier, accuracy, calibration_slope, difference (its mean
and standard_error against the first model) and seconds.")]
pub struct Evaluate {
    /// Files of rounds, as rbs import reads them (.gz too), - for standard input. Without files, `rbs evaluate`
    /// takes the rounds of the database.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Only rounds of this pool; without it every pool, one after another.
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Only this model, and what it is compared with; may be given several times.
    #[arg(long = "model", value_name = "NAME")]
    models: Vec<ModelName>,
    /// Compare SynElo with this setting too, as a model of its own beside the one without; may be repeated, and all count
    /// together.
    #[arg(long = "set", value_name = "SETTING=VALUE")]
    overrides: Vec<Override>,
    /// Rate at most so many rounds, the last ones.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    last: usize,
    /// Do not score this share of them, the first ones, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    skip: Probability,
    #[command(flatten)]
    ahead: HandicapOptions,
    /// Print comma-separated values in place of tables.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object a pool and file in place of tables.
    #[arg(long)]
    json: bool,
}

/// Predictions of the rounds of a pool by several models, with the results.
#[derive(Debug)]
pub struct Evaluated {
    /// How well each model did.
    pub report: Report,
    /// The predictions of each model, of the last rounds.
    pub predictions: Vec<Predictions>,
    /// The rounds that were rated, the oldest first.
    pub rounds: Vec<Round>,
}

/// What a model predicted of the rounds that were scored, and what came of each.
#[derive(Debug)]
pub struct Predictions {
    /// The model's name, and whether settings of it were changed.
    pub model: String,
    /// The probability that team a wins, and how the round ended for team a.
    pub predicted: Vec<(Probability, Score)>,
}

impl Predictions {
    /// The log loss of the round of that number, from 0.
    #[must_use]
    pub fn loss(&self, number: usize) -> Option<f64> {
        let (for_a, score) = self.predicted.get(number)?;
        Some(log_loss_term(*for_a, *score))
    }
}

/// The powers that are compared with the models, where rounds have stats.
struct Powers<'all> {
    rules: &'all PowerRules,
    sets: Option<&'all SetRules>,
}

impl Evaluate {
    /// Evaluates the files, prints what came of each pool in them, and shows it to `each`.
    ///
    /// # Errors
    /// A file that cannot be read, and files without rounds.
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

    /// Evaluates the pools of the database.
    pub(super) async fn run_on_database(self, settings: Settings) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.ahead.is_any(),
            "--advantage and --bot are for rounds of files; the pools of the database have settings, {}",
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

    /// The models, each with what it is called and its settings; SynElo first, and behind it SynElo with those of
    /// `--set`.
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

    /// Has the models predict the rounds.
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
        let format = match (self.csv, self.json) {
            (true, _) => Format::Csv { heading: is_first },
            (_, true) => Format::Json,
            _ => Format::Text { gap: !is_first },
        };
        Ok(print(&report.written(format)?)?)
    }
}

/// How well each power predicted the rounds behind the first `skipped`, which its slope is fitted on; `first` is what
/// the first model predicted of them.
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
