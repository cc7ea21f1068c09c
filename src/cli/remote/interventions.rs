use std::fmt;
use std::fmt::Write as _;

use clap::{Args, Subcommand};

use super::Path;
use super::view::{InPool, Page, PoolOrServer, next_page};
use crate::api::{
    InterventionAnswer, InterventionDayAnswer, InterventionSummaryAnswer, InterventionsAnswer,
};
use crate::cli::arguments;
use crate::cli::terminal::figures::{or_dash, percent};
use crate::cli::terminal::output::Output;
use crate::cli::terminal::table::Table;
use crate::cli::terminal::words::plural;
use crate::config::Flags;
use crate::domain::{InterventionResult, Probability};

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_long_help = "\
An intervention is the service's answer to POST /v1/balance when it finds a match unbalanced mid-round. Its odds
are team a's win chances, before and after the recommended changes.

Examples:
  rbs interventions --server arena-1 --limit 10
  rbs interventions summary --days 7"
)]
pub(crate) struct Interventions {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    of: PoolOrServer,
    #[command(flatten)]
    page: Page,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Summarize interventions, and show whether they helped
    Summary {
        #[command(flatten)]
        pool: InPool,
        /// Number of days, including today, 1 to 90 [default: 7]
        #[arg(long, value_name = "N", value_parser = arguments::whole(1..=90_u32))]
        days: Option<u32>,
    },
}

impl Interventions {
    pub(crate) fn run(self, flags: &Flags) -> anyhow::Result<()> {
        match self.action {
            None => {
                let path = self.page.onto(Path::at("/v1/admin/interventions"));
                let (client, path) = self.of.client(flags, path)?;
                client.get(&path)?.print(self.of.target.format, list_text)
            }
            Some(Action::Summary { pool, days }) => {
                let path = Path::at("/v1/admin/interventions/summary").with("days", days.as_ref());
                pool.show(flags, path, summary_text)
            }
        }
    }
}

fn list_text(found: &InterventionsAnswer, text: &mut Output) -> fmt::Result {
    if found.interventions.is_empty() {
        return writeln!(text, "No such interventions in the pool {}", found.pool);
    }
    let odds = |odds: Probability| percent(Some(odds.get()));
    let table = Table::new(&found.interventions)
        .moment("first asked", |one| Some(one.first_asked_at))
        .elastic("server", |one| &one.server)
        .elastic("policy", |one| &one.policy)
        .left("answer", answer)
        .right("before", |one| odds(one.before.win_probability_a))
        .right("after", |one| odds(one.after.win_probability_a))
        .left("winner", |one| {
            or_dash(one.round.as_ref().map(|round| round.winner))
        })
        .elastic("why", |one| {
            let reasons = one.reasons.iter().map(|reason| reason.detail.as_str());
            reasons.collect::<Vec<&str>>().join("; ")
        });
    text.table(table);
    next_page(text, found.next.as_deref())
}

fn answer(one: &InterventionAnswer) -> String {
    match one.result {
        InterventionResult::Moved => format!("{} moved", one.moves.len()),
        InterventionResult::Filled => "bots".to_owned(),
        InterventionResult::NothingHelps => "nothing helps".to_owned(),
    }
}

fn summary_text(summary: &InterventionSummaryAnswer, text: &mut Output) -> fmt::Result {
    let counts = summary.counts;
    writeln!(
        text,
        "Pool {}, {}: {}; {} asked players to change teams ({}), {} asked for bots to be added or removed, \
         {} found nothing that helped",
        summary.pool,
        match summary.days {
            1 => "today".to_owned(),
            days => format!("the last {days} days"),
        },
        plural(counts.interventions.into(), "intervention"),
        counts.moved,
        plural(summary.moved_players.into(), "player"),
        counts.filled,
        counts.nothing_helps,
    )?;
    if !summary.complete {
        writeln!(
            text,
            "There were more interventions; these figures cover only the latest {}",
            summary.at_most
        )?;
    }
    if counts.interventions == 0 {
        return Ok(());
    }
    let (odds, rounds) = (summary.odds, summary.rounds);
    if odds.before.is_some() {
        writeln!(
            text,
            "\nInterventions in which players should change teams\n  \
             distance of the odds from 50 %:  {} before the moves, {} after\n  \
             rounds with a known result:      {}, {} of them with odds from 40 to 60 %, {} before the moves\n  \
             the team that was stronger:      won {} of {} rounds; predicted {} before the moves, {} after",
            percent(odds.before),
            percent(odds.after),
            rounds.known,
            rounds.close,
            rounds.close_before,
            percent(rounds.ahead.score),
            rounds.ahead.interventions,
            percent(rounds.ahead.predicted_before),
            percent(rounds.ahead.predicted_after),
        )?;
    }
    let rules = Table::new(&summary.by_rule)
        .left("rule", |row| &row.rule)
        .right("interventions", |row| row.interventions);
    let policies = Table::new(&summary.by_policy)
        .left("policy", |row| &row.policy)
        .right("interventions", |row| row.interventions);
    let days: Vec<&InterventionDayAnswer> = summary
        .by_day
        .iter()
        .filter(|day| day.counts.interventions > 0)
        .collect();
    let days = Table::new(&days)
        .left("day (UTC)", |day| {
            day.from.to_string().chars().take(10).collect::<String>()
        })
        .right("interventions", |day| day.counts.interventions)
        .right("moved", |day| day.counts.moved)
        .right("bots", |day| day.counts.filled)
        .right("nothing helped", |day| day.counts.nothing_helps);
    text.next_table(days);
    text.next_table(rules);
    text.next_table(policies);
    Ok(())
}
