//! Result of matchmaking: the matches, and the reason why each other ticket waits.

use std::cmp::Reverse;

use super::fill::{Limited, fill};
use super::judge::{Judge, PlannedMatch};
use super::plan::Plan;
use super::policy::Limits;
use super::queue::{Queue, Reach, Unit, count};
use super::teams::lacking;
use crate::domain::ModeName;
use crate::partition::Candidate;

/// Matches to start, and tickets (groups of players) that continue to wait.
#[derive(Clone, Debug, PartialEq)]
pub struct Matches {
    /// Matches to start, ordered by the longest wait of a player in the match, the longest first.
    pub matches: Vec<Match>,
    /// Tickets without a match, ordered by their index in the queue.
    pub waiting: Vec<Wait>,
    /// Total value of all matches, in millionths; a player counts 1,000,000 before bonuses and costs.
    pub value: i64,
}

/// Match to start: its server, teams, and figures of quality.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Index of the match's server in the queue's list of servers.
    pub server: usize,
    /// Number of players per team of the match.
    pub size: usize,
    /// Game mode of the match, or `None` if neither the server nor any ticket names a mode.
    pub mode: Option<ModeName>,
    /// Tickets of both teams as ascending indices in the queue. The best player's team comes first, unless the server's
    /// advantage for one side makes the opposite order more even.
    pub teams: [Vec<usize>; 2],
    /// Distance of the predicted win probability from even, |P - ½|, 0 to 0.5.
    pub uneven: f64,
    /// Standard deviation of the ratings of the match's players, in points.
    pub spread: f64,
    /// Number of players for each role that the two teams lack together, in the order of the queue's roles.
    pub missing: Vec<u32>,
    /// Longest wait of a ticket in the match, in seconds.
    pub longest_wait: u32,
    /// Mean wait of the match's players, in seconds.
    pub mean_wait: f64,
    /// Highest known ping of a player in the match, in milliseconds.
    pub worst_ping: Option<u16>,
    /// Mean of the known pings of the match's players, in milliseconds.
    pub mean_ping: Option<f64>,
    /// Limits on the odds, ratings and pings that applied to the match; `None` if its longest wait was overdue.
    pub limits: Option<Limits>,
    /// Value of the match, in millionths; a player counts 1,000,000 before bonuses and costs.
    pub value: i64,
}

/// Ticket (group of players) without a match, with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Index of the ticket in the queue's list of tickets.
    pub ticket: usize,
    /// Reason why the ticket waits without a match.
    pub why: WaitReason,
}

/// Reason why a ticket (group of players) continues to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// Reason to wait: the ticket accepts no free server with large enough teams and a suitable mode.
    NoServer,
    /// Reason to wait: too few players accept the same servers to fill two teams with whole tickets.
    TooFew,
    /// Reason to wait: a match would be possible, but the servers or the players are in other matches.
    Taken,
    /// Reason to wait: the remaining tickets could form a match, but its odds, ratings or pings exceed the policy's
    /// limits.
    Limits,
}

pub(super) fn answer(judge: &Judge<'_>, queue: &Queue, plan: &Plan) -> Matches {
    let mut made: Vec<&PlannedMatch> = plan.made.iter().collect();
    // The first unit of a group has waited longest.
    made.sort_by_key(|made| made.group.first().copied());
    let units = judge.compiled.units.iter().enumerate();
    let mut waiting: Vec<Wait> = units
        .filter(|(unit, _)| plan.is_free(*unit))
        .map(|(index, unit)| Wait {
            ticket: unit.ticket,
            why: why(judge, queue, plan, index),
        })
        .collect();
    waiting.sort_unstable_by_key(|wait| wait.ticket);
    Matches {
        matches: made
            .into_iter()
            .map(|made| describe(judge, queue, made))
            .collect(),
        waiting,
        value: plan.value(),
    }
}

