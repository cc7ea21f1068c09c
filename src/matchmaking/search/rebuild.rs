//! Large-neighbourhood search: dissolves some matches and makes new ones, until the allowed work is used up.

use super::by_value::extend;
use super::improve::improve_these;
use crate::matchmaking::fill::{Limited, fill};
use crate::matchmaking::judge::Judge;
use crate::matchmaking::plan::Plan;

/// Maximum number of unmatched tickets, nearest in rating, that join an attempt to rebuild matches.
const WAITING: usize = 24;
/// Number of consecutive attempts without improvement after which the search for matches ends.
const MAX_IN_VAIN: u32 = 400;

/// Returns the best plan of matches found. Each attempt depends only on the number of earlier attempts, so that more
/// work only adds attempts.
pub(super) fn rebuild(judge: &Judge<'_>, mut best: Plan, head: Option<usize>) -> Plan {
    let units = judge.compiled.units.len();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut in_vain = 0;
    while in_vain < MAX_IN_VAIN && units > 0 && judge.goes_on() {
        in_vain += 1;
        judge.spend(4 * units as u64 + 1);
        let centre = numbers.below(units);
        let mut plan = best.clone();
        let seeds = open_around(judge, &mut plan, centre, 1 + numbers.below(3));
        let before = plan.made.len();
        // Make one match around a random ticket first; the other matches follow from it.
        let seed = seeds[numbers.below(seeds.len())];
        let kinds = &judge.compiled.nearest[seed];
        if !kinds.is_empty() && numbers.below(2) == 0 {
            let kind = &judge.compiled.kinds[kinds[numbers.below(kinds.len())]];
            let open = kind
                .iter()
                .find(|venue| !plan.busy[judge.venue(**venue).server]);
            let skipped = seeds[numbers.below(seeds.len())];
            let made = open.and_then(|venue| {
                let free = |unit: usize| plan.is_free(unit) && unit != skipped;
                judge.judge(*venue, fill(judge, *venue, seed, free, Limited::Yes)?)
            });
            if let Some(made) = made {
                plan.add(judge, made);
            }
        }
        extend(judge, &mut plan, &seeds);
        let mut changed: Vec<usize> = (before.min(plan.made.len())..plan.made.len()).collect();
        for _ in 0..4 {
            changed = improve_these(judge, &mut plan, head, &changed);
            if changed.is_empty() {
                break;
            }
        }
        // An attempt that was cut short does not count.
        if !judge.goes_on() {
            break;
        }
        let keeps_head = head.is_none_or(|head| !plan.is_free(head));
        if keeps_head && plan.value() > best.value() {
            best = plan;
            in_vain = 0;
        }
    }
    best
}

/// Dissolves up to `matches` matches around the rank `centre` by rating. Returns the free tickets around this rank.
fn open_around(judge: &Judge<'_>, plan: &mut Plan, centre: usize, matches: usize) -> Vec<usize> {
    let compiled = judge.compiled;
    let (mut dissolved, mut seeds) = (Vec::new(), Vec::new());
    let mut waiting = 0;
    for distance in 0..compiled.units.len() {
        for rank in [centre.checked_sub(distance), Some(centre + distance)] {
            let unit = rank.and_then(|rank| compiled.by_rating.get(rank));
            let Some(&unit) = unit.filter(|_| distance > 0 || rank == Some(centre)) else {
                continue;
            };
            match plan.matched[unit] {
                Some(made) if dissolved.contains(&made) => {}
                Some(made) if dissolved.len() < matches => {
                    dissolved.push(made);
                    seeds.extend(&plan.made[made].group);
                }
                None if waiting < WAITING => {
                    waiting += 1;
                    seeds.push(unit);
                }
                Some(_) | None => {}
            }
        }
        if dissolved.len() == matches && waiting == WAITING {
            break;
        }
    }
    plan.remove(judge, dissolved);
    seeds.sort_unstable();
    seeds.dedup();
    seeds
}

/// Deterministic generator of pseudo-random numbers (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let number = (self.0 >> 16) as usize;
        number % bound.max(1)
    }
}
