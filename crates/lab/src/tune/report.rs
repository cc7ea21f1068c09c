use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use crate::tuning::Fitted;
use rbs::cli::evaluate::Played;
use rbs::cli::terminal::figures::number;
use rbs::cli::terminal::output::Output;
use rbs::cli::terminal::table::Table;
use rbs::cli::terminal::words::plural;
use rbs::domain::PoolName;
use rbs::rating::{Constant, MIN_FITTED_ROUNDS, ModelName, ModelScores, PairedDifference};

/// Result of fitting a model's constants to the rounds of a pool.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    file: Option<PathBuf>,
    pool: PoolName,
    model: &'static str,
    rounds: usize,
    fitted: usize,
    scored: usize,
    looks: u32,
    constants: Vec<ConstantReport>,
    scores_usual: ModelScores,
    /// Comparison with the default constants.
    scores_fitted: ModelScores,
    verdict: Verdict,
}

#[derive(Debug, Serialize)]
struct ConstantReport {
    name: &'static str,
    usual: f64,
    fitted: f64,
}

/// Conclusion from the held-out rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    /// The fitted constants are better by at least two standard errors.
    Better,
    /// The difference is within two standard errors.
    Unsure,
    /// The default constants are better by at least two standard errors.
    Worse,
    /// Too few rounds for a conclusion.
    TooFew,
}

impl Verdict {
    fn of(rounds: usize, difference: Option<PairedDifference>) -> Self {
        let enough = u64::try_from(rounds).is_ok_and(|rounds| rounds >= MIN_FITTED_ROUNDS);
        let Some((mean, error)) = difference
            .filter(|_| enough)
            .and_then(|difference| Some((difference.mean, difference.standard_error?)))
        else {
            return Self::TooFew;
        };
        if mean.abs() < 2.0 * error || mean == 0.0 {
            Self::Unsure
        } else if mean < 0.0 {
            Self::Better
        } else {
            Self::Worse
        }
    }
}

impl Report {
    /// Builds the report: the first `fitted_to` of the `played` rounds were fitted, and the rest scored with the
    /// default and the fitted constants.
    pub(super) fn new(
        played: &Played,
        model: ModelName,
        usual: &[Constant],
        fitted: &Fitted,
        fitted_to: usize,
        [scores_usual, scores_fitted]: [ModelScores; 2],
    ) -> Self {
        let constants = usual.iter().zip(&fitted.constants);
        let constants = constants.map(|(usual, fitted)| ConstantReport {
            name: fitted.name,
            usual: usual.value,
            fitted: short(fitted.value),
        });
        let scored = played.rounds.len() - fitted_to;
        Self {
            file: played.file.clone(),
            pool: played.pool.clone(),
            model: model.name(),
            rounds: played.rounds.len(),
            fitted: fitted_to,
            scored,
            looks: fitted.looks,
            constants: constants.collect(),
            scores_usual,
            scores_fitted,
            verdict: Verdict::of(fitted_to.min(scored), scores_fitted.difference),
        }
    }

    pub(super) fn text(&self, text: &mut Output) -> fmt::Result {
        let file = self.file.as_ref().map_or_else(
            || "Standard input".to_owned(),
            |file| file.display().to_string(),
        );
        let table = Table::new(&self.constants)
            .left("constant", |row| row.name)
            .right("usual", |row| short(row.usual))
            .right("fitted", |row| row.fitted);
        writeln!(
            text,
            "{file}, pool {}: {} fitted to {}, measured on the {} after them; {} tried",
            self.pool,
            self.model,
            plural(self.fitted as u64, "round"),
            self.scored,
            plural(self.looks.into(), "set"),
        )?;
        text.table(table);
        let [usual, fitted] =
            [self.scores_usual, self.scores_fitted].map(|scores| number(scores.log_loss, 4));
        let gained = self.scores_fitted.difference.map(|difference| {
            let error = number(difference.standard_error, 4);
            format!("{:+.4} ± {error} nats a round", -difference.mean)
        });
        let gained = gained.unwrap_or_else(|| "-".to_owned());
        let advice = self.advice();
        let to_paste = match self.verdict {
            Verdict::Better => self.to_paste(),
            _ => String::new(),
        };
        write!(
            text,
            "log loss of the later rounds: {usual} as usual, {fitted} fitted, gained {gained}\n{advice}\n{to_paste}"
        )
    }

    /// Recommendation in one sentence.
    fn advice(&self) -> String {
        match self.verdict {
            Verdict::Better if self.model == ModelName::SynElo.name() => {
                "The fitted constants predict better. To rate by them, paste into the configuration:".to_owned()
            }
            Verdict::Better => format!(
                "The fitted constants predict better. Pools are not rated by {}; these are its constants:",
                self.model
            ),
            Verdict::Unsure => {
                "Whether the fitted constants predict better cannot be told from so many rounds: keep the usual ones."
                    .to_owned()
            }
            Verdict::Worse => {
                "The fitted constants predict later rounds worse: keep the usual ones.".to_owned()
            }
            Verdict::TooFew => format!(
                "There are too few rounds to know: it takes {MIN_FITTED_ROUNDS} to fit to and {MIN_FITTED_ROUNDS} \
                 later ones to measure on. Keep the usual constants."
            ),
        }
    }

    /// The constants as a configuration table.
    fn to_paste(&self) -> String {
        let pool = key(self.pool.as_str());
        let lines = self.constants.iter();
        let lines = lines.map(|constant| format!("{} = {:?}\n", constant.name, constant.fitted));
        let table = if self.model == ModelName::SynElo.name() {
            format!("\n[pools.{pool}]\n")
        } else {
            "\n".to_owned()
        };
        table + &lines.collect::<String>()
    }
}

/// TOML key for a name. Names with characters other than letters, digits, dashes and underscores are quoted.
pub(super) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        format!("\"{name}\"")
    }
}

/// Rounds a number to four significant digits.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
