mod columns;
mod report;
mod scale;
mod table;
mod values;

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use sha2::{Digest as _, Sha256};

use super::arguments::number;
use super::database::{Access, InPool, open};
use crate::config::Settings;
use crate::domain::{PlayerId, PoolName, Rating, RatingsName};
use crate::service::{Author, Pool, RatingsImport, RunMode, Service};
use report::Report;
use scale::Scale;
use table::{Bad, Row};

const MAX_NAMED: usize = 20;

#[derive(Debug, Args)]
#[command(after_long_help = "\
A line has a player, in any form of an id, a rating, and, if known, how many rounds it comes from:

  id,rating,rounds
  STEAM_0:1:11101,1712,240

The first line may name the columns; then they may have any order, and other columns are ignored. SteamID, skill and
other common names are known. Commas, semicolons or tabs separate columns. Either all ratings are set or, if a line
is bad, none. Players who have rated rounds in the pool keep their ratings, unless --over-rounds is given.

The import has an id, made from the ratings unless --change-id gives one, and the same import is made only once.
--undo undoes it: each player gets the earlier rating back, plus the points from rounds since then.

With --json: pool, change_id, made, was_made, ratings, left_out, at_bounds, outliers (each with line, id and
rating), changed, kept, and histogram (each bin with from, to, before and after).")]
pub(super) struct ImportRatings {
    /// File with a table of players' ratings, separated by commas, semicolons or tabs; - for standard input.
    #[arg(value_name = "FILE", required_unless_present = "undo")]
    file: Option<PathBuf>,
    #[command(flatten)]
    pool: InPool,
    /// Shift all imported ratings equally, so that this is their mean.
    #[arg(long, value_name = "RATING", value_parser = number)]
    mean: Option<f64>,
    /// Stretch or shrink the imported ratings around their mean, so that this is their standard deviation.
    #[arg(long, value_name = "POINTS", value_parser = number)]
    sd: Option<f64>,
    /// Leave out players whose ratings come from fewer than N rounds.
    #[arg(long, value_name = "N")]
    min_rounds: Option<u64>,
    /// Include ratings more than six standard deviations from the median in the calculation of --mean and --sd.
    #[arg(long)]
    keep_outliers: bool,
    /// Overwrite the ratings even of players with rated rounds in the pool [default: leave these players out].
    #[arg(long)]
    over_rounds: bool,
    /// Name of the import, which cannot be changed later [default: derived from the ratings]
    #[arg(long, value_name = "NAME")]
    change_id: Option<RatingsName>,
    /// Reason for the import, for the audit log.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Undo the import of ratings with this name.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["file", "mean", "sd", "min_rounds", "keep_outliers", "over_rounds", "change_id", "reason"]
    )]
    undo: Option<RatingsName>,
    /// Write nothing; show the number of players per rating before and after the import.
    #[arg(long)]
    dry_run: bool,
}

/// Players' ratings read from an imported file, converted to the pool's scale of points.
#[derive(Debug)]
struct TableRatings {
    ratings: Vec<(PlayerId, Rating)>,
    left_out: u64,
    /// Number of imported ratings that were outside the pool's allowed range, and are now at its ends.
    at_bounds: u64,
    /// Ratings far from all others, such as 9999 for a player without a rating. The computed mean and standard deviation
    /// exclude them.
    outliers: Vec<Row>,
}

