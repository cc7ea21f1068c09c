use std::collections::HashSet;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use crate::api::LogLine;
use crate::cli::import::lines::{Line, is_standard_input, read_ahead};
use crate::cli::import::pool_of;
use crate::domain::{PoolName, Report, Round, RoundAction, RoundId, ServerName, Side, Timestamp};
use crate::rating::theta_for_team_size;

/// Rounds of a pool to evaluate models on, in the order of the pool's log.
pub struct Played {
    /// File that the rounds were read from; `None` for the database.
    pub file: Option<PathBuf>,
    /// Pool whose rounds are read.
    pub pool: PoolName,
    /// The most recent counted rounds, oldest first. Holds a few more than `last` rounds until [`Played::counted`]
    /// trims them.
    pub rounds: Vec<Round>,
    last: usize,
    /// Number of rounds read from the file or database, including voided ones.
    pub taken: u64,
    /// Number of voided rounds, which the evaluation of models ignores.
    pub voided: u64,
    /// Number of admin changes and season starts in the pool's log. The evaluation ignores them, because not every
    /// model can apply them.
    pub changes: u64,
    void: HashSet<(ServerName, RoundId)>,
}

impl Played {
    /// Creates an empty list for the rounds of a pool, which keeps at most the latest `last` ones.
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

    /// Applies a line of the pool's log to the list of rounds: appends a round, or voids or corrects one.
    pub fn take(&mut self, line: LogLine) {
        match line {
            LogLine::Round(report) => self.take_round(report),
            LogLine::Change(_) | LogLine::Season(_) => self.changes += 1,
            // The list contains neither the undo nor the change that it undoes.
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
                    // A correction follows its round in the log, usually directly.
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

    /// Appends a round to the list. A round without an end time gets that of the round before.
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
        // A void usually follows its round directly, so hardly any void comes after its round was trimmed.
        if self.rounds.len() > self.last.saturating_mul(2) {
            self.leave_out();
        }
    }

    /// Removes voided rounds, and all but the latest rounds that the list keeps.
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

/// Reads the rounds of a log file, grouped by pool in order of first appearance. Rounds without a pool belong to
/// `default`. If `wanted` is given, reads only that pool.
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
        if let LogLine::RoundChange(_) | LogLine::Undo(_) = line {
            // The line does not name the pool of the round.
            for pool in &mut pools {
                pool.take(line.clone());
            }
            continue;
        }
        let name = pool_of(&line).cloned().unwrap_or_default();
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

/// Returns the scale Θ, in points, for the 97.5th percentile of the numbers of players with which the teams of `rounds`
/// started. A few odd rounds thus do not set the scale of all others.
#[must_use]
pub fn theta_for(rounds: &[Round]) -> f64 {
    let size = |round: &Round, side: Side| {
        round
            .entries()
            .filter(|(of, entry)| *of == side && entry.at_start)
            .count()
    };
    let mut sizes: Vec<usize> = rounds
        .iter()
        .flat_map(|round| [Side::A, Side::B].map(|side| size(round, side)))
        .collect();
    sizes.sort_unstable();
    let usual = (sizes.len() * 39).div_ceil(40).saturating_sub(1);
    let largest = sizes.get(usual).copied().unwrap_or_default();
    theta_for_team_size(u32::try_from(largest).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_odd_rounds_do_not_set_theta() {
        let rounds = |odd: usize| -> Vec<Round> {
            let line = |number: usize| {
                let size = if number < odd { 9 } else { 3 };
                let team = |first: usize| -> Vec<String> {
                    (first..first + size)
                        .map(|account| format!("[U:1:{account}]"))
                        .collect()
                };
                serde_json::json!({
                    "round_id": number.to_string(), "server": "s", "winner": "a", "ended_at": 1_763_640_000 + number,
                    "team_a": team(1), "team_b": team(20),
                })
            };
            let mut played = Played::new(None, "default".parse().unwrap(), 1000);
            for number in 0..200 {
                let (line, _) = LogLine::read(line(number).to_string().as_bytes()).unwrap();
                played.take(line);
            }
            played.counted().rounds
        };
        assert_eq!(theta_for(&rounds(0)), 800.0);
        assert_eq!(theta_for(&rounds(5)), 800.0);
        assert_eq!(theta_for(&rounds(6)), 2000.0);
        assert_eq!(theta_for(&[]), 400.0);
    }
}
