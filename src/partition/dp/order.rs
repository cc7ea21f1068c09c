//! Order in which players take their seats in the computation of splits.

use std::cmp::Reverse;

use crate::partition::objective::Weights;
use crate::partition::problem::Problem;
use crate::partition::problem::seat::Seat;

/// Returns the order in which players take seats in the dynamic programming tables: the upper half of the ratings, then
/// the lower half. Nearby ratings produce few distinct differences of rating sums, which keeps the tables small.
///
/// Players linked by parties, pairs apart or roles follow one another. Within a half, large groups, then players with
/// few open seats, are placed farthest from the middle, where the tables are small. Newcomers to share out come first
/// of all, with the players linked to them, followed by the half whose mean rating is nearer to theirs.
pub(super) fn order(
    problem: &Problem<'_>,
    points: &[i64],
    open: &[&[Seat]],
    weights: &Weights,
) -> Vec<usize> {
    let shared = shared(problem, weights);
    let is_shared = |player: &usize| shared.contains(player);
    let groups = groups(problem, points.len(), weights).into_iter();
    let (mut newcomers, mut groups): (Vec<_>, Vec<_>) =
        groups.partition(|group| group.iter().any(is_shared));
    let sum = |group: &[usize]| group.iter().map(|&player| points[player]).sum::<i64>();
    let mean = |group: &[usize]| 1000 * sum(group) / i64::try_from(group.len()).unwrap_or(1).max(1);
    groups.sort_by_key(|group| Reverse(mean(group)));
    if !newcomers.is_empty() && mean(&newcomers.concat()) < mean(&groups.concat()) {
        groups.reverse();
    }
    let mut cut = 0;
    let mut seated = newcomers.iter().map(Vec::len).sum::<usize>();
    while cut < groups.len() && 2 * seated + groups[cut].len() <= points.len() {
        seated += groups[cut].len();
        cut += 1;
    }
    let small_tables_first = |group: &Vec<usize>| {
        let choices: usize = group.iter().map(|&player| open[player].len()).sum();
        (Reverse(group.len()), choices)
    };
    let (first, last) = groups.split_at_mut(cut);
    first.sort_by_key(small_tables_first);
    last.sort_by_key(small_tables_first);
    newcomers.sort_by_key(|group| {
        let others = group.iter().filter(|player| !is_shared(player)).count();
        (others, small_tables_first(group))
    });
    let by_few_frontiers = |group: &Vec<usize>| by_few_frontiers(group, problem, weights);
    let inwards: Vec<usize> = last.iter().flat_map(by_few_frontiers).collect();
    let outwards = newcomers.iter().chain(&*first);
    let mut order: Vec<usize> = outwards.flat_map(by_few_frontiers).collect();
    order.extend(inwards.into_iter().rev());
    order
}

/// Groups players who are linked, directly or indirectly, by parties, pairs apart and roles.
fn groups(problem: &Problem<'_>, players: usize, weights: &Weights) -> Vec<Vec<usize>> {
    // By player, the first member of the group.
    let mut first: Vec<usize> = (0..players).collect();
    let roles = problem.roles[..weights.roles].iter().map(|role| &role.0);
    let links = problem.parties.iter().chain(roles);
    let neighbours = links.flat_map(|link| link.windows(2).map(|two| (two[0], two[1])));
    let apart = weights.apart.iter().map(|&(one, other, _)| (one, other));
    for (one, other) in apart.chain(neighbours) {
        let (from, to) = (first[one].max(first[other]), first[one].min(first[other]));
        let members = first.iter_mut().filter(|first| **first == from);
        members.for_each(|first| *first = to);
    }
    let mut groups = vec![Vec::new(); players];
    for (player, first) in first.into_iter().enumerate() {
        groups[first].push(player);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the newcomers to share evenly between the teams, or none if the cost ignores newcomers.
pub(super) fn shared<'problem>(
    problem: &'problem Problem<'_>,
    weights: &Weights,
) -> &'problem [usize] {
    let newcomers = problem.newcomers.as_ref();
    let counted = newcomers.filter(|_| weights.newcomer > 0);
    counted.map_or(&[], |newcomers| &newcomers.shared)
}

/// Orders the seating of players who are linked by parties, pairs apart or roles. Chooses each next player so that as
/// few earlier seats as possible must be remembered for later costs.
fn by_few_frontiers(group: &[usize], problem: &Problem<'_>, weights: &Weights) -> Vec<usize> {
    let mut seated = vec![false; problem.points.len()];
    let mut order = Vec::with_capacity(group.len());
    let mut rest = group.to_vec();
    while let Some(at) = (0..rest.len()).min_by_key(|&at| {
        seated[rest[at]] = true;
        let remembered = remembered(&seated, problem, weights);
        seated[rest[at]] = false;
        remembered
    }) {
        let player = rest.remove(at);
        seated[player] = true;
        order.push(player);
    }
    order
}

/// Estimates the logarithm, in tenths of a bit, of how many combinations of earlier seats must be remembered.
fn remembered(seated: &[bool], problem: &Problem<'_>, weights: &Weights) -> usize {
    let is_open = |party: &&Vec<usize>| {
        let has_seat = |member: &usize| seated[*member];
        party.iter().any(has_seat) && !party.iter().all(has_seat)
    };
    let open: Vec<&Vec<usize>> = problem.parties.iter().filter(is_open).collect();
    // A party has one common seat out of three, or is split.
    let parties = open.iter().map(|party| {
        let members = party.iter().filter(|member| seated[**member]).count();
        if members == 1 { 16 } else { 20 }
    });
    let mut apart: Vec<usize> = weights
        .apart
        .iter()
        .filter(|(one, other, _)| seated[*one] != seated[*other])
        .map(|&(one, other, _)| if seated[one] { one } else { other })
        .collect();
    apart.sort_unstable();
    apart.dedup();
    // Such a player is on A, on B or on neither team; a party member usually has the party's seat.
    let players = apart.iter().map(|player| {
        let is_in_party = open.iter().any(|party| party.contains(player));
        if is_in_party { 6 } else { 16 }
    });
    // A role needs the number of its players on either team.
    let roles = problem.roles[..weights.roles]
        .iter()
        .filter(|(members, _)| is_open(&members))
        .map(|(_, each)| 20 * (each + 1).ilog2() as usize);
    parties.sum::<usize>() + players.sum::<usize>() + roles.sum::<usize>()
}
