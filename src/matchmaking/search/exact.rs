//! Optimal matches of few tickets: a dynamic program over subsets of the tickets, one server after another.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::matchmaking::judge::Judge;
use crate::matchmaking::plan::Plan;
use crate::matchmaking::teams::Division;

/// Maximum number of tickets for which the best matches are found exactly.
pub(super) const MAX_TICKETS: usize = 14;
/// Value of a set of tickets that leaves the longest overdue ticket unmatched; below the value of any matches.
const HEAD_WAITS: i64 = i64::MIN / 2;

/// Set of tickets as bits, in which bit i is ticket i.
type Mask = usize;

/// Returns the matches with the highest total value. The overdue ticket with the longest wait, among those with an
/// allowed match, is always matched.
///
/// # Design
/// After each server, `best` holds by set of tickets the highest value of their matches on the servers so far. The
/// next server has either no match, or the match of one group from the set; the rest of the set uses the earlier
/// servers.
pub(super) fn best(judge: &Judge<'_>) -> Plan {
    let units = &judge.compiled.units;
    let groups = groups(judge);
    let playable = groups
        .iter()
        .flatten()
        .fold(0, |all, group| all | group.mask);
    let mut due =
        (0..units.len()).take_while(|unit| units[*unit].waited >= judge.policy.due_seconds);
    let head = due.find(|unit| playable >> unit & 1 == 1);
    let without_matches = |mask: Mask| match head {
        Some(head) if mask >> head & 1 == 1 => HEAD_WAITS,
        _ => 0,
    };
    let all: Mask = (1 << units.len()) - 1;
    let mut best: Vec<i64> = (0..=all).map(without_matches).collect();
    let mut chosen = Vec::with_capacity(groups.len());
    for groups in &groups {
        let before = best.clone();
        // By set of tickets, the group that plays on this server.
        let mut here: Vec<Option<u16>> = vec![None; all + 1];
        for (index, group) in (0..).zip(groups) {
            for rest in subsets(all & !group.mask) {
                let (set, value) = (group.mask | rest, before[rest] + group.value);
                if value > best[set] {
                    best[set] = value;
                    here[set] = Some(index);
                }
            }
        }
        chosen.push(here);
    }
    let mut plan = Plan::new(judge, None);
    let mut left = all;
    for (groups, here) in groups.iter().zip(&chosen).rev() {
        let group = here[left].and_then(|index| groups.get(usize::from(index)));
        if let Some(group) = group
            && let Some(made) = judge.judge(group.venue, members(group.mask))
        {
            left &= !group.mask;
            plan.add(judge, made);
        }
    }
    plan
}

/// Group of tickets with an allowed match at a venue (server, team size and mode).
#[derive(Clone, Copy)]
struct Group {
    mask: Mask,
    venue: usize,
    value: i64,
}

/// Returns the groups of tickets with an allowed match on each server. A group is listed only for its best servers, one
/// more than the number of matches that the other players can fill: those matches cannot take all of these servers.
fn groups(judge: &Judge<'_>) -> Vec<Vec<Group>> {
    let units = &judge.compiled.units;
    let players: usize = units.iter().map(|unit| unit.size).sum();
    let venues = judge.compiled.venues.iter().enumerate();
    // By number of players, the venues with the tickets that accept each.
    let mut by_size: BTreeMap<usize, Vec<(usize, Mask)>> = BTreeMap::new();
    for (index, venue) in venues {
        let accepting = (0..units.len())
            .filter(|unit| venue.accepts(*unit))
            .fold(0, |mask, unit| mask | 1 << unit);
        let alike = by_size.entry(2 * venue.size).or_default();
        alike.push((index, accepting));
    }
    let smallest = by_size.first_key_value().map_or(2, |(size, _)| *size);
    let mut groups = vec![Vec::new(); judge.compiled.servers];
    let mut sizes = vec![0; 1 << units.len()];
    for mask in 1..1 << units.len() {
        let size = sizes[mask & (mask - 1)] + units[mask.trailing_zeros() as usize].size;
        sizes[mask] = size;
        let Some(venues) = by_size.get(&size) else {
            continue;
        };
        let accepted = venues
            .iter()
            .filter(|(_, accepting)| mask & !accepting == 0);
        let mut found = by_server(judge, mask, accepted.map(|(venue, _)| *venue));
        found.sort_by_key(|group| Reverse(group.value));
        found.truncate(1 + (players - size) / smallest);
        for group in found {
            groups[judge.venue(group.venue).server].push(group);
        }
    }
    groups
}

/// Returns the allowed matches of these tickets at `venues` (server, size and mode) of one size, ordered by server.
/// Each server appears once, because its modes do not change the value.
fn by_server(judge: &Judge<'_>, mask: Mask, venues: impl Iterator<Item = usize>) -> Vec<Group> {
    let members = members(mask);
    // Venues with equal leans have equal divisions.
    let mut divisions: BTreeMap<i32, Option<Division>> = BTreeMap::new();
    let mut found: Vec<Group> = Vec::new();
    let mut last = None;
    for venue in venues {
        let there = judge.venue(venue);
        if last.replace(there.server) == Some(there.server) {
            continue;
        }
        let divide = |group: &[usize]| {
            let known = divisions.entry(there.lean);
            *known.or_insert_with(|| judge.divide(there, group))
        };
        let made = judge.judge_divided(venue, members.clone(), divide);
        found.extend(made.map(|made| Group {
            mask,
            venue,
            value: made.worth.value,
        }));
    }
    found
}

fn members(mask: Mask) -> Vec<usize> {
    let bits = 0..MAX_TICKETS;
    bits.filter(|unit| mask >> unit & 1 == 1).collect()
}

/// Iterates over all subsets of a set of tickets, including the empty set and the set itself.
fn subsets(set: Mask) -> impl Iterator<Item = Mask> {
    std::iter::successors(Some(set), move |subset| {
        subset.checked_sub(1).map(|smaller| smaller & set)
    })
}
