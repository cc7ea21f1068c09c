//! Values of matches by the text of docs/matchmaking.md, and the optimum by exhaustive search.

use rbs::domain::ModeName;
use rbs::matchmaking::{MatchPolicy, Queue, Reach, Ticket};

/// Value in millionths of the match of these tickets on that server: the best over sizes, modes and teams. `None` if no
/// such match is allowed.
fn worth(queue: &Queue, policy: &MatchPolicy, server: usize, group: u32) -> Option<i64> {
    let tickets = members(queue, group);
    let players: usize = tickets.iter().map(|ticket| ticket.players.len()).sum();
    let size = players / 2;
    if players % 2 == 1 || !queue.servers[server].sizes.contains(&size) {
        return None;
    }
    if !shares_a_mode(queue, server, &tickets) {
        return None;
    }
    let longest = tickets.iter().map(|ticket| ticket.waited_seconds).max()?;
    let is_due = longest >= policy.due_seconds;
    let share = (f64::from(longest) / f64::from(policy.widen_seconds)).min(1.0);
    let limit = |from: f64, to: f64| {
        if is_due {
            f64::INFINITY
        } else {
            from + (to - from) * share
        }
    };
    let number = |count: usize| f64::from(u32::try_from(count).unwrap());
    let mut worth = 0.0;
    let mut ratings = Vec::new();
    for ticket in &tickets {
        for player in &ticket.players {
            ratings.push(f64::from(player.candidate.rating.points()));
            let waited = ticket.waited_seconds.min(policy.due_seconds);
            worth += 1.0 + policy.waiting * f64::from(waited) / f64::from(policy.due_seconds);
            match ticket.reach[server] {
                Reach::Refused => return None,
                Reach::Accepted => {}
                Reach::Ping(ping) => {
                    let ping = f64::from(ping);
                    if ping > limit(policy.at_once.ping, policy.widened.ping) {
                        return None;
                    }
                    worth -= policy.ping * ping / (ping + policy.ping_ms);
                }
            }
        }
    }
    let mean = ratings.iter().sum::<f64>() / number(players);
    let squares = ratings.iter().map(|rating| (rating - mean).powi(2));
    let spread = (squares.sum::<f64>() / number(players)).sqrt();
    if spread > limit(policy.at_once.spread, policy.widened.spread) {
        return None;
    }
    worth -= number(players) * policy.spread * spread / (spread + policy.spread_points);
    let wanted: u32 = queue.roles.iter().map(|each| 2 * u32::from(*each)).sum();
    let mut best: Option<(f64, f64, u32)> = None;
    for side in 0_u32..1 << tickets.len() {
        let on = |wanted: u32| {
            let numbered = tickets.iter().enumerate();
            let there = numbered.filter(move |(index, _)| side >> index & 1 == wanted);
            there.flat_map(|(_, ticket)| &ticket.players)
        };
        if on(1).count() != size || on(0).count() != size {
            continue;
        }
        let sum = |side: u32| -> i32 {
            on(side)
                .map(|player| player.candidate.rating.points())
                .sum()
        };
        let lead = sum(1) - sum(0) + queue.servers[server].lean;
        let odds = 1.0 / (1.0 + (-f64::from(lead.abs()) / queue.thetas[&size]).exp());
        let mut missing = 0;
        for (role, each) in queue.roles.iter().enumerate() {
            for side in [0, 1] {
                let can = on(side)
                    .filter(|player| player.roles >> role & 1 == 1)
                    .count();
                missing += u32::from(*each).saturating_sub(u32::try_from(can).unwrap());
            }
        }
        let lacking = if wanted == 0 {
            0.0
        } else {
            f64::from(missing) / f64::from(wanted)
        };
        let cost = policy.evenness * (2.0 * odds - 1.0) + policy.roles * lacking;
        if best.is_none_or(|(least, ..)| cost < least) {
            best = Some((cost, odds - 0.5, missing));
        }
    }
    let (cost, uneven, missing) = best?;
    let lacks = missing > 0 && longest < policy.roles_seconds && !is_due;
    if uneven > limit(policy.at_once.uneven, policy.widened.uneven) || lacks {
        return None;
    }
    worth -= number(players) * cost;
    #[expect(clippy::cast_possible_truncation, reason = "some millions")]
    let millionths = (worth * 1e6).round() as i64;
    Some(millionths)
}

fn members(queue: &Queue, group: u32) -> Vec<&Ticket> {
    let numbered = queue.tickets.iter().enumerate();
    let there = numbered.filter(|(index, _)| group >> index & 1 == 1);
    there.map(|(_, ticket)| ticket).collect()
}

fn shares_a_mode(queue: &Queue, server: usize, tickets: &[&Ticket]) -> bool {
    let server = &queue.servers[server].modes;
    let asked = queue.tickets.iter().flat_map(|ticket| &ticket.modes);
    let mut modes: Vec<&ModeName> = if server.is_empty() {
        asked.collect()
    } else {
        server.iter().collect()
    };
    modes.dedup();
    let would = |mode: &ModeName| {
        let mut tickets = tickets.iter();
        tickets.all(|ticket| ticket.modes.is_empty() || ticket.modes.contains(mode))
    };
    modes.is_empty() || modes.into_iter().any(would)
}

/// All allowed matches, by server.
fn all(queue: &Queue, policy: &MatchPolicy) -> Vec<Vec<(u32, i64)>> {
    let groups = 1_u32..1 << queue.tickets.len();
    let servers = 0..queue.servers.len();
    let of = |server| {
        let groups = groups.clone();
        let worth = groups.filter_map(|group| Some((group, worth(queue, policy, server, group)?)));
        worth.collect()
    };
    servers.map(of).collect()
}

/// The ticket that must be matched first: among the due tickets that are in any match, the longest-waiting; ties by the
/// lowest id.
fn head(queue: &Queue, policy: &MatchPolicy, all: &[Vec<(u32, i64)>]) -> Option<usize> {
    let numbered = queue.tickets.iter().enumerate();
    let due = numbered.filter(|(index, ticket)| {
        let in_any = all
            .iter()
            .flatten()
            .any(|(group, _)| group >> index & 1 == 1);
        ticket.waited_seconds >= policy.due_seconds && in_any
    });
    let first = due.min_by_key(|(_, ticket)| {
        let ids = ticket.players.iter().map(|player| player.candidate.id);
        (std::cmp::Reverse(ticket.waited_seconds), ids.min())
    });
    first.map(|(index, _)| index)
}

/// Maximum total value of matches, server by server over every set of remaining tickets, and the ticket that must be in
/// a match, if any.
pub(super) fn optimum(queue: &Queue, policy: &MatchPolicy) -> (i64, Option<usize>) {
    let all = all(queue, policy);
    let head = head(queue, policy, &all);
    // By set of used tickets: the maximum value that the servers so far can give.
    let mut best: Vec<Option<i64>> = vec![None; 1 << queue.tickets.len()];
    best[0] = Some(0);
    for server in &all {
        let before = best.clone();
        for (used, value) in before.iter().enumerate() {
            let Some(value) = value else { continue };
            for (group, worth) in server {
                let group = usize::try_from(*group).unwrap();
                if used & group == 0 {
                    let entry = &mut best[used | group];
                    *entry = (*entry).max(Some(value + worth));
                }
            }
        }
    }
    let with_head = best.iter().enumerate();
    let with_head = with_head.filter(|(used, _)| head.is_none_or(|head| used >> head & 1 == 1));
    let best = with_head.filter_map(|(_, value)| *value).max();
    (best.unwrap_or(0), head)
}
