//! The best matches of few tickets: a dynamic program over subsets of the tickets, one server after another.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::matchmaking::judge::Judge;
use crate::matchmaking::plan::Plan;
use crate::matchmaking::teams::Division;

/// Up to so many tickets.
pub(super) const MAX_TICKETS: usize = 14;
/// The value of tickets among which the head has no match; below every value of matches.
const HEAD_WAITS: i64 = i64::MIN / 2;

/// A set of tickets: bit i stands for unit i.
type Mask = usize;

/// The best plan of all. The head is the due ticket that has waited longest of all who have an allowed match, and
/// is in one.
///
/// # Design
/// After each server, `best` has by set of tickets the highest value of matches of these tickets on the servers so
/// far. A further server has no match, or that of one group of the set, and the rest of the set uses the servers before.
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
        // The group that the server has by set of tickets.
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
    let mut plan = Plan::new(judge);
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

/// Tickets with an allowed match on a server.
#[derive(Clone, Copy)]
struct Group {
    mask: Mask,
    venue: usize,
    value: i64,
}

/// By server, the groups with an allowed match there, and the place of each. At most so many matches are played at
/// once, so a group needs no more servers than that: the others leave it one of its best.
fn groups(judge: &Judge<'_>) -> Vec<Vec<Group>> {
    let units = &judge.compiled.units;
    let players: usize = units.iter().map(|unit| unit.size).sum();
    let venues = judge.compiled.venues.iter().enumerate();
    // By size, the places with the tickets that accept each.
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

/// The allowed matches of these tickets at these places of one size, which are in the order of their servers: one a
/// server, as the modes of a server make no difference.
fn by_server(judge: &Judge<'_>, mask: Mask, venues: impl Iterator<Item = usize>) -> Vec<Group> {
    let members = members(mask);
    // Teams are the same wherever the same side is ahead by as much.
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

/// All subsets of a set, itself and the empty one among them.
fn subsets(set: Mask) -> impl Iterator<Item = Mask> {
    std::iter::successors(Some(set), move |subset| {
        subset.checked_sub(1).map(|smaller| smaller & set)
    })
}
