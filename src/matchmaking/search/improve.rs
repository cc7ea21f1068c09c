//! Local improvements of a plan of matches: exchanges of tickets and of servers.

use crate::matchmaking::judge::{Judge, PlannedMatch};
use crate::matchmaking::plan::Plan;

/// Maximum distance in rank by rating between tickets that are exchanged.
const NEAR: usize = 12;
/// Number of unmatched tickets with the longest waits that are tried in exchanges.
const SENIOR: usize = 6;

/// Improves the plan of matches until no change raises its value, or the work is used up. Ticket `head` stays matched.
pub(super) fn improve(judge: &Judge<'_>, plan: &mut Plan, head: Option<usize>) {
    let mut matches: Vec<usize> = (0..plan.made.len()).collect();
    while !matches.is_empty() && judge.goes_on() {
        matches = improve_these(judge, plan, head, &matches);
    }
}

/// Tries every exchange of tickets in these matches once, and keeps those that improve the plan. Returns the indices of
/// the changed matches.
pub(super) fn improve_these(
    judge: &Judge<'_>,
    plan: &mut Plan,
    head: Option<usize>,
    matches: &[usize],
) -> Vec<usize> {
    let mut changed = Vec::new();
    for &index in matches {
        for unit in plan.made[index].group.clone() {
            if !judge.goes_on() {
                return Vec::new();
            }
            // An earlier exchange may have removed the ticket from the match.
            if plan.matched[unit] == Some(index) {
                changed.extend(exchange(judge, plan, head, index, unit));
            }
        }
        changed.extend(relocate(judge, plan, index));
    }
    changed.sort_unstable();
    changed.dedup();
    changed
}

/// Makes the first exchange of a ticket with an unmatched ticket, or with one of another match, that raises the plan's
/// value. Returns the matches that changed.
fn exchange(
    judge: &Judge<'_>,
    plan: &mut Plan,
    head: Option<usize>,
    index: usize,
    unit: usize,
) -> Vec<usize> {
    let compiled = judge.compiled;
    let rank = compiled.rank[unit];
    let near = rank.saturating_sub(NEAR)..(rank + NEAR + 1).min(compiled.units.len());
    let near = compiled.by_rating[near].iter().copied();
    let senior = (0..compiled.units.len()).filter(|other| plan.is_free(*other));
    let others: Vec<usize> = near.chain(senior.take(SENIOR)).collect();
    for other in others {
        let same_size = compiled.units[other].size == compiled.units[unit].size;
        if !same_size || plan.matched[other] == Some(index) {
            continue;
        }
        let changes = match plan.matched[other] {
            None if head == Some(unit) => None,
            None => replaced(judge, &plan.made[index], unit, other).map(|made| vec![(index, made)]),
            Some(their) => both(judge, plan, [index, their], [unit, other]),
        };
        if let Some(changes) = changes {
            let improved = changes.iter().map(|(index, _)| *index).collect();
            plan.replace(judge, changes);
            return improved;
        }
    }
    Vec::new()
}

/// Returns the planned match `made` with its ticket `unit` replaced by `other`, if the match's value rises.
fn replaced(
    judge: &Judge<'_>,
    made: &PlannedMatch,
    unit: usize,
    other: usize,
) -> Option<PlannedMatch> {
    if !judge.venue(made.venue).accepts(other) {
        return None;
    }
    let group = with(&made.group, unit, other);
    let value = made.worth.value;
    if judge.at_most(made.venue, &group)? <= value {
        return None;
    }
    let new = judge.judge(made.venue, group)?;
    (new.worth.value > value).then_some(new)
}

fn with(group: &[usize], unit: usize, other: usize) -> Vec<usize> {
    let group = group
        .iter()
        .map(|one| if *one == unit { other } else { *one });
    group.collect()
}

/// Returns two matches after they exchange a ticket, if their total value rises.
fn both(
    judge: &Judge<'_>,
    plan: &Plan,
    indices: [usize; 2],
    units: [usize; 2],
) -> Option<Vec<(usize, PlannedMatch)>> {
    let [one, other] = indices.map(|index| &plan.made[index]);
    let accepted =
        judge.venue(one.venue).accepts(units[1]) && judge.venue(other.venue).accepts(units[0]);
    if !accepted {
        return None;
    }
    let groups = [
        with(&one.group, units[0], units[1]),
        with(&other.group, units[1], units[0]),
    ];
    let most = [
        judge.at_most(one.venue, &groups[0])?,
        judge.at_most(other.venue, &groups[1])?,
    ];
    let now = one.worth.value + other.worth.value;
    if most[0] + most[1] <= now {
        return None;
    }
    let [first, second] = groups;
    let first = judge.judge(one.venue, first)?;
    if first.worth.value + most[1] <= now {
        return None;
    }
    let second = judge.judge(other.venue, second)?;
    let is_better = first.worth.value + second.worth.value > now;
    is_better.then(|| vec![(indices[0], first), (indices[1], second)])
}

/// Moves a match to a free server, or exchanges the servers of two matches, if the plan's value rises. Returns the
/// matches that changed.
fn relocate(judge: &Judge<'_>, plan: &mut Plan, index: usize) -> Vec<usize> {
    let compiled = judge.compiled;
    let own = judge.venue(plan.made[index].venue).server;
    for kind in &compiled.kinds {
        let open = kind.iter().find(|venue| {
            let server = judge.venue(**venue).server;
            server == own || !plan.busy[server]
        });
        let made = &plan.made[index];
        if let Some(new) = open.and_then(|venue| moved(judge, made, *venue, made.worth.value)) {
            plan.replace(judge, vec![(index, new)]);
            return vec![index];
        }
    }
    for other in 0..plan.made.len() {
        let [one, two] = [&plan.made[index], &plan.made[other]];
        if other == index || one.group.len() == two.group.len() && one.venue == two.venue {
            continue;
        }
        let now = one.worth.value + two.worth.value;
        let size = |made: &PlannedMatch| judge.venue(made.venue).size;
        if size(one) != size(two) {
            continue;
        }
        let Some(most) = at_most_there(judge, two, one.venue) else {
            continue;
        };
        let Some(first) = moved(judge, one, two.venue, now - most) else {
            continue;
        };
        let enough = now - first.worth.value;
        if let Some(second) = moved(judge, two, one.venue, enough) {
            plan.replace(judge, vec![(index, first), (other, second)]);
            return vec![index, other];
        }
    }
    Vec::new()
}

fn at_most_there(judge: &Judge<'_>, made: &PlannedMatch, venue: usize) -> Option<i64> {
    let there = judge.venue(venue);
    let accepted = made.group.iter().all(|unit| there.accepts(*unit));
    let fits = there.size == judge.venue(made.venue).size;
    if !accepted || !fits || made.venue == venue {
        return None;
    }
    judge.at_most(venue, &made.group)
}

/// Returns the match `made` moved to another `venue` (server and mode) with equal team size, if its value there is
/// above `enough`.
fn moved(
    judge: &Judge<'_>,
    made: &PlannedMatch,
    venue: usize,
    enough: i64,
) -> Option<PlannedMatch> {
    if at_most_there(judge, made, venue)? <= enough {
        return None;
    }
    let new = judge.judge(venue, made.group.clone())?;
    (new.worth.value > enough).then_some(new)
}
