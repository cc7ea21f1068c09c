use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use super::rounds::Played;
use crate::cli::terminal::figures::{number, percent, signed};
use crate::cli::terminal::json::line;
use crate::cli::terminal::output::Output;
use crate::cli::terminal::screen::Screen;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::domain::{PoolName, Round};
use crate::rating::{ComparedRounds, ModelScores};

/// Limit of the comparison: models with constants could predict better with others.
const PEERS: &str = "Models other than synelo use their default constants; rbs-lab tune can fit them to your rounds.";

#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    Text {
        /// `true` to print an empty line before the table.
        gap: bool,
    },
    Csv {
        /// `true` to print the headings of the columns.
        heading: bool,
    },
    Json,
}

/// Report on how well models predicted the rounds of a pool.
#[derive(Debug, Serialize)]
pub struct Report {
    file: Option<PathBuf>,
    pool: PoolName,
    rounds: u64,
    rated: usize,
    scored: usize,
    /// Number of draws among the scored rounds.
    draws: u64,
    /// Number of scored rounds with teams of different sizes.
    uneven: u64,
    /// Number of scored rounds in which a team had no rated players.
    unrated: u64,
    void: u64,
    changes: u64,
    theta: f64,
    models: Vec<ModelReport>,
}

#[derive(Debug, Serialize)]
pub(super) struct ModelReport {
    pub(super) model: String,
    #[serde(flatten)]
    pub(super) scores: ModelScores,
    pub(super) seconds: f64,
}

impl ModelReport {
    fn difference(&self) -> String {
        let Some(of) = self.scores.difference else {
            return "-".to_owned();
        };
        let error = number(of.standard_error, 4);
        format!("{} ± {error}", signed(Some(of.mean), 4))
    }
}

impl Report {
    /// Creates a report on predictions. `rated` is a part of the rounds that were `played`, and `scored` a part of the
    /// rated ones.
    pub(super) fn new(
        played: &Played,
        rated: &[Round],
        scored: &[Round],
        theta: f64,
        models: Vec<ModelReport>,
    ) -> Self {
        let mut counted = ComparedRounds::default();
        for round in scored {
            counted.count(round);
        }
        Self {
            file: played.file.clone(),
            pool: played.pool.clone(),
            rounds: played.taken - played.voided,
            rated: rated.len(),
            scored: scored.len(),
            draws: counted.draws,
            uneven: counted.uneven,
            unrated: counted.unrated,
            void: played.voided,
            changes: played.changes,
            theta,
            models,
        }
    }

    pub(super) fn written(&self, format: Format) -> anyhow::Result<Vec<u8>> {
        Ok(match format {
            Format::Json => line(self)?,
            Format::Csv { heading } => self.values(heading)?.into_bytes(),
            Format::Text { gap } => {
                let text = self.text()?.shown(Screen::stdout());
                let gap = if gap { "\n" } else { "" };
                format!("{gap}{text}").into_bytes()
            }
        })
    }

    /// Returns the title of the report: the rounds' file and pool.
    #[must_use]
    pub fn title(&self) -> String {
        let file = self.file.as_ref().map_or_else(
            || "The database".to_owned(),
            |file| file.display().to_string(),
        );
        format!("{file}, pool {}", self.pool)
    }

