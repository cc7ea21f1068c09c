use std::fmt;
use std::fmt::Write as _;

use super::Path;
use super::view::InPool;
use crate::api::{Figure, ModelFiguresAnswer, ModelsAnswer};
use crate::cli::terminal::figures::{number, percent, signed};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::{Table, visible};
use crate::cli::terminal::words::plural;
use crate::config::Flags;

pub(crate) const HELP: &str = "\
The challengers of a pool (the setting challengers) predict every round alongside the pool's own model. The difference
is the log loss per round minus that of the pool's own model: below 0, the challenger predicts better.

Examples:
  rbs models
  rbs models --pool arena --json";

pub(crate) fn run(pool: &InPool, flags: &Flags) -> anyhow::Result<()> {
    pool.show(flags, Path::at("/v1/admin/models"), text)
}

fn text(answer: &ModelsAnswer, text: &mut Output) -> fmt::Result {
    writeln!(
        text,
        "Pool {}: {}, rated by {}",
        answer.pool,
        plural(answer.rounds, "round"),
        answer.model
    )?;
    if !answer.models.is_empty() {
        let compared = answer.compared;
        writeln!(
            text,
            "Compared on {} up to round {}:\n{}, {} with uneven teams, {} where one team had no rated players\n",
            plural(compared.rounds, "round"),
            answer.caught_up_to,
            plural(compared.draws, "draw"),
            compared.uneven,
            compared.unrated
        )?;
        writeln!(text, "All")?;
        text.table(table(&answer.models, |figures| figures.all));
        writeln!(text, "\nThe last {}", answer.window)?;
        text.table(table(&answer.models, |figures| figures.window));
        writeln!(text)?;
    }
    writeln!(text, "Advice: {}", visible(&answer.advice))
}

fn table(
    models: &[ModelFiguresAnswer],
    of: fn(Figure) -> Option<f64>,
) -> Table<'_, ModelFiguresAnswer> {
    Table::new(models)
        .left("model", |row| &row.model)
        .right("log loss", |row| number(of(row.log_loss), 4))
        .right("difference", |row| signed(of(row.difference), 4))
        .right("standard error", |row| number(of(row.standard_error), 4))
        .right("Brier", |row| number(of(row.brier), 4))
        .right("accuracy", |row| percent(of(row.accuracy)))
        .right("slope", |row| number(of(row.calibration_slope), 2))
}
