mod start;

use std::fmt;
use std::fmt::Write as _;

use clap::{Args, Subcommand};

use crate::api::{LeaderboardAnswer, RankedPlayerAnswer, SeasonsAnswer};
use crate::cli::database::{Access, InPool, open};
use crate::cli::terminal::figures::or_nothing;
use crate::cli::terminal::output::{Format, Output};
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::config::Settings;
use crate::domain::Share;
use crate::service::{PageStart, Pool, Service};

/// Maximum number of players to print, above the number in any pool.
const ALL: u32 = 100_000_000;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Works directly on the database, even while the service is running.

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
    /// Start a season, or preview that
    Start(start::Start),
    /// Undo the start of a season
    ///
    /// All ratings become what they would be without it.
    Undo(start::Undo),
    /// List the seasons of a pool
    List(InPool),
    /// Print the final standings of a season
    Results(Results),
}

impl Season {
    pub(super) async fn run(self, settings: Settings) -> anyhow::Result<()> {
        let service = open(&settings, Access::Write).await?;
        let done = match self.action {
            Action::Start(start) => Box::pin(start.run(&service)).await,
            Action::Undo(undo) => Box::pin(undo.run(&service)).await,
            Action::List(named) => {
                let pool = named.find(&service).await?;
                print_seasons(&service, &pool, named.format).await
            }
            Action::Results(results) => Box::pin(results.run(&service)).await,
        };
        service.close().await;
        done
    }
}

async fn print_seasons(service: &Service, pool: &Pool, format: Format) -> anyhow::Result<()> {
    let seasons = service.list_seasons(pool).await?;
    format.print(&seasons, seasons_text)
}

fn seasons_text(found: &SeasonsAnswer, text: &mut Output) -> fmt::Result {
    let table = Table::new(&found.seasons)
        .right("season", |season| season.number)
        .elastic("name", |season| or_nothing(season.name.as_ref()))
        .right("kept", |season| or_nothing(season.keep.map(Share::get)))
        .moment("started", |season| season.started_at)
        .moment("ended", |season| season.ended_at)
        .right("players", |season| or_nothing(season.players))
        .right("ranked", |season| or_nothing(season.ranked))
        .left("change", |season| or_nothing(season.change_id.as_ref()));
    writeln!(text, "Pool {}", found.pool)?;
    text.table(table);
    Ok(())
}

#[derive(Debug, Args)]
struct Results {
    /// Number of the ended season, from `rbs season list`
    #[arg(long, value_name = "N")]
    season: u32,
    #[command(flatten)]
    pool: InPool,
}

impl Results {
    async fn run(self, service: &Service) -> anyhow::Result<()> {
        let pool = self.pool.find(service).await?;
        let results = service
            .leaderboard(&pool, Some(self.season), PageStart::Behind(None), ALL)
            .await?;
        self.pool.format.print(&results, results_text)
    }
}

fn results_text(found: &LeaderboardAnswer, text: &mut Output) -> fmt::Result {
    let name = or_nothing(found.season_name.as_ref());
    let season = format!("season {} {name}", found.season);
    let ranked = plural(found.ranked, "player");
    writeln!(
        text,
        "Pool {}, {}: {ranked} with a rank on {}",
        found.pool,
        season.trim_end(),
        found.computed_at
    )?;
    let table = Table::new(&found.players)
        .right("rank", |player: &RankedPlayerAnswer| player.rank)
        .left("player", |player| player.id)
        .elastic("name", |player| or_nothing(player.name.as_ref()))
        .right("rating", |player| player.rating)
        .left("division", |player| or_nothing(player.division.as_ref()))
        .right("rounds", |player| player.rounds);
    text.table(table);
    Ok(())
}
