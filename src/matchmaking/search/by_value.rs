//! Two greedy plans of matches: the most valuable match first, or from the highest rating down, the usual method.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::matchmaking::fill::{Limited, fill};
use crate::matchmaking::judge::{Judge, PlannedMatch};
use crate::matchmaking::plan::Plan;

/// Plans the match of `head`, the overdue ticket, then always the most valuable match around any ticket. Returns `None`
/// if the work runs out before the plan is complete.
pub(super) fn by_value(judge: &Judge<'_>, head: Option<&(usize, PlannedMatch)>) -> Option<Plan> {
    let mut plan = Plan::new(judge, head);
    let everybody: Vec<usize> = (0..judge.compiled.units.len()).collect();
    extend(judge, &mut plan, &everybody);
    judge.goes_on().then_some(plan)
}

/// Adds matches around the tickets `seeds` to the plan, the most valuable one first, until none is allowed.
pub(super) fn extend(judge: &Judge<'_>, plan: &mut Plan, seeds: &[usize]) {
    let kinds = &judge.compiled.kinds;
    let around = |plan: &Plan, seed: usize, kind: usize| {
        if !plan.is_free(seed) {
            return None;
        }
        let mut venues = kinds[kind].iter();
        let venue = venues.find(|venue| !plan.busy[judge.venue(**venue).server])?;
        let group = fill(judge, *venue, seed, |unit| plan.is_free(unit), Limited::Yes)?;
        judge.judge(*venue, group)
    };
    let mut heap = BinaryHeap::new();
    let mut stored: Vec<PlannedMatch> = Vec::new();
    for &seed in seeds {
        if !judge.goes_on() {
            break;
        }
        for &kind in &judge.compiled.nearest[seed] {
            if let Some(made) = around(plan, seed, kind) {
                heap.push((made.worth.value, Reverse(seed), Reverse(kind), stored.len()));
                stored.push(made);
            }
        }
    }
    while let Some((_, Reverse(seed), Reverse(kind), index)) = heap.pop() {
        let made = &stored[index];
        let is_open = !plan.busy[judge.venue(made.venue).server];
        if is_open && made.group.iter().all(|unit| plan.is_free(*unit)) {
            plan.add(judge, made.clone());
        } else if let Some(made) = around(plan, seed, kind) {
            heap.push((made.worth.value, Reverse(seed), Reverse(kind), stored.len()));
            stored.push(made);
        }
    }
}

/// Plans the match of `head`, the overdue ticket. Then goes from the highest rating down: matches each free ticket with
/// those nearest in rating, at the first venue (server, size, mode) that allows the match.
pub(in crate::matchmaking) fn by_rating(
    judge: &Judge<'_>,
    head: Option<&(usize, PlannedMatch)>,
) -> Plan {
    let mut plan = Plan::new(judge, head);
    for &seed in &judge.compiled.by_rating {
        if !plan.is_free(seed) {
            continue;
        }
        let venues = judge.compiled.venues.iter().enumerate();
        let free = venues.filter(|(_, venue)| !plan.busy[venue.server]);
        let made = free.into_iter().find_map(|(venue, _)| {
            let group = fill(judge, venue, seed, |unit| plan.is_free(unit), Limited::Yes)?;
            judge.judge(venue, group)
        });
        if let Some(made) = made {
            plan.add(judge, made);
        }
    }
    plan
}