    /// Describes the numbers of rounds that were read, rated, scored and left out, in words.
    #[must_use]
    pub fn counts(&self) -> String {
        let left_out: Vec<String> = [(self.void, "void round"), (self.changes, "admin change")]
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| plural(*count, what))
            .collect();
        let left_out = if left_out.is_empty() {
            String::new()
        } else {
            format!("; {} left out", left_out.join(" and "))
        };
        format!(
            "{}; the last {} were rated, and the predictions of the last {} of these were scored ({}, {} with uneven \
             teams, {} with a team without rated players{left_out}); theta {}",
            plural(self.rounds, "round"),
            self.rated,
            self.scored,
            plural(self.draws, "draw"),
            self.uneven,
            self.unrated,
            self.theta,
        )
    }

    /// Returns the rows of the table of models and their scores, headings first.
    pub fn rows(&self) -> Vec<[String; 6]> {
        let headings = [
            "model",
            "log loss",
            "against the first",
            "Brier",
            "accuracy",
            "slope",
        ];
        let rows = self.models.iter().map(|model| {
            [
                model.model.clone(),
                number(model.scores.log_loss, 4).to_string(),
                model.difference(),
                number(model.scores.brier, 4).to_string(),
                percent(model.scores.accuracy).to_string(),
                number(model.scores.calibration_slope, 2).to_string(),
            ]
        });
        std::iter::once(headings.map(str::to_owned))
            .chain(rows)
            .collect()
    }

    fn text(&self) -> Result<Output, fmt::Error> {
        let rows = self.rows();
        let (headings, rows) = rows
            .split_first()
            .map_or((&[][..], &[][..]), |(first, rows)| (first.as_slice(), rows));
        let mut table = Table::new(rows);
        for (column, heading) in headings.iter().enumerate() {
            table = if column == 0 {
                table.left(heading, |row: &[String; 6]| row[0].clone())
            } else {
                table.right(heading, move |row: &[String; 6]| row[column].clone())
            };
        }
        let mut text = Output::new();
        writeln!(text, "{}: {}", self.title(), self.counts())?;
        text.table(table);
        writeln!(text, "{}", self.advice())?;
        Ok(text)
    }

    /// Returns a sentence that names the model with the best predictions, and by how much it is better.
    #[must_use]
    pub fn advice(&self) -> String {
        let best = self.models.iter().min_by(|one, other| {
            let loss = |model: &ModelReport| model.scores.log_loss.unwrap_or(f64::INFINITY);
            loss(one).total_cmp(&loss(other))
        });
        let Some((best, first)) = best.zip(self.models.first()).filter(|_| self.scored > 0) else {
            return "There is nothing to compare.".to_owned();
        };
        let Some(of) = best.scores.difference.filter(|_| best.model != first.model) else {
            return format!(
                "No model predicts these rounds better than {}. {PEERS}",
                first.model
            );
        };
        let error = of.standard_error.unwrap_or(f64::INFINITY);
        let (gain, error_text) = (number(Some(-of.mean), 4), number(of.standard_error, 4));
        if -of.mean < 2.0 * error {
            return format!(
                "{} predicts best: its log loss per round is {gain} ± {error_text} lower than that of {}, but there \
                 are too few rounds to be sure. {PEERS}",
                best.model, first.model
            );
        }
        format!(
            "{} predicts best: its log loss per round is {gain} ± {error_text} lower than that of {}. {PEERS}",
            best.model, first.model
        )
    }

    fn values(&self, heading: bool) -> anyhow::Result<String> {
        let mut text = String::new();
        if heading {
            text.push_str(
                "file,pool,model,rounds,rated,scored,log_loss,brier,accuracy,calibration_slope,difference,\
                 standard_error\n",
            );
        }
        let figure = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let file = self.file.as_ref().map(|file| file.display().to_string());
        let file = quoted(&file.unwrap_or_default());
        for model in &self.models {
            let difference = model.scores.difference;
            writeln!(
                text,
                "{file},{},{},{},{},{},{},{},{},{},{},{}",
                self.pool,
                model.model,
                self.rounds,
                self.rated,
                self.scored,
                figure(model.scores.log_loss),
                figure(model.scores.brier),
                figure(model.scores.accuracy),
                figure(model.scores.calibration_slope),
                figure(difference.map(|of| of.mean)),
                figure(difference.and_then(|of| of.standard_error)),
            )?;
        }
        Ok(text)
    }
}

/// Quotes a value for CSV if needed, by RFC 4180.
fn quoted(value: &str) -> String {
    if value.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}
