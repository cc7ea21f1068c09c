mod list;
mod start;

use clap::{Args, Subcommand};

use crate::cli::database::{Access, open};
use crate::config::Settings;

/// `rbs season`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Works on the database, beside the running service.

Examples:
  rbs season start --name 'Winter 2027' --keep 0.5 --dry-run
  rbs season start --name 'Winter 2027' --keep 0.5
  rbs season results --season 1 --csv > winter.csv")]
pub(super) struct Season {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Start a season, or show what that would do
    Start(start::Start),
    /// Take a start back
    ///
    /// Every rating becomes as if it had never been.
    Undo(start::Undo),
    /// List the seasons of a pool
    List(list::List),
    /// Print who stood where at the end of a season
    Results(list::Results),
}

impl Season {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let service = open(&settings, Access::Write).await?;
        let done = match self.action {
            Action::Start(start) => Box::pin(start.run(&service)).await,
            Action::Undo(undo) => Box::pin(undo.run(&service)).await,
            Action::List(list) => Box::pin(list.run(&service)).await,
            Action::Results(results) => Box::pin(results.run(&service)).await,
        };
        service.close().await;
        done
    }
}
