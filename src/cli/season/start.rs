use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

use clap::Args;

use super::print_seasons;
use crate::api::SeasonTrialAnswer;
use crate::cli::arguments;
use crate::cli::comparison::moved_ratings;
use crate::cli::database::InPool;
use crate::cli::terminal::figures::{moment, number, or_nothing};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::progress::Watcher;
use crate::cli::terminal::words::plural;
use crate::domain::{CalibrationRounds, ChangeId, SeasonName, SeasonStart, Share, Timestamp};
use crate::service::{Author, ChangeNote, Pool, Service};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Every rating becomes initial + keep x (rating - initial), in one transaction; models that track the uncertainty of
ratings become less certain, and the standings are kept. `rbs season undo` undoes it.

--dry-run writes nothing, and also shows how a start in the past would have changed the log loss of the rounds after
it: a start at the time of the last start (compared with no start), or else 90 days before the last round. This
replays the log up to that time.")]
pub(super) struct Start {
    #[command(flatten)]
    pool: InPool,
    /// Name of the season to start
    #[arg(long, value_name = "NAME")]
    name: SeasonName,
    /// Share of each rating's distance from the initial rating to keep when the season starts: 1 keeps all ratings, 0
    /// resets them all
    #[arg(long, value_name = "0 TO 1")]
    keep: Share,
    /// Number of rounds that a player needs in the season to be placed in its standings
    #[arg(long, value_name = "N", default_value = "10")]
    calibration: CalibrationRounds,
    /// Reason for starting the season, for the audit log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Id of your choice for the season start; repeated with the same id, the command starts no second season
    #[arg(long, value_name = "NAME")]
    change_id: Option<ChangeId>,
    /// Write nothing; show the effect of the season start on ratings and predictions
    #[arg(long)]
    dry_run: bool,
    /// Time in the past at which --dry-run tries the season start [default: the last start, or 90 days ago]
    #[arg(long, value_name = "TIME", value_parser = arguments::moment, requires = "dry_run")]
    since: Option<Timestamp>,
    /// Number of rounds after the season start for which --dry-run compares predictions with and without that start
    #[arg(long, value_name = "N", default_value_t = 500, requires = "dry_run")]
    rounds: usize,
}

impl Start {
    pub(super) async fn run(self, service: &Service) -> anyhow::Result<()> {
        let pool = self.pool.find(service).await?;
        let start = SeasonStart {
            name: self.name.clone(),
            keep: self.keep,
            calibration: self.calibration,
        };
        if self.dry_run {
            return self.try_out(service, &pool, &start).await;
        }
        let note = ChangeNote {
            reason: self.reason.clone(),
            change_id: self.change_id.clone(),
        };
        service
            .start_season(&pool, start, note, Author::CommandLine)
            .await?;
        print_seasons(service, &pool, self.pool.format).await
    }

    async fn try_out(
        &self,
        service: &Service,
        pool: &Pool,
        start: &SeasonStart,
    ) -> anyhow::Result<()> {
        let mut watcher = Watcher::start("Trying", &pool.name)?;
        let which = (self.since, self.rounds);
        let mut watch = |progress| watcher.tick(progress);
        let trying = service.try_season(pool, start.keep, which, Duration::MAX, &mut watch);
        let trial = Box::pin(trying).await?;
        watcher.finish();
        self.pool
            .format
            .print(&trial, |trial, output| text(start, trial, output))
    }
}

fn text(start: &SeasonStart, trial: &SeasonTrialAnswer, text: &mut Output) -> fmt::Result {
    writeln!(
        text,
        "Pool {}: {} would move {}",
        trial.pool,
        start.name,
        plural(trial.moved.players, "rating"),
    )?;
    if let Some(tried) = &trial.predictions {
        let error = tried.standard_error.map(|error| number(Some(error), 4));
        writeln!(
            text,
            "If the season had started on {} UTC, the log loss (lower is better) of the {} after that would have been \
             {} instead of {}: a gain of {}{}",
            moment(tried.started_at),
            plural(tried.rounds, "round"),
            number(Some(tried.log_loss_with), 4),
            number(Some(tried.log_loss), 4),
            number(Some(tried.gain), 4),
            or_nothing(error.map(|error| format!(", give or take {error}"))),
        )?;
    }
    if !trial.moved.largest.is_empty() {
        text.next_table(moved_ratings(&trial.moved));
    }
    Ok(())
}

#[derive(Debug, Args)]
pub(super) struct Undo {
    /// Id of the change that started the season, from `rbs season list`
    #[arg(value_name = "CHANGE")]
    undoes: ChangeId,
    #[command(flatten)]
    pool: InPool,
    /// Reason for undoing the season start, for the audit log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Undo {
    pub(super) async fn run(self, service: &Service) -> anyhow::Result<()> {
        let pool = self.pool.find(service).await?;
        service
            .take_back_season(&pool, self.undoes, self.reason)
            .await?;
        print_seasons(service, &pool, self.pool.format).await
    }
}