impl ImportRatings {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let service = open(&settings, Access::Write).await?;
        let done = Box::pin(self.change(&service)).await;
        service.close().await;
        self.pool.format.print(&done?, Report::text)
    }

    async fn change(&self, service: &Service) -> anyhow::Result<Report> {
        let pool = self.pool.find(service).await?;
        let run = if self.dry_run {
            RunMode::DryRun
        } else {
            RunMode::Apply
        };
        let by = Author::CommandLine;
        if let Some(name) = &self.undo {
            let change = service.undo_ratings(&pool, name, by, run).await?;
            return Ok(Report::new(&pool.name, name, None, run, &change));
        }
        let file = self.file.as_deref().context("no table is named")?;
        let rows = table::read(file)?;
        let taken = self.taken(rows, &pool).map_err(|bad| {
            let mut text = String::new();
            for Bad { line, problem } in bad.iter().take(MAX_NAMED) {
                let _always_written = writeln!(text, "{}:{line}: {problem}", file.display());
            }
            let count = bad.len();
            let lines = if count == 1 { "line is" } else { "lines are" };
            anyhow::anyhow!("{text}{count} {lines} bad, and nothing was written; fix the table and run this again")
        })?;
        let name = match &self.change_id {
            Some(name) => name.clone(),
            None => name_of(&pool.name, &taken.ratings)?,
        };
        let brought = RatingsImport {
            name,
            ratings: taken.ratings.clone(),
            reason: self.reason.clone(),
            over_rounds: self.over_rounds,
        };
        let change = service.import_ratings(&pool, &brought, by, run).await?;
        Ok(Report::new(
            &pool.name,
            &brought.name,
            Some(&taken),
            run,
            &change,
        ))
    }

    fn taken(
        &self,
        rows: Result<Vec<Row>, Vec<Bad>>,
        pool: &Pool,
    ) -> Result<TableRatings, Vec<Bad>> {
        let mut rows = rows?;
        let all = rows.len();
        if let Some(least) = self.min_rounds {
            let unknown: Vec<Bad> = rows
                .iter()
                .filter(|row| row.rounds.is_none())
                .map(|row| {
                    row.bad(
                        "has no number of rounds, which --min-rounds needs; add it, or leave --min-rounds out",
                    )
                })
                .collect();
            if !unknown.is_empty() {
                return Err(unknown);
            }
            rows.retain(|row| row.rounds.is_some_and(|rounds| rounds >= least));
        }
        let ratings: Vec<f64> = rows.iter().map(|row| row.rating).collect();
        let usual = if self.keep_outliers {
            f64::NEG_INFINITY..=f64::INFINITY
        } else {
            scale::usual(&ratings)
        };
        let (usual, outliers): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| usual.contains(&row.rating));
        let ratings: Vec<f64> = usual.iter().map(|row| row.rating).collect();
        let scale = Scale::of(&ratings, self.mean, self.sd);
        let range = pool.settable_ratings();
        let (mut bad, mut at_bounds) = (Vec::new(), 0);
        let mut ratings = Vec::with_capacity(rows.len());
        for row in &rows {
            let scaled = scale.map_or(row.rating, |scale| scale.apply(row.rating));
            let rating = Rating::from_rounded(scaled).clamp(*range.start(), *range.end());
            let is_within = (f64::from(rating.points()) - scaled).abs() <= 0.5;
            if !is_within && scale.is_none() {
                bad.push(row.bad(&format!(
                    "the rating {} is not between {} and {}; fix it, or bring the ratings to the pool's scale with \
                     --mean and --sd",
                    row.rating,
                    range.start(),
                    range.end()
                )));
            }
            at_bounds += u64::from(!is_within);
            ratings.push((row.id, rating));
        }
        if bad.is_empty() {
            Ok(TableRatings {
                ratings,
                left_out: (all - rows.len()) as u64,
                at_bounds,
                outliers: outliers.into_iter().copied().collect(),
            })
        } else {
            Err(bad)
        }
    }
}

/// Returns a name for an import of ratings, derived from the ratings. Equal ratings have equal names, whatever their
/// order.
fn name_of(pool: &PoolName, ratings: &[(PlayerId, Rating)]) -> anyhow::Result<RatingsName> {
    let mut sorted = ratings.to_vec();
    sorted.sort_unstable();
    let mut digest = Sha256::new();
    digest.update(pool.as_str());
    for (id, rating) in sorted {
        digest.update(format!("\n{id} {rating}"));
    }
    let digest = hex::encode(&digest.finalize()[..6]);
    format!("ratings-{digest}")
        .parse()
        .context("cannot generate an id for this import of ratings")
}
