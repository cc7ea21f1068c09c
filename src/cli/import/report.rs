use std::io;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::Tally;
use super::progress::rate;
use crate::api::{Figure, QualityAnswer};
use crate::cli::terminal::figures::number;
use crate::cli::terminal::words::plural;
use crate::domain::PoolName;

impl Tally {
    /// Good lines so far.
    pub(super) fn done(&self) -> u64 {
        self.counted + self.duplicates + self.changes
    }
}

/// What an import did, for programs.
#[derive(Serialize)]
pub(super) struct Report {
    counted: u64,
    duplicates: u64,
    changes: u64,
    bad: u64,
    unread: u64,
    seconds: f64,
    pools: Option<Vec<PoolReport>>,
}

#[derive(Serialize)]
struct PoolReport {
    pool: PoolName,
    rounds: u64,
    draws: u64,
    players: u64,
    theta: f64,
    window: u32,
    brier: Figure,
    log_loss: Figure,
    accuracy: Figure,
}

/// The same as a program reads it; the figures of the pools where it came to its end.
pub(super) fn for_programs(
    tally: &Tally,
    took: Duration,
    pools: Option<&[QualityAnswer]>,
) -> Report {
    let Tally {
        counted,
        duplicates,
        changes,
        bad,
        unread,
    } = *tally;
    let report = |quality: &QualityAnswer| PoolReport {
        pool: quality.pool.clone(),
        rounds: quality.rounds,
        draws: quality.draws,
        players: quality.players.total,
        theta: quality.theta,
        window: quality.window,
        brier: quality.brier,
        log_loss: quality.log_loss,
        accuracy: quality.accuracy,
    };
    Report {
        counted,
        duplicates,
        changes,
        bad,
        unread,
        seconds: took.as_secs_f64(),
        pools: pools.map(|pools| pools.iter().map(report).collect()),
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

pub(super) fn print_quality(output: &mut impl Write, quality: &QualityAnswer) -> io::Result<()> {
    writeln!(output)?;
    writeln!(
        output,
        "Pool {}: {}, {} drawn, {}, theta {}",
        quality.pool,
        plural(quality.rounds, "round"),
        quality.draws,
        plural(quality.players.total, "player"),
        quality.theta
    )?;
    writeln!(output, "              last {:<6} all", quality.window)?;
    for (name, figure) in [
        ("Brier score", quality.brier),
        ("Log loss", quality.log_loss),
        ("Accuracy", quality.accuracy),
    ] {
        let (window, all) = (number(figure.window, 4), number(figure.all, 4));
        writeln!(output, "{name:<13} {window:<11} {all}")?;
    }
    Ok(())
}