fn describe(judge: &Judge<'_>, queue: &Queue, made: &PlannedMatch) -> Match {
    let venue = judge.venue(made.venue);
    let units: Vec<&Unit> = made
        .group
        .iter()
        .map(|unit| &judge.compiled.units[*unit])
        .collect();
    let on_a = made.worth.division.on_a;
    let mut teams = [Vec::new(), Vec::new()];
    for (index, unit) in units.iter().enumerate() {
        let side = usize::from(on_a >> index & 1 == 0);
        teams[side].push(unit.ticket);
    }
    let best = |team: &[usize]| {
        let standing = candidates(queue, team).map(|one| (one.rating, Reverse(one.id)));
        standing.max()
    };
    if best(&teams[1]) > best(&teams[0]) {
        teams.swap(0, 1);
    }
    let points = |team: &[usize]| -> i64 {
        let points = candidates(queue, team).map(|one| i64::from(one.rating.points()));
        points.sum()
    };
    let (more, lean) = (points(&teams[0]) - points(&teams[1]), i64::from(venue.lean));
    if (lean - more).abs() < (lean + more).abs() {
        teams.swap(0, 1);
    }
    for team in &mut teams {
        team.sort_unstable();
    }
    let longest_wait = units
        .iter()
        .map(|unit| unit.waited)
        .max()
        .unwrap_or_default();
    let waits = units
        .iter()
        .map(|unit| count(unit.size) * f64::from(unit.waited));
    let pings: Vec<(usize, u16)> = made
        .group
        .iter()
        .filter_map(|unit| {
            let size = judge.compiled.units[*unit].size;
            Some((size, venue.ping(*unit)?))
        })
        .collect();
    let known: usize = pings.iter().map(|(size, _)| size).sum();
    let sum = pings
        .iter()
        .map(|(size, ping)| count(*size) * f64::from(*ping));
    Match {
        server: venue.server,
        size: venue.size,
        mode: venue.mode.clone(),
        teams,
        uneven: made.worth.uneven,
        spread: made.worth.spread,
        missing: lacking(&judge.compiled.roles, &units, on_a).collect(),
        longest_wait,
        mean_wait: waits.sum::<f64>() / count(2 * venue.size),
        worst_ping: pings.iter().map(|(_, ping)| *ping).max(),
        mean_ping: (known > 0).then(|| sum.sum::<f64>() / count(known)),
        limits: judge.policy.limits(longest_wait),
        value: made.worth.value,
    }
}

fn candidates(queue: &Queue, tickets: &[usize]) -> impl Iterator<Item = Candidate> {
    let tickets = tickets.iter().map(|ticket| &queue.tickets[*ticket]);
    tickets.flat_map(|ticket| ticket.players.iter().map(|player| player.candidate))
}

fn why(judge: &Judge<'_>, queue: &Queue, plan: &Plan, unit: usize) -> WaitReason {
    let ticket = &queue.tickets[judge.compiled.units[unit].ticket];
    let mut servers = queue.servers.iter().zip(&ticket.reach);
    let accepts = servers.any(|(server, reach)| {
        let fits = server
            .sizes
            .iter()
            .any(|size| ticket.players.len() <= *size);
        let plays = server.modes.is_empty()
            || ticket.modes.is_empty()
            || server.modes.iter().any(|mode| ticket.modes.contains(mode));
        *reach != Reach::Refused && fits && plays
    });
    if !accepts {
        return WaitReason::NoServer;
    }
    let is_open = |venue: usize| !plan.busy[judge.venue(venue).server];
    let mut kinds = judge.compiled.kinds.iter();
    let is_left = kinds.any(|kind| {
        let open = kind.iter().find(|venue| is_open(**venue));
        open.is_some_and(|venue| {
            fill(
                judge,
                *venue,
                unit,
                |other| plan.is_free(other),
                Limited::No,
            )
            .is_some()
        })
    });
    if is_left {
        return WaitReason::Limits;
    }
    let mut kinds = judge.compiled.kinds.iter();
    if kinds.any(|kind| fill(judge, kind[0], unit, |_| true, Limited::No).is_some()) {
        WaitReason::Taken
    } else {
        WaitReason::TooFew
    }
}
