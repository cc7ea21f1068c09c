//! Exact divisions into teams, for matches with too many tickets to enumerate all divisions.

use super::judge::{Judge, PlannedMatch};
use super::plan::Plan;
use super::queue::{Queue, QueuedPlayer};
use super::teams::{Division, MAX_ENUMERATED, cost};
use crate::domain::{Handicap, PlayerId};
use crate::partition::{Candidate, Limits, Pool, Role, Wishes, solve_sharing};

/// Work for all team divisions of an answer, in the unit of [`Limits::work`]: some hundredths of a second.
const WORK: u64 = 60_000_000;

/// Replaces the team division of the plan's larger matches if the exact one costs less.
pub(super) fn split(judge: &Judge<'_>, queue: &Queue, plan: &mut Plan) {
    let is_large = |made: &&mut PlannedMatch| made.group.len() > MAX_ENUMERATED;
    let large: Vec<&mut PlannedMatch> = plan.made.iter_mut().filter(is_large).collect();
    let work = WORK / (large.len() as u64).max(1);
    for made in large {
        let Some(division) = exact(judge, queue, made, work) else {
            continue;
        };
        let venue = judge.venue(made.venue);
        let [now, new] = [made.worth.division, division]
            .map(|division| cost(judge.compiled, judge.policy, venue, division));
        if new < now
            && let Some(cheaper) =
                judge.judge_divided(made.venue, made.group.clone(), |_| Some(division))
        {
            *made = cheaper;
        }
    }
}

/// Finds the most even division of a match into two teams that splits no ticket.
fn exact(judge: &Judge<'_>, queue: &Queue, made: &PlannedMatch, work: u64) -> Option<Division> {
    let units: Vec<_> = made
        .group
        .iter()
        .map(|unit| &judge.compiled.units[*unit])
        .collect();
    let tickets = || units.iter().map(|unit| &queue.tickets[unit.ticket].players);
    let ids = |players: &[QueuedPlayer]| -> Vec<PlayerId> {
        players.iter().map(|player| player.candidate.id).collect()
    };
    let parties = tickets().filter(|players| players.len() > 1);
    let roles = judge
        .compiled
        .roles
        .iter()
        .enumerate()
        .map(|(role, each)| Role {
            name: String::new(),
            players: tickets()
                .flatten()
                .filter(|player| player.roles >> role & 1 == 1)
                .map(|player| player.candidate.id)
                .collect(),
            each: usize::from(*each),
        });
    let wishes = Wishes {
        parties: parties.map(|players| ids(players)).collect(),
        party_price: 1_000_000,
        roles: roles.collect(),
        sizes: Some(vec![judge.venue(made.venue).size]),
        spread: false,
        ..Wishes::default()
    };
    let candidates: Vec<Candidate> = tickets().flatten().map(|player| player.candidate).collect();
    let handicap = Handicap {
        lean: i64::from(judge.venue(made.venue).lean),
        extra_player: 0,
    };
    let pool = Pool::new(candidates).ok()?.with_handicap(handicap);
    let limits = Limits {
        work: work / if pool.len() > 32 { 9 } else { 1 },
        ..Limits::default()
    };
    let mut table = solve_sharing(&pool, &wishes, &limits, judge.pace.host)?;
    let split = table.splits.pop()?;
    if !split.outcome.split_parties.is_empty() {
        return None;
    }
    let mut on_a = 0;
    for (index, players) in tickets().enumerate() {
        let first = players.first()?.candidate.id;
        if split.a.iter().any(|player| player.id == first) {
            on_a |= 1 << index;
        }
    }
    Some(Division {
        on_a,
        lead: i32::try_from(split.sum_a - split.sum_b).ok()?,
        missing: split
            .outcome
            .missing_roles
            .iter()
            .map(|role| u32::try_from(role.missing).unwrap_or(u32::MAX))
            .sum(),
    })
}
