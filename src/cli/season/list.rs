use std::fmt::Write as _;

use clap::Args;

use crate::api::{LeaderboardAnswer, RankedPlayerAnswer, SeasonAnswer, SeasonsAnswer};
use crate::cli::database::meant_pool;
use crate::cli::terminal::output::{Format, Output};
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::domain::PoolName;
use crate::service::{PageStart, Service};

/// More players than any pool has.
const ALL: u32 = 100_000_000;

/// `rbs season list`.
#[derive(Debug, Args)]
pub(super) struct List {
    /// The pool [default: default if it has rounds, else the only one that has]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    format: Format,
}

impl List {
    pub(super) async fn run(self, service: &Service) -> anyhow::Result<()> {
        let pool = meant_pool(service, self.pool.as_ref()).await?;
        self.format.print(&service.list_seasons(&pool).await?, text)
    }
}

pub(super) fn text(found: &SeasonsAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let count = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
    let table = Table::new(&found.seasons)
        .right("season", |season| season.number)
        .elastic("name", |season: &SeasonAnswer| {
            season.name.as_ref().map_or("", |name| name.as_str())
        })
        .right("kept", |season| {
            season
                .keep
                .map(|keep| keep.get().to_string())
                .unwrap_or_default()
        })
        .moment("started", |season| season.started_at)
        .moment("ended", |season| season.ended_at)
        .right("players", |season| count(season.players))
        .right("ranked", |season| count(season.ranked))
        .left("change", |season| {
            season
                .change_id
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default()
        });
    writeln!(text, "Pool {}", found.pool)?;
    text.table(table);
    Ok(text)
}

/// `rbs season results`.
#[derive(Debug, Args)]
pub(super) struct Results {
    /// The number of the season, as `rbs season list` has it
    #[arg(long, value_name = "N")]
    season: u32,
    /// The pool [default: default if it has rounds, else the only one that has]
    #[arg(long, value_name = "NAME")]
    pool: Option<PoolName>,
    #[command(flatten)]
    format: Format,
}

impl Results {
    pub(super) async fn run(self, service: &Service) -> anyhow::Result<()> {
        let pool = meant_pool(service, self.pool.as_ref()).await?;
        let results = service
            .leaderboard(&pool, Some(self.season), PageStart::Behind(None), ALL)
            .await?;
        self.format.print(&results, results_text)
    }
}

fn results_text(found: &LeaderboardAnswer) -> Result<Output, std::fmt::Error> {
    let mut text = Output::new();
    let name = found.season_name.as_ref().map_or("", |name| name.as_str());
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
        .elastic("name", |player| {
            player.name.as_ref().map_or("", |name| name.as_str())
        })
        .right("rating", |player| player.rating)
        .left("division", |player| {
            player.division.clone().unwrap_or_default()
        })
        .right("rounds", |player| player.rounds);
    text.table(table);
    Ok(text)
}
