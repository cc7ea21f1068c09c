//! Search for the set of matches with the highest total value. Few tickets are solved exactly. For more, a plan by
//! rating and a plan by value are improved. The better one is rebuilt until the allowed work is used up. A step that
//! the end of the work cuts short is a prefix of the longer search, or is discarded. More work therefore never lowers
//! the value.

mod by_value;
mod exact;
mod improve;
mod rebuild;

use super::fill::{Limited, fill};
use super::judge::{Judge, PlannedMatch};
use super::plan::Plan;
pub(super) use by_value::by_rating;

/// Searches for the best plan of matches. Without any work left, more than [`exact::MAX_TICKETS`] tickets are matched
/// by rating alone.
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
        if other.value() > plan.value() {
            plan = other;
        }
    }
    rebuild::rebuild(judge, plan, first)
}

/// Returns the overdue ticket with the longest wait among those that can be matched, and the best match around it.
fn head(judge: &Judge<'_>) -> Option<(usize, PlannedMatch)> {
    let due = judge.policy.due_seconds;
    let units = judge.compiled.units.iter().enumerate();
    let mut due = units.take_while(|(_, unit)| unit.waited >= due);
    due.find_map(|(unit, _)| {
        let venues = 0..judge.compiled.venues.len();
        let made = venues.filter_map(|venue| {
            let group = fill(judge, venue, unit, |_| true, Limited::Yes)?;
            judge.judge(venue, group)
        });
        // Unlike `max_by_key`, this keeps the first of equally good matches.
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
