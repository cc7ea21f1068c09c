use std::io::{self, Write};
use std::time::Duration;

use super::Tally;
use super::progress::rate;
use crate::service::{Pool, Quality};

impl Tally {
    /// Good lines so far.
    pub(super) fn done(&self) -> u64 {
        self.counted + self.duplicates + self.changes
    }
}

pub(super) fn print_tally(
    output: &mut impl Write,
    tally: &Tally,
    took: Duration,
) -> io::Result<()> {
    let Tally {
        counted,
        duplicates,
        changes,
        bad,
        unread,
    } = tally;
    writeln!(output, "Rounds counted:   {counted}")?;
    writeln!(output, "Counted before:   {duplicates}")?;
    writeln!(output, "Admin changes:    {changes}")?;
    writeln!(output, "Bad lines:        {bad}")?;
    writeln!(output, "Unreadable files: {unread}")?;
    writeln!(
        output,
        "Time:             {:.1} s, {:.0} lines a second",
        took.as_secs_f64(),
        rate(tally, took)
    )
}

pub(super) fn print_quality(
    output: &mut impl Write,
    pool: &Pool,
    quality: &Quality,
) -> io::Result<()> {
    let parameters = &pool.settings.parameters;
    writeln!(output)?;
    writeln!(
        output,
        "Pool {}: {} rounds, {} drawn, {} players, theta {}",
        pool.name, quality.rounds, quality.draws, quality.players.total, parameters.theta
    )?;
    writeln!(output, "              last {:<6} all", parameters.window)?;
    for (name, figure) in [
        ("Brier score", quality.brier),
        ("Log loss", quality.log_loss),
        ("Accuracy", quality.accuracy),
    ] {
        let text = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
        writeln!(
            output,
            "{name:<13} {:<11} {}",
            text(figure.window),
            text(figure.all)
        )?;
    }
    Ok(())
}
