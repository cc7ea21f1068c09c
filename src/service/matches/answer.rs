use std::cmp::Reverse;
use std::collections::HashMap;

use super::queue::waited;
use crate::api::{
    MatchAnswer, MatchLimitsAnswer, MatchRequest, MatchesAnswer, MissingRoleAnswer, Object,
    TicketRequest, WaitReason, WaitingTicketAnswer,
};
use crate::domain::{PlayerId, PolicyName, PoolName, Probability, Rating, Timestamp};
use crate::matchmaking;
use crate::matchmaking::{Limits, Match, MatchPolicy, Matches};
use crate::service::ServiceError;
use crate::service::convert::convert;
use crate::service::phrases::matches::{made, summary, waits};

convert! {
    Limits => MatchLimitsAnswer { uneven, spread, ping }
}

/// Converts the value of a match from millionths of a player place into places.
fn places(value: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let places = value as f64 / 1e6;
    places
}

/// Builds the matchmaking answer from the computed matches. `odds` returns the probability that the first team wins on
/// a server, given as an index into the request's servers.
pub(super) fn describe(
    request: &MatchRequest,
    ratings: &[Rating],
    matches: &Matches,
    (pool, name, policy, now): (&PoolName, &PolicyName, &MatchPolicy, Timestamp),
    odds: impl Fn(usize, &[PlayerId], &[PlayerId]) -> Result<Probability, ServiceError>,
) -> Result<MatchesAnswer, ServiceError> {
    let ratings: HashMap<PlayerId, Rating> =
        request.players().zip(ratings.iter().copied()).collect();
    let answers: Vec<MatchAnswer> = matches
        .matches
        .iter()
        .map(|found| {
            let teams = found.teams.each_ref().map(|team| {
                let tickets = team.iter().map(|ticket| &request.tickets[*ticket].0);
                team_of(tickets, &ratings)
            });
            let for_a = odds(found.server, &teams[0], &teams[1])?;
            Ok(describe_one(request, &ratings, found, teams, for_a))
        })
        .collect::<Result<_, ServiceError>>()?;
    let waiting = matches.waiting.iter().map(|wait| {
        let Object(ticket) = &request.tickets[wait.ticket];
        let waited_seconds = waited(ticket, now);
        let due_in_seconds = policy.due_seconds.saturating_sub(waited_seconds);
        WaitingTicketAnswer {
            ticket: ticket.id.clone(),
            waited_seconds,
            due_in_seconds,
            why: match wait.why {
                matchmaking::WaitReason::NoServer => WaitReason::NoServer,
                matchmaking::WaitReason::TooFew => WaitReason::TooFew,
                matchmaking::WaitReason::Taken => WaitReason::Taken,
                matchmaking::WaitReason::Limits => WaitReason::Limits,
            },
            message: waits(wait.why, due_in_seconds),
        }
    });
    Ok(MatchesAnswer {
        pool: pool.clone(),
        policy: name.clone(),
        now,
        waiting: waiting.collect(),
        value: places(matches.value),
        message: summary(answers.len(), matches.waiting.len()),
        matches: answers,
    })
}

/// Returns the players of the matchmaking tickets in `tickets`, highest rating first.
fn team_of<'all>(
    tickets: impl Iterator<Item = &'all TicketRequest>,
    ratings: &HashMap<PlayerId, Rating>,
) -> Vec<PlayerId> {
    let players = tickets.flat_map(|ticket| &ticket.players);
    let mut team: Vec<PlayerId> = players.map(|player| player.id).collect();
    team.sort_by_key(|player| (Reverse(ratings.get(player).copied()), *player));
    team
}

fn describe_one(
    request: &MatchRequest,
    ratings: &HashMap<PlayerId, Rating>,
    found: &Match,
    [a, b]: [Vec<PlayerId>; 2],
    for_a: Probability,
) -> MatchAnswer {
    let Object(server) = &request.servers[found.server];
    let sum = |team: &[PlayerId]| -> i64 {
        let points = team.iter().filter_map(|player| ratings.get(player));
        points.map(|rating| i64::from(rating.points())).sum()
    };
    let names = |team: &[usize]| {
        let tickets = team.iter().map(|ticket| &request.tickets[*ticket].0);
        tickets.map(|ticket| ticket.id.clone()).collect()
    };
    let roles = request.roles.iter().zip(&found.missing);
    let missing = roles.filter(|(_, missing)| **missing > 0);
    let missing_roles = missing.map(|(Object(role), missing)| MissingRoleAnswer {
        name: role.name.to_string(),
        missing: *missing as usize,
    });
    let (sum_a, sum_b) = (sum(&a), sum(&b));
    MatchAnswer {
        server: server.name.clone(),
        region: server.region.clone(),
        mode: found.mode.clone(),
        size: found.size,
        tickets_a: names(&found.teams[0]),
        tickets_b: names(&found.teams[1]),
        difference: sum_a.abs_diff(sum_b),
        sum_a,
        sum_b,
        win_probability_a: for_a,
        spread: found.spread,
        missing_roles: missing_roles.collect(),
        longest_wait_seconds: found.longest_wait,
        mean_wait_seconds: found.mean_wait,
        worst_ping: found.worst_ping.map(u32::from),
        mean_ping: found.mean_ping,
        limits: found.limits.map(Into::into),
        value: places(found.value),
        message: made(found, for_a),
        a,
        b,
    }
}
