use std::fmt;
use std::fmt::Write as _;

use serde::Serialize;

use super::table::Row;
use super::{MAX_NAMED, TableRatings};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::domain::{PoolName, RatingsName};
use crate::rating::{RatingCount, histogram};
use crate::service::{RatingsChange, RunMode};

const MAX_BAR: u64 = 40;

/// Report of an import of ratings or its undo, made or only tried.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pool: PoolName,
    change_id: RatingsName,
    made: bool,
    was_made: bool,
    /// Number of ratings in the imported table; `None` for an undo.
    ratings: Option<usize>,
    left_out: Option<u64>,
    at_bounds: Option<u64>,
    outliers: Option<Vec<Row>>,
    changed: u64,
    kept: u64,
    histogram: Vec<Bin>,
}

/// Number of players with ratings from `from` to below `to` points, before and after an import of ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Bin {
    from: i32,
    to: i32,
    before: u64,
    after: u64,
}

impl Report {
    pub(super) fn new(
        pool: &PoolName,
        name: &RatingsName,
        taken: Option<&TableRatings>,
        run: RunMode,
        change: &RatingsChange,
    ) -> Self {
        Self {
            pool: pool.clone(),
            change_id: name.clone(),
            made: run == RunMode::Apply && !change.was_made && change.changed > 0,
            was_made: change.was_made,
            ratings: taken.map(|taken| taken.ratings.len()),
            left_out: taken.map(|taken| taken.left_out),
            at_bounds: taken.map(|taken| taken.at_bounds),
            outliers: taken.map(|taken| taken.outliers.clone()),
            changed: change.changed,
            kept: change.kept,
            histogram: bins(&change.before, &change.after),
        }
    }

    pub(super) fn text(&self, text: &mut Output) -> fmt::Result {
        let (pool, name) = (&self.pool, &self.change_id);
        if self.was_made {
            return writeln!(
                text,
                "Pool {pool}: the change {name} was already made, so nothing was changed"
            );
        }
        writeln!(text, "Pool {pool}, id of the change: {name}")?;
        for (words, count) in [
            (
                "left out, because they come from too few rounds",
                self.left_out,
            ),
            (
                "outside the allowed range, changed to the nearest limit",
                self.at_bounds,
            ),
        ] {
            if let Some(count) = count.filter(|count| *count > 0) {
                writeln!(text, "{}: {words}", plural(count, "rating"))?;
            }
        }
        let outliers = self.outliers.as_deref().unwrap_or_default();
        if !outliers.is_empty() {
            let count = plural(outliers.len() as u64, "rating");
            writeln!(
                text,
                "{count} far from all others, ignored for --mean and --sd; remove these lines if they hold no real \
                 rating:"
            )?;
            for row in outliers.iter().take(MAX_NAMED) {
                writeln!(text, "  line {}: {} of {}", row.line, row.rating, row.id)?;
            }
        }
        if self.kept > 0 {
            writeln!(text, "{} kept as they are", plural(self.kept, "player"))?;
        }
        let changed = plural(self.changed, "rating");
        match (self.made, self.changed) {
            (true, _) => writeln!(text, "{changed} set; `rbs audit` lists the change")?,
            (false, 0) => writeln!(text, "Nothing to set")?,
            (false, _) => writeln!(text, "{changed} would be set; nothing was written")?,
        }
        if !self.made && !self.histogram.is_empty() {
            let counts = self.histogram.iter().map(|bin| bin.after);
            let most = counts.max().unwrap_or_default().max(1);
            let bar = |bin: &Bin| {
                let length = (bin.after * MAX_BAR).div_ceil(most);
                "#".repeat(usize::try_from(length).unwrap_or_default())
            };
            let table = Table::new(&self.histogram)
                .right("from", |bin| bin.from)
                .right("before", |bin| bin.before)
                .right("after", |bin| bin.after)
                .left("", bar);
            text.next_table(table);
        }
        Ok(())
    }
}

fn bins(before: &[RatingCount], after: &[RatingCount]) -> Vec<Bin> {
    let mut both: Vec<RatingCount> = before.iter().chain(after).copied().collect();
    both.sort_by_key(|count| count.rating);
    let players = |counts: &[RatingCount], (from, to): (i32, i32)| {
        let within = counts
            .iter()
            .filter(|count| (from..to).contains(&count.rating.points()));
        within.map(|count| count.players).sum()
    };
    let bins = histogram(&both).into_iter().map(|bin| Bin {
        from: bin.from,
        to: bin.to,
        before: players(before, (bin.from, bin.to)),
        after: players(after, (bin.from, bin.to)),
    });
    bins.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Rating;

    #[test]
    fn both_histograms_have_the_same_bins() {
        let count = |points, players| RatingCount {
            rating: Rating::new(points).unwrap(),
            players,
            hidden: 0,
        };
        let found: Vec<_> = bins(
            &[count(1000, 3)],
            &[count(900, 1), count(1000, 2), count(1049, 4)],
        )
        .iter()
        .map(|bin| (bin.from, bin.before, bin.after))
        .collect();
        assert_eq!(found, [(900, 0, 1), (950, 0, 0), (1000, 3, 6)]);
        assert_eq!(bins(&[], &[]), []);
    }
}
