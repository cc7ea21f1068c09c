use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use super::rounds::Played;
use crate::cli::terminal::figures::{number, or_nothing, percent, signed};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::domain::{PoolName, Round};
use crate::rating::{ComparedRounds, ModelScores};

/// Limit of the comparison: models with constants could predict better with others.
const PEERS: &str = "Models other than synelo use their default constants; rbs-lab tune can fit them to your rounds.";

/// Headings of the table of models and their scores.
pub const HEADINGS: [&str; 6] = [
    "model",
    "log loss",
    "against the first",
    "Brier",
    "accuracy",
    "slope",
];

/// Report on how well models predicted the rounds of a pool.
#[derive(Debug, Serialize)]
pub struct Report {
    file: Option<PathBuf>,
    pool: PoolName,
    rounds: u64,
    rated: usize,
    scored: usize,
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
            "{}; the last {} were rated. The predictions for the last {} were scored ({}, {} with uneven teams, {} \
             where one team had no rated players){left_out}. Theta: {}",
            plural(self.rounds, "round"),
            self.rated,
            self.scored,
            plural(self.draws, "draw"),
            self.uneven,
            self.unrated,
            self.theta,
        )
    }

    /// Returns the rows of the table of models and their scores, below [`HEADINGS`].
    #[must_use]
    pub fn rows(&self) -> Vec<[String; 6]> {
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
        rows.collect()
    }

    pub(super) fn text(&self, text: &mut Output) -> fmt::Result {
        let rows = self.rows();
        let mut table = Table::new(&rows).left(HEADINGS[0], |row| &row[0]);
        for (column, heading) in HEADINGS.iter().enumerate().skip(1) {
            table = table.right(heading, move |row| &row[column]);
        }
        writeln!(text, "{}: {}", self.title(), self.counts())?;
        text.table(table);
        writeln!(text, "{}", self.advice())
    }

    /// Returns a sentence that names the model with the best predictions, and by how much it is better.
    #[must_use]
    pub fn advice(&self) -> String {
        let best = self.models.iter().min_by(|one, other| {
            let loss = |model: &ModelReport| model.scores.log_loss.unwrap_or(f64::INFINITY);
            loss(one).total_cmp(&loss(other))
        });
        let Some((best, first)) = best.zip(self.models.first()).filter(|_| self.scored > 0) else {
            return "There is nothing to compare: no round was scored.".to_owned();
        };
        let Some(of) = best.scores.difference.filter(|_| best.model != first.model) else {
            return format!(
                "No model predicts these rounds better than {}. {PEERS}",
                first.model
            );
        };
        let is_unsure = -of.mean < 2.0 * of.standard_error.unwrap_or(f64::INFINITY);
        format!(
            "{} predicts best: its log loss per round is {} ± {} lower than that of {}{}. {PEERS}",
            best.model,
            number(Some(-of.mean), 4),
            number(of.standard_error, 4),
            first.model,
            if is_unsure {
                ", but there are too few rounds to be sure"
            } else {
                ""
            }
        )
    }

    /// Returns the scores of the models with everything that spreadsheets need.
    pub(super) fn values(&self) -> Table<'_, ModelReport> {
        let file = or_nothing(self.file.as_ref().map(|file| file.display()));
        let difference = |model: &ModelReport| model.scores.difference;
        Table::new(&self.models)
            .left("file", move |_| file.clone())
            .left("pool", |_| &self.pool)
            .left("model", |model| &model.model)
            .right("rounds", |_| self.rounds)
            .right("rated", |_| self.rated)
            .right("scored", |_| self.scored)
            .right("log_loss", |model| number(model.scores.log_loss, 4))
            .right("brier", |model| number(model.scores.brier, 4))
            .right("accuracy", |model| percent(model.scores.accuracy))
            .right("calibration_slope", |model| {
                number(model.scores.calibration_slope, 2)
            })
            .right("difference", |model| {
                number(difference(model).map(|of| of.mean), 4)
            })
            .right("standard_error", |model| {
                number(difference(model).and_then(|of| of.standard_error), 4)
            })
    }
}
