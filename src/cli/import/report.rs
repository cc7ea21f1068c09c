use std::collections::{BTreeMap, HashSet};
use std::io;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use crate::api::{Figure, QualityAnswer};
use crate::cli::terminal::figures::{moment, number, or_dash, rate};
use crate::cli::terminal::words::plural;
use crate::domain::{self, PlayerId, PoolName, RoundId, ServerName, Timestamp, Winner};
use crate::service::{Service, ServiceError};

#[derive(Debug, Default, Serialize)]
pub(super) struct Tally {
    pub(super) counted: u64,
    pub(super) duplicates: u64,
    pub(super) changes: u64,
    pub(super) bad: u64,
    /// Number of imported files that could not be read to their end.
    pub(super) unread: u64,
    pub(super) skipped: BTreeMap<&'static str, u64>,
    pub(super) preview: Option<Preview>,
}

/// Rounds that an import with `--dry-run` would count.
#[derive(Debug, Default, Serialize)]
pub(super) struct Preview {
    draws: u64,
    players: usize,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
    #[serde(skip)]
    seen: (HashSet<(ServerName, RoundId)>, HashSet<PlayerId>),
}

impl Tally {
    pub(super) fn done(&self) -> u64 {
        self.counted + self.duplicates + self.changes
    }

    /// Returns an error if the import of all files failed in part: unread files, or no good line.
    pub(super) fn verdict(&self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.unread == 0,
            "{} of the files could not be read to the end; the reasons are above",
            self.unread
        );
        anyhow::ensure!(
            self.bad == 0 || self.done() > 0,
            "no line was valid; the reasons are above"
        );
        Ok(())
    }

    pub(super) async fn preview(
        &mut self,
        service: &Service,
        report: &domain::Report,
    ) -> Result<(), ServiceError> {
        let preview = self.preview.get_or_insert_default();
        let (rounds, players) = &mut preview.seen;
        let parts = report.parts();
        let (server, round_id) = report.name();
        match service.get_round(server, round_id).await {
            Err(ServiceError::NoSuchRound { .. }) if rounds.insert(report.name()) => {
                self.counted += 1;
                preview.draws += u64::from(parts.winner == Winner::Draw);
                players.extend(report.participants().map(|(_, entry)| entry.id));
                preview.players = players.len();
                preview.first = preview.first.into_iter().chain(parts.ended_at).min();
                preview.last = preview.last.max(parts.ended_at);
            }
            Ok(_) | Err(ServiceError::NoSuchRound { .. } | ServiceError::RoundPruned(_)) => {
                self.duplicates += 1;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

#[derive(Serialize)]
pub(super) struct Report<'run> {
    #[serde(flatten)]
    tally: &'run Tally,
    seconds: f64,
    pools: Option<Vec<PoolReport>>,
    warning: Option<String>,
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

pub(super) fn for_programs<'run>(
    tally: &'run Tally,
    took: Duration,
    pools: Option<&[QualityAnswer]>,
    warning: Option<String>,
) -> Report<'run> {
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
        tally,
        seconds: took.as_secs_f64(),
        pools: pools.map(|pools| pools.iter().map(report).collect()),
        warning,
    }
}

/// Returns a warning about imported rounds with impossible ending times. `place` is the file and line of the first one.
pub(super) fn odd_times(rounds: u64, place: &str) -> String {
    format!(
        "{} ended before the year 2000 or in the future, the first at {place}; if a clock was wrong, correct \
         \"ended_at\" and import into a new database",
        plural(rounds, "round")
    )
}

pub(super) fn print_tally(
    output: &mut impl Write,
    tally: &Tally,
    took: Duration,
) -> io::Result<()> {
    match &tally.preview {
        None => writeln!(output, "Rounds counted:   {}", tally.counted)?,
        Some(preview) => {
            let at = |time: Option<Timestamp>| or_dash(time.map(moment));
            let (first, last) = (at(preview.first), at(preview.last));
            writeln!(output, "Dry run:          nothing was imported")?;
            writeln!(output, "Rounds to count:  {}", tally.counted)?;
            writeln!(output, "Draws:            {}", preview.draws)?;
            writeln!(output, "Players:          {}", preview.players)?;
            writeln!(output, "Rounds ended:     between {first} and {last} UTC")?;
        }
    }
    writeln!(output, "Counted before:   {}", tally.duplicates)?;
    writeln!(output, "Admin changes:    {}", tally.changes)?;
    writeln!(output, "Bad lines:        {}", tally.bad)?;
    writeln!(output, "Unreadable files: {}", tally.unread)?;
    for (reason, rounds) in &tally.skipped {
        writeln!(
            output,
            "Skipped:          {}, {reason}",
            plural(*rounds, "round")
        )?;
    }
    let (seconds, rate) = (took.as_secs_f64(), rate(tally.done(), took));
    writeln!(
        output,
        "Time:             {seconds:.1} s, {rate:.0} lines a second"
    )
}

pub(super) fn print_quality(output: &mut impl Write, quality: &QualityAnswer) -> io::Result<()> {
    writeln!(
        output,
        "\nPool {}: {}, {} drawn, {}, theta {}",
        quality.pool,
        plural(quality.rounds, "round"),
        quality.draws,
        plural(quality.players.total, "player"),
        quality.theta
    )?;
    writeln!(output, "{}", quality.verdict.message)?;
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
