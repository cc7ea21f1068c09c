//! Finds matches of a high value together. Of few tickets they are the best there are. Of more, a plan by rating and one by
//! value are improved, and the better one is rebuilt while there is work left. Where work ends, what was begun is either a
//! beginning of what more work would make of it or thrown away, so that more work never gives less.

mod by_value;
mod exact;
mod improve;
mod rebuild;

use super::fill::{Limited, fill};
use super::judge::{Judge, Made};
use super::plan::Plan;
pub(super) use by_value::by_rating;

/// The matches of the queue; of more than [`exact::MAX_TICKETS`] those by rating alone where there is no work left.
pub(super) fn search(judge: &Judge<'_>) -> Plan {
    if judge.compiled.units.len() <= exact::MAX_TICKETS {
        return exact::best(judge);
    }
    let head = head(judge);
    let mut plan = by_rating(judge, head.as_ref());
    let first = head.as_ref().map(|(unit, _)| *unit);
    improve::improve(judge, &mut plan, first);
    if let Some(mut other) = by_value::by_value(judge, head.as_ref()) {
        improve::improve(judge, &mut other, first);
        plan = better(plan, other);
    }
    rebuild::rebuild(judge, plan, first)
}

/// The one of higher value, the first of equals.
fn better(one: Plan, other: Plan) -> Plan {
    if other.value() > one.value() {
        other
    } else {
        one
    }
}

/// Who goes first: of those whose waiting is due, the one that has waited longest of all who can be in any match, and
/// the best match around it.
fn head(judge: &Judge<'_>) -> Option<(usize, Made)> {
    let due = judge.policy.due_seconds;
    let units = judge.compiled.units.iter().enumerate();
    let mut due = units.take_while(|(_, unit)| unit.waited >= due);
    due.find_map(|(unit, _)| {
        let venues = 0..judge.compiled.venues.len();
        let made = venues.filter_map(|venue| {
            let group = fill(judge, venue, unit, |_| true, Limited::Yes)?;
            judge.judge(venue, group)
        });
        // The first of equals.
        let best = made.reduce(|best, made| {
            if made.worth.value > best.worth.value {
                made
            } else {
                best
            }
        });
        best.map(|made| (unit, made))
    })
}
