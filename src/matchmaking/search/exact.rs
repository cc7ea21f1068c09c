//! The best matches of few tickets: all groups are looked at, and packed by branch and bound.

use std::cmp::Reverse;

use crate::matchmaking::judge::{Judge, Made};
use crate::matchmaking::plan::Plan;

/// Up to so many tickets.
pub(super) const MOST_TICKETS: usize = 14;
/// After so many branches what was found so far is answered.
const MOST_BRANCHES: u64 = 400_000;

/// The best plan, or that one where it is as good or too many branches would have to be looked at.
pub(super) fn best(judge: &Judge<'_>, head: Option<usize>, plan: Plan) -> Plan {
    let groups = groups(judge);
    let units = judge.compiled.units.len();
    let mut by_first: Vec<Vec<Group>> = vec![Vec::new(); units];
    for group in groups {
        by_first[group.mask.trailing_zeros() as usize].push(group);
    }
    for groups in &mut by_first {
        groups.sort_by_key(|group| Reverse(group.made.worth.value));
    }
    let mut packing = Packing {
        judge,
        bounds: vec![None; 1 << units],
        by_first,
        head,
        best: plan.value(),
        found: None,
        chosen: Vec::new(),
        branches: 0,
    };
    packing.pack((1 << units) - 1, 0);
    let Some(found) = packing.found else {
        return plan;
    };
    let mut plan = Plan::new(judge);
    for made in found {
        plan.add(judge, made);
    }
    plan
}

/// Tickets that can play at a place.
#[derive(Clone)]
struct Group {
    mask: u32,
    made: Made,
}

/// Every group at the places that are best for it. As at once at most so many matches are played, no more servers than
/// that need be considered for any one.
fn groups(judge: &Judge<'_>) -> Vec<Group> {
    let units = &judge.compiled.units;
    let players: usize = units.iter().map(|unit| unit.size).sum();
    let places = judge.compiled.places.iter().enumerate();
    let places: Vec<(usize, usize, u32)> = places
        .map(|(index, place)| {
            let accepts = (0..units.len()).filter(|unit| place.accepts(*unit));
            (
                index,
                place.size,
                accepts.fold(0, |mask, unit| mask | 1 << unit),
            )
        })
        .collect();
    let smallest = places.iter().map(|(_, team, _)| 2 * team).min();
    let most = players / smallest.unwrap_or(2).max(1);
    let mut groups = Vec::new();
    let mut sizes = vec![0; 1 << units.len()];
    for mask in 1_u32..1 << units.len() {
        let first = mask.trailing_zeros() as usize;
        let size = sizes[(mask & (mask - 1)) as usize] + units[first].size;
        sizes[mask as usize] = size;
        let fitting = places.iter();
        let fitting = fitting.filter(|(_, team, accept)| 2 * team == size && mask & !accept == 0);
        let members: Vec<usize> = (0..units.len())
            .filter(|unit| mask >> unit & 1 == 1)
            .collect();
        let mut made: Vec<Made> = Vec::new();
        for (place, ..) in fitting {
            let known = made
                .iter()
                .find(|made| alike(judge, made.place, *place, &members));
            let new = match known {
                Some(known) => Some(Made {
                    place: *place,
                    ..known.clone()
                }),
                None => judge.judge(*place, members.clone()),
            };
            made.extend(new);
        }
        keep_best(judge, &mut made, most);
        groups.extend(made.into_iter().map(|made| Group { mask, made }));
    }
    groups
}

/// Whether two places are the same to these units.
fn alike(judge: &Judge<'_>, one: usize, other: usize, members: &[usize]) -> bool {
    let [one, other] = [one, other].map(|place| judge.place(place));
    one.size == other.size
        && one.lean == other.lean
        && members
            .iter()
            .all(|unit| one.reach[*unit] == other.reach[*unit])
}

/// Of each server the best, and of these so many.
fn keep_best(judge: &Judge<'_>, made: &mut Vec<Made>, most: usize) {
    made.sort_by_key(|made| (Reverse(made.worth.value), made.place));
    let mut servers = Vec::new();
    made.retain(|made| {
        let server = judge.place(made.place).server;
        let is_new = !servers.contains(&server) && servers.len() < most;
        servers.push(server);
        is_new
    });
}

struct Packing<'run> {
    judge: &'run Judge<'run>,
    /// By who is left, the most that they can be worth where servers do not matter.
    bounds: Vec<Option<i64>>,
    /// By their first ticket, the best first.
    by_first: Vec<Vec<Group>>,
    head: Option<usize>,
    best: i64,
    found: Option<Vec<Made>>,
    chosen: Vec<Made>,
    branches: u64,
}

impl Packing<'_> {
    /// The most that these tickets can be worth where every server could have any number of matches.
    fn bound(&mut self, left: u32) -> i64 {
        if left == 0 {
            return 0;
        }
        if let Some(known) = self.bounds[left as usize] {
            return known;
        }
        let first = left.trailing_zeros() as usize;
        let mut most = self.bound(left & (left - 1));
        for index in 0..self.by_first[first].len() {
            let group = &self.by_first[first][index];
            let (mask, value) = (group.mask, group.made.worth.value);
            // Places come by value, so that the first of a group is its best.
            if mask & !left == 0 {
                most = most.max(value + self.bound(left & !mask));
            }
        }
        self.bounds[left as usize] = Some(most);
        most
    }

    fn pack(&mut self, left: u32, value: i64) {
        self.branches += 1;
        if value > self.best {
            let has_head = self.head.is_none_or(|head| left >> head & 1 == 0);
            let head_plays = || {
                let mut groups = self.chosen.iter().flat_map(|made| &made.group);
                self.head
                    .is_none_or(|head| groups.any(|unit| *unit == head))
            };
            if has_head && head_plays() {
                self.best = value;
                self.found = Some(self.chosen.clone());
            }
        }
        if left == 0 || self.branches > MOST_BRANCHES || value + self.bound(left) <= self.best {
            return;
        }
        let first = left.trailing_zeros() as usize;
        for index in 0..self.by_first[first].len() {
            let group = &self.by_first[first][index];
            let server = self.judge.place(group.made.place).server;
            let mut taken = self.chosen.iter();
            let is_taken = taken.any(|made| self.judge.place(made.place).server == server);
            if group.mask & !left != 0 || is_taken {
                continue;
            }
            let (mask, worth) = (group.mask, group.made.worth.value);
            self.chosen.push(group.made.clone());
            self.pack(left & !mask, value + worth);
            self.chosen.pop();
        }
        if self.head != Some(first) {
            self.pack(left & (left - 1), value);
        }
    }
}
