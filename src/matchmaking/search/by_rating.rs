//! What is usual: from the highest rating down, each with the nearest.

use crate::matchmaking::fill::{Limited, fill};
use crate::matchmaking::judge::{Judge, Made};
use crate::matchmaking::plan::Plan;

/// Who goes first, then from the highest rating down whoever is free with those nearest in rating, at the first place
/// where that is allowed.
pub(in crate::matchmaking) fn by_rating(judge: &Judge<'_>, head: Option<&(usize, Made)>) -> Plan {
    let mut plan = Plan::new(judge);
    if let Some((_, made)) = head {
        plan.add(judge, made.clone());
    }
    for &seed in &judge.compiled.by_rating {
        if !plan.is_free(seed) {
            continue;
        }
        let places = judge.compiled.places.iter().enumerate();
        let free = places.filter(|(_, place)| !plan.busy[place.server]);
        let made = free.into_iter().find_map(|(place, _)| {
            let group = fill(judge, place, seed, |unit| plan.is_free(unit), Limited::Yes)?;
            judge.judge(place, group)
        });
        if let Some(made) = made {
            plan.add(judge, made);
        }
    }
    plan
}
