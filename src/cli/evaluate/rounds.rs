//! The rounds that are evaluated.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use crate::api::LogLine;
use crate::cli::import::lines::{Line, is_standard_input, read_ahead};
use crate::domain::{PoolName, Report, Round, RoundAction, RoundId, ServerName, Side, Timestamp};
use crate::rating::theta_for_team_size;

/// The rounds of a pool, in the order in which they were counted.
pub struct Played {
    /// Where they stand; `None` for the database.
    pub file: Option<PathBuf>,
    /// The pool that the rounds count in.
    pub pool: PoolName,
    /// Of those that count the last `last`, and before [`Played::counted`] some more.
    pub rounds: Vec<Round>,
    last: usize,
    /// How many rounds were taken in, void ones among them.
    pub taken: u64,
    /// How many rounds were left out because they count for nothing.
    pub voided: u64,
    /// How many changes of players were left out: not every model knows how to make them.
    pub changes: u64,
    void: HashSet<(ServerName, RoundId)>,
}

impl Played {
    /// None yet, and at most the `last` so many of those that come.
    #[must_use]
    pub fn new(file: Option<PathBuf>, pool: PoolName, last: usize) -> Self {
        Self {
            file,
            pool,
            rounds: Vec::new(),
            last,
            taken: 0,
            voided: 0,
            changes: 0,
            void: HashSet::new(),
        }
    }

    /// Takes in what stands next.
    pub fn take(&mut self, line: LogLine) {
        match line {
            LogLine::Round(report) => self.take_round(report),
            LogLine::Change(_) | LogLine::Season(_) => self.changes += 1,
            // Neither it nor what it undoes is made.
            LogLine::Undo(_) => {}
            LogLine::RoundChange(line) => {
                let name = (line.server, line.round_id);
                match line.action {
                    RoundAction::Void => {
                        self.void.insert(name);
                    }
                    RoundAction::Unvoid => {
                        self.void.remove(&name);
                    }
                    // It stands behind its round, mostly right behind it.
                    RoundAction::Correct { winner } => {
                        let mut rounds = self.rounds.iter_mut().rev();
                        if let Some(round) = rounds.find(|round| round.name() == name) {
                            round.set_winner(winner);
                        }
                    }
                }
            }
        }
    }

    /// A round without a time has ended when the one before it has.
    fn take_round(&mut self, report: Report) {
        let last = self.rounds.last().map(Round::ended_at);
        let ended_at = report
            .parts()
            .ended_at
            .or(last)
            .unwrap_or(Timestamp::UNIX_EPOCH);
        self.rounds
            .push(report.settled(ended_at, self.pool.clone()));
        self.taken += 1;
        // A void stands behind its round, mostly right behind it.
        if self.rounds.len() > self.last.saturating_mul(2) {
            self.leave_out();
        }
    }

    /// Leaves out what counts for nothing, and what is not rated.
    #[must_use]
    pub fn counted(mut self) -> Self {
        self.leave_out();
        self
    }

    fn leave_out(&mut self) {
        let before = self.rounds.len();
        let void = &self.void;
        self.rounds.retain(|round| !void.contains(&round.name()));
        self.voided += (before - self.rounds.len()) as u64;
        let more = self.rounds.len().saturating_sub(self.last);
        self.rounds.drain(..more);
    }
}

/// The rounds of a file by their pools, the pool that was named first before the others; those without one are of
/// `default`. Of `wanted` alone, where that is given.
pub fn read_file(
    file: &Path,
    wanted: Option<&PoolName>,
    last: usize,
) -> anyhow::Result<Vec<Played>> {
    let source = (!is_standard_input(file)).then(|| file.to_owned());
    let (mut lines, reading) = read_ahead(vec![file.to_owned()], ProgressBar::hidden());
    let mut pools: Vec<Played> = Vec::new();
    while let Some(Line { place, content }) = lines.blocking_recv() {
        let line = match content {
            Ok((line, _)) => line,
            Err(fault) => anyhow::bail!("{place}: {fault}"),
        };
        let named = match &line {
            LogLine::Round(report) => report.parts().pool.clone(),
            LogLine::Change(change) => Some(change.pool.clone()),
            LogLine::Season(season) => Some(season.pool.clone()),
            LogLine::RoundChange(_) | LogLine::Undo(_) => None,
        };
        if let LogLine::RoundChange(_) | LogLine::Undo(_) = line {
            // A round is void in whichever pool it is.
            for pool in &mut pools {
                pool.take(line.clone());
            }
            continue;
        }
        let name = named.unwrap_or_default();
        if wanted.is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let at = pools
            .iter()
            .position(|pool| pool.pool == name)
            .unwrap_or_else(|| {
                pools.push(Played::new(source.clone(), name, last));
                pools.len() - 1
            });
        pools[at].take(line);
    }
    anyhow::ensure!(reading.join().is_ok(), "reading {} failed", file.display());
    Ok(pools.into_iter().map(Played::counted).collect())
}

/// Θ for the largest team of these rounds, as it stood at the start.
#[must_use]
pub fn theta_for(rounds: &[Round]) -> f64 {
    let size = |round: &Round, side: Side| {
        round
            .entries()
            .filter(|(of, entry)| *of == side && entry.at_start)
            .count()
    };
    let largest = rounds
        .iter()
        .map(|round| size(round, Side::A).max(size(round, Side::B)))
        .max()
        .unwrap_or_default();
    theta_for_team_size(u32::try_from(largest).unwrap_or(u32::MAX))
}
