use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use super::report::key;
use crate::bot_fit::BotFit;
use rbs::cli::evaluate::Played;
use rbs::cli::terminal::output::Output;
use rbs::cli::terminal::table::Table;
use rbs::cli::terminal::words::plural;
use rbs::domain::{BotLevel, PoolName, Rating};

/// Maximum standard error, in points, of a useful rating.
const MAX_ERROR: f64 = 250.0;
/// Minimum number of rounds for a useful rating.
const MIN_ROUNDS: u64 = 100;

/// Fitted ratings of the bots of each level, by the rounds of a pool.
#[derive(Debug, Serialize)]
pub(super) struct BotsReport {
    file: Option<PathBuf>,
    pool: PoolName,
    rounds: usize,
    theta: f64,
    levels: Vec<LevelReport>,
}

#[derive(Debug, Serialize)]
struct LevelReport {
    level: BotLevel,
    rounds: u64,
    rating: Rating,
    standard_error: f64,
    known: bool,
}

impl BotsReport {
    pub(super) fn new(played: &Played, theta: f64, fitted: Vec<BotFit>) -> Self {
        let levels = fitted.into_iter().map(|fit| LevelReport {
            known: fit.rounds >= MIN_ROUNDS && fit.standard_error <= MAX_ERROR,
            level: fit.level,
            rounds: fit.rounds,
            rating: fit.rating,
            standard_error: fit.standard_error,
        });
        Self {
            file: played.file.clone(),
            pool: played.pool.clone(),
            rounds: played.rounds.len(),
            theta,
            levels: levels.collect(),
        }
    }

    /// Text output: a table, and the known ratings as a configuration table.
    pub(super) fn text(&self, text: &mut Output) -> fmt::Result {
        let file = self.file.as_ref().map_or_else(
            || "Standard input".to_owned(),
            |file| file.display().to_string(),
        );
        let rounds = plural(self.rounds as u64, "round");
        writeln!(
            text,
            "{file}, pool {}: {rounds}, theta {}",
            self.pool, self.theta
        )?;
        if self.levels.is_empty() {
            return writeln!(text, "No bots played in them.");
        }
        let table = Table::new(&self.levels)
            .left("level", |row| row.level.as_str())
            .right("rounds", |row| row.rounds)
            .right("rating", |row| row.rating)
            .right("standard error", |row| format!("{:.0}", row.standard_error));
        text.table(table);
        let unknown: Vec<&str> = (self.levels.iter())
            .filter(|level| !level.known)
            .map(|level| level.level.as_str())
            .collect();
        if !unknown.is_empty() {
            writeln!(
                text,
                "There are too few rounds to know what these are worth: {}. It takes {MIN_ROUNDS} in which one team had \
                 more of a level, and a standard error of {MAX_ERROR} points at most.",
                unknown.join(", ")
            )?;
        }
        if unknown.len() < self.levels.len() {
            let pool = key(self.pool.as_str());
            write!(
                text,
                "To count bots so, paste into the configuration:\n\n[pools.{pool}.bots]\n"
            )?;
            for level in self.levels.iter().filter(|level| level.known) {
                writeln!(text, "{} = {}", key(level.level.as_str()), level.rating)?;
            }
        }
        Ok(())
    }
}
