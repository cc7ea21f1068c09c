mod bots;
mod report;

use std::path::PathBuf;

use clap::Args;

use crate::bot_fit::fit_bots;
use crate::tuning::fit;
use bots::BotsReport;
use rbs::cli::arguments::{share, whole};
use rbs::cli::evaluate::{Played, read_file, theta_for};
use rbs::cli::handicap::HandicapOptions;
use rbs::cli::terminal::output::{Format, print};
use rbs::cli::terminal::progress::Meter;
use rbs::config::{Override, Overrides};
use rbs::domain::{PoolName, Probability, Round, Score, Side};
use rbs::rating::{Constant, InMemoryPool, ModelName, ModelScores, Parameters, log_loss_term};
use report::Report;

/// Fraction of the fitted rounds that is not scored, because all models begin without ratings.
const BEGINNING: f64 = 0.2;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The constants are fitted to the earlier rounds alone. What is printed as gained is over the later ones, which had
no part in it. With SynElo what to paste is a part of the configuration; other models have no settings in pools.

With --json: an object a pool and file, each a line: file, pool, model, rounds, fitted (rounds that the constants
were fitted to), scored (later rounds), looks (sets of constants that were tried), constants (each with name, usual and fitted),
log_loss_usual, log_loss_fitted, gain (its mean and standard_error, in nats a round, above 0 where the fitted
constants are better) and verdict, which is better, unsure, worse or too_few. With --bots too: file, pool, rounds, theta
and levels, each with level, rounds (in which one team had more of it), rating, standard_error and known, which
says whether the rating is sure enough to be set.")]
pub(crate) struct Tune {
    /// Files of rounds, as rbs import reads them (.gz too), - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Model whose constants to fit
    #[arg(long, value_name = "NAME", default_value = "synelo")]
    model: ModelName,
    /// Begin with this setting in place of the default; repeatable
    #[arg(long = "set", value_name = "SETTING=VALUE")]
    overrides: Vec<Override>,
    /// Only rounds of this pool; without it every pool separately
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    /// Use at most this many rounds, the latest ones
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    last: usize,
    /// Fraction of the rounds, the latest ones, reserved to measure the gain, 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = share)]
    held_out: Probability,
    /// Maximum number of parameter sets to try
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole(1..=10_000_u32))]
    looks: u32,
    /// Fit the ratings of bots of each level ([pools.NAME.bots]) in place of constants
    #[arg(long, conflicts_with_all = ["model", "held_out", "looks"])]
    bots: bool,
    #[command(flatten)]
    ahead: HandicapOptions,
    #[command(flatten)]
    format: Format,
}

impl Tune {
    /// Fits the constants to the rounds of the files.
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            !self.model.constants(&Parameters::default()).is_empty(),
            "{} has no constants to fit: it learns from the rounds whatever differs between pools",
            self.model
        );
        let mut is_first = true;
        for file in &self.files {
            for played in read_file(file, self.pool.as_ref(), self.last)? {
                if !is_first && !self.format.json {
                    print(b"\n")?;
                }
                is_first = false;
                if self.bots {
                    let parameters = self.parameters(&played)?;
                    let skipped = part(played.rounds.len(), BEGINNING);
                    let fitted = fit_bots(&played.rounds, &parameters, skipped)?;
                    let report = BotsReport::new(&played, parameters.theta, fitted);
                    self.format.print(&report, BotsReport::text)?;
                } else {
                    let report = self.tune(&played)?;
                    self.format.print(&report, Report::text)?;
                }
            }
        }
        anyhow::ensure!(!is_first, "there is no round to fit to in the files");
        Ok(())
    }

    /// Rating parameters of the rounds, except the fitted constants.
    fn parameters(&self, played: &Played) -> anyhow::Result<Parameters> {
        let parameters = self.ahead.over(&Parameters {
            theta: theta_for(&played.rounds),
            ..Parameters::default()
        })?;
        let set = Overrides(self.overrides.clone()).over(&parameters);
        set.map_err(|problem| anyhow::anyhow!("--set: {problem}"))
    }

    fn tune(&self, played: &Played) -> anyhow::Result<Report> {
        let rounds = &played.rounds;
        let parameters = self.parameters(played)?;
        let later = part(rounds.len(), self.held_out.get());
        let (earlier, _) = rounds.split_at(rounds.len() - later);
        let beginning = part(earlier.len(), BEGINNING);
        let mut meter = Meter::start(Some(self.looks.into()))?;
        let usual = self.model.constants(&parameters);
        let fitted = fit(&usual, self.looks, |constants| {
            meter.bar.inc(1);
            if let Some(estimate) = meter.tick(format!("Fitting {}", self.model)) {
                tracing::info!(percent = estimate.percent, "Fitting");
            }
            self.loss(&parameters, constants, earlier, beginning)
        });
        meter.finish();
        let predictions = |constants: &[Constant]| -> anyhow::Result<_> {
            let predicted = self.predictions(&parameters, constants, rounds)?;
            Ok(predicted[earlier.len()..].to_vec())
        };
        let (before, after) = (predictions(&usual)?, predictions(&fitted.constants)?);
        let scores = [
            ModelScores::of(&before, None),
            ModelScores::of(&after, Some(&before)),
        ];
        Ok(Report::new(
            played,
            self.model,
            &usual,
            &fitted,
            earlier.len(),
            scores,
        ))
    }

    /// Predictions of the model for each round, with the outcomes.
    fn predictions(
        &self,
        parameters: &Parameters,
        constants: &[Constant],
        rounds: &[Round],
    ) -> anyhow::Result<Vec<(Probability, Score)>> {
        let mut pool = InMemoryPool::with_constants(self.model, parameters, constants)?;
        rounds
            .iter()
            .map(|round| Ok((pool.rate(round)?, round.parts().winner.score(Side::A))))
            .collect()
    }

    /// Mean log loss over all but the first rounds; infinite if the constants are invalid together.
    fn loss(
        &self,
        parameters: &Parameters,
        constants: &[Constant],
        rounds: &[Round],
        skipped: usize,
    ) -> f64 {
        let Ok(predicted) = self.predictions(parameters, constants, rounds) else {
            return f64::INFINITY;
        };
        let scored = &predicted[skipped..];
        let terms = scored
            .iter()
            .map(|(for_a, score)| log_loss_term(*for_a, *score));
        #[expect(clippy::cast_precision_loss, reason = "rounds are far below 2^53")]
        let count = scored.len().max(1) as f64;
        terms.sum::<f64>() / count
    }
}

/// Number of items in this share of `length`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of a length is a length"
)]
fn part(length: usize, share: f64) -> usize {
    (length as f64 * share) as usize
}
