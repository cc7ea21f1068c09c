use std::fmt;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::input::Input;
use super::terminal::figures::percent;
use super::terminal::members::members;
use super::terminal::output::{Format, Output};
use super::terminal::table::{Table, visible};
use super::{arguments, usual_theta};
use crate::api::{
    MatchAnswer, MatchesAnswer, Object, RatedMatchRequest, WaitingTicketAnswer, listed, read,
};
use crate::clock::Clock;
use crate::domain::TicketName;
use crate::rating::{DEFAULT_TEAM_SIZE, points_of_theta};
use crate::service::match_offline;

/// A thousand tickets fit with a ping to each of 64 servers.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

#[derive(Debug, Args)]
#[command(
    after_long_help = "With --json it prints what POST /v1/match answers, in which odds are by --theta and policies \
                       those that are built in."
)]
pub(super) struct MakeMatches {
    /// What POST /v1/match takes, and in it "ratings": an object from players' ids to whole-number ratings.
    /// Standard input where no file is named, or -.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The logistic scale of the odds, in points of a team's sum [default: 400 × half of the largest team, rounded up]
    #[arg(
        long,
        value_name = "N",
        value_parser = arguments::whole(1..=1_000_000_000_u32)
    )]
    theta: Option<u32>,
    #[command(flatten)]
    format: Format,
}

impl MakeMatches {
    /// Prints the matches of those who wait.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let input = Input {
            file: self.file.as_deref(),
            hint: "One JSON object: tickets, servers and ratings. Ctrl-D ends it.",
            most_bytes: MAX_BYTES,
            advice: "send 1000 tickets at most",
        };
        let (source, text) = input.read()?;
        let queue: RatedMatchRequest = read(&text).with_context(|| source.clone())?;
        let queue = queue
            .checked()
            .map_err(|problems| anyhow::anyhow!("{source}: {}", listed(&problems)))?;
        let request = &queue.request;
        let largest = request
            .servers
            .iter()
            .flat_map(|Object(server)| &server.sizes)
            .chain(&request.sizes)
            .map(|size| size.count());
        let usual = || {
            largest
                .max()
                .map_or(points_of_theta(DEFAULT_TEAM_SIZE), usual_theta)
        };
        let theta = self.theta.unwrap_or_else(usual);
        let answer = match_offline(&queue, theta.into(), Clock::System.now());
        let answer = answer.with_context(|| source)?;
        self.format.print(&answer, |answer| text_of(answer, theta))
    }
}

/// For people: a table of the matches, who plays in each, and a table of who waits and why.
fn text_of(answer: &MatchesAnswer, theta: u32) -> Result<Output, fmt::Error> {
    let mut text = Output::new();
    let (policy, matches, waiting) = (&answer.policy, &answer.matches, &answer.waiting);
    writeln!(text, "{} Policy {policy}, theta {theta}.", answer.say)?;
    if !matches.is_empty() {
        writeln!(text)?;
        text.table(figures(matches));
        let teams = matches.iter().map(|one| {
            let (server, size) = (visible(one.server.as_str()), one.size);
            let mode = one.mode.as_ref();
            let mode =
                mode.map_or_else(String::new, |mode| format!(", {}", visible(mode.as_str())));
            format!("{server}{mode}, {size} v {size}\n")
                + &team("a", &one.tickets_a)
                + &team("b", &one.tickets_b)
        });
        let teams: Vec<String> = teams.collect();
        write!(text, "\n{}", teams.join("\n"))?;
    }
    if !waiting.is_empty() {
        writeln!(text)?;
        text.table(waits(waiting));
    }
    Ok(text)
}

fn figures(matches: &[MatchAnswer]) -> Table<'_, MatchAnswer> {
    let seconds = |seconds: f64| format!("{seconds:.0} s");
    Table::new(matches)
        .elastic("server", |one| visible(one.server.as_str()))
        .right("size", |one| one.size)
        .right("difference", |one| one.difference)
        .right("odds of a", |one| {
            percent(Some(one.win_probability_a.get()))
        })
        .right("spread", |one| format!("{:.0}", one.spread))
        .right("ping", |one| {
            let ping = one.worst_ping;
            ping.map_or_else(|| "-".to_owned(), |ping| format!("{ping} ms"))
        })
        .right("roles lacking", |one| {
            let missing = one.missing_roles.iter().map(|role| role.missing);
            missing.sum::<usize>()
        })
        .right("waited", move |one| seconds(one.mean_wait_seconds))
}

fn waits(waiting: &[WaitingTicketAnswer]) -> Table<'_, WaitingTicketAnswer> {
    Table::new(waiting)
        .elastic("waiting", |ticket| visible(ticket.ticket.as_str()))
        .right("for", |ticket| format!("{} s", ticket.waited_seconds))
        .right("due in", |ticket| format!("{} s", ticket.due_in_seconds))
        .elastic("why", |ticket| ticket.say.as_str())
}

/// The tickets of a team.
fn team(label: &str, tickets: &[TicketName]) -> String {
    let tickets = tickets.iter().map(|ticket| visible(ticket.as_str()));
    members(label, &tickets.collect::<Vec<_>>())
}
