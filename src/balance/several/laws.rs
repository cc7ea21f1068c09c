//! Property tests of balance and placement in matches of several teams. Small matches are compared with every possible
//! assignment of players to teams.

use proptest::prelude::*;

use super::*;
use crate::balance::examples::{built_in, rated};
use crate::balance::laws::{players, policies};
use crate::balance::policy::{Act, Policy};
use crate::balance::state::{Player, Power, Tally, TeamTally, WeighedTeams};

const THETA: f64 = 2400.0;

/// Generates three or four teams of up to `most` players each, and up to `joining` players who join.
fn several(most: usize, joining: usize) -> impl Strategy<Value = (TeamMatch, Vec<Player>)> {
    let sizes = proptest::collection::vec(0..=most, 3..=4);
    (sizes, 0..=joining).prop_flat_map(|(sizes, joining)| {
        let teams: Vec<_> = (1_u64..)
            .zip(sizes)
            .map(|(team, size)| players(100 * team, size))
            .collect();
        (teams, players(900, joining)).prop_map(|(teams, joining)| {
            let state = TeamMatch {
                teams,
                ..TeamMatch::default()
            };
            (state, joining)
        })
    })
}

fn tallies(state: &TeamMatch, policy: &Policy) -> TeamTallies {
    let weighed = WeighedTeams::of(&state.teams, &[], policy).unwrap();
    state.tallies(&weighed, policy).filled(state, policy)
}

fn ends(tallies: &TeamTallies) -> Tally {
    let sizes = || tallies.0.iter().map(|team| team.size);
    let powers = || tallies.0.iter().map(|team| team.power);
    let team = |size: Option<usize>, power: Option<Power>| TeamTally {
        size: size.unwrap(),
        power: power.unwrap(),
        ..TeamTally::default()
    };
    Tally {
        a: team(sizes().max(), powers().max()),
        b: team(sizes().min(), powers().min()),
        ..Tally::default()
    }
}

fn fires(tallies: &TeamTallies, policy: &Policy) -> bool {
    let reasons = policy.trigger.reasons(&ends(tallies), None, THETA);
    !reasons.is_empty()
}

/// Returns the penalty of a placement of joining players; lower is better.
fn worth(tallies: &TeamTallies, policy: &Policy) -> (bool, usize, usize, Power, usize) {
    let ends = ends(tallies);
    let all: usize = tallies.0.iter().map(|team| team.size).sum();
    let teams = tallies.0.len();
    let share = policy.largest_team_share as usize;
    let most = all.div_ceil(teams).max(all * 2 * share / (teams * 10_000));
    let squares = tallies.0.iter().map(|team| team.size * team.size).sum();
    let sizes_first = policy.bots().is_none();
    (
        fires(tallies, policy),
        ends.a.size.saturating_sub(most),
        if sizes_first { squares } else { 0 },
        tallies.gap(),
        ends.a.size - ends.b.size,
    )
}

/// Returns every assignment of `count` players to `teams`.
fn every_way(count: usize, teams: usize) -> impl Iterator<Item = Vec<usize>> {
    let ways = teams.pow(u32::try_from(count).unwrap());
    (0..ways).map(move |way| {
        let mut rest = way;
        let digits = (0..count).map(|_| {
            let team = rest % teams;
            rest /= teams;
            team
        });
        digits.collect()
    })
}

/// Returns `true` if joining friends stay together, and join friends who all play on one team.
fn keeps_parties(state: &TeamMatch, joining: &[Player], way: &[usize]) -> bool {
    joining.iter().zip(way).all(|(player, team)| {
        let Some(party) = &player.party else {
            return true;
        };
        let mut friends = joining
            .iter()
            .zip(way)
            .filter(|(other, _)| other.party.as_ref() == Some(party));
        let has = |team: &Vec<Player>| team.iter().any(|other| other.party.as_ref() == Some(party));
        let teams: Vec<usize> = (0..state.teams.len())
            .filter(|team| has(&state.teams[*team]))
            .collect();
        friends.all(|(_, other)| other == team) && (teams.len() != 1 || teams[0] == *team)
    })
}

fn joined(state: &TeamMatch, joining: &[Player], way: &[usize]) -> TeamMatch {
    let mut state = state.clone();
    for (player, team) in joining.iter().zip(way) {
        state.teams[*team].push(player.clone());
    }
    state
}

/// Returns every assignment of players to teams that the moves of a policy may lead to, with the number of moves.
fn arrangements(
    state: &TeamMatch,
    policy: &Policy,
    fixed: &[crate::domain::PlayerId],
) -> Vec<(usize, TeamTallies)> {
    let before = tallies(state, policy);
    let all: Vec<(usize, &Player)> = (0..state.teams.len())
        .flat_map(|team| state.teams[team].iter().map(move |player| (team, player)))
        .collect();
    let sizes = ends(&before);
    let by_size = !policy
        .trigger
        .size_reasons(sizes.a.size, sizes.b.size)
        .is_empty();
    let may = |from: usize, to: usize| {
        let (one, other) = (&before.0[from], &before.0[to]);
        policy.act == Act::Swap
            || (by_size && one.size > other.size)
            || (!by_size && one.power > other.power)
    };
    // A player's new team may not exceed the old one by more than a limit if it had less before.
    let flips = |after: &TeamTallies, from: usize, to: usize| {
        let had_more = if by_size {
            before.0[from].size > before.0[to].size
        } else {
            before.0[from].power > before.0[to].power
        };
        let (one, other) = (after.0[from].power, after.0[to].power);
        let breaks = policy
            .trigger
            .is_lead_too_large(other - one, one + other, THETA);
        had_more && other > one && breaks
    };
    let growth = |after: &TeamTallies| growth(&before, after);
    let mut found: Vec<(usize, TeamTallies)> = every_way(all.len(), state.teams.len())
        .filter_map(|way| {
            let goes = || {
                all.iter()
                    .zip(&way)
                    .filter(|((home, _), team)| home != *team)
            };
            let is_allowed = goes()
                .all(|((home, player), team)| may(*home, *team) && !fixed.contains(&player.id));
            is_allowed.then(|| {
                let mut moved = TeamMatch {
                    teams: vec![Vec::new(); state.teams.len()],
                    ..state.clone()
                };
                for ((_, player), team) in all.iter().zip(&way) {
                    moved.teams[*team].push((*player).clone());
                }
                let after = tallies(&moved, policy);
                let is_flipped = goes().any(|((home, _), team)| flips(&after, *home, *team));
                (!is_flipped).then(|| (goes().count(), after))
            })
        })
        .flatten()
        .collect();
    if policy.act == Act::Swap {
        // Only the number of players that the sizes require may move without an exchange.
        let even = |after: &TeamTallies| {
            let ends = ends(after);
            policy
                .trigger
                .size_reasons(ends.a.size, ends.b.size)
                .is_empty()
        };
        let anywhere = every_size(&before);
        let needed = anywhere
            .iter()
            .filter(|after| even(after))
            .map(growth)
            .min();
        found.retain(|(_, after)| Some(growth(after)) == needed);
    }
    found
}

fn growth(before: &TeamTallies, after: &TeamTallies) -> usize {
    let teams = before.0.iter().zip(&after.0);
    teams
        .map(|(before, after)| after.size.saturating_sub(before.size))
        .sum()
}

/// Returns every list of team sizes with as many teams and as many players in total as `before`.
fn every_size(before: &TeamTallies) -> Vec<TeamTallies> {
    let all: usize = before.0.iter().map(|team| team.size).sum();
    let mut sizes: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in &before.0 {
        sizes = sizes
            .into_iter()
            .flat_map(|some| (0..=all).map(move |size| [some.clone(), vec![size]].concat()))
            .filter(|some| some.iter().sum::<usize>() <= all)
            .collect();
    }
    sizes.retain(|some| some.iter().sum::<usize>() == all);
    let of = |sizes: Vec<usize>| {
        let teams = sizes.into_iter().map(|size| TeamTally {
            size,
            ..TeamTally::default()
        });
        TeamTallies(teams.collect())
    };
    sizes.into_iter().map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_placing_is_the_best_of_all(
        (state, joining) in several(3, 5), policy in policies(),
    ) {
        let placement = place_in_teams(&state, &joining, &policy, THETA).unwrap();
        prop_assert!(placement.optimal);
        let ways = every_way(joining.len(), state.teams.len()).filter(|way| keeps_parties(&state, &joining, way));
        let all = ways.map(|way| worth(&tallies(&joined(&state, &joining, &way), &policy), &policy));
        let best = all.min().unwrap();
        prop_assert_eq!(worth(&placement.after, &policy), best);
        // Each placement has the tallies that it claims, and is no better than the one before.
        let mut last = best;
        let (placed, after) = (placement.placed.clone(), placement.after.clone());
        for seats in [&TeamSeats { placed, after }].into_iter().chain(&placement.runners_up) {
            let ids: Vec<_> = seats.placed.iter().map(|placed| placed.id).collect();
            let mut sorted = joining.clone();
            sorted.sort_by_key(|player| player.id);
            prop_assert_eq!(ids, sorted.iter().map(|player| player.id).collect::<Vec<_>>());
            let way: Vec<usize> = seats.placed.iter().map(|placed| placed.team).collect();
            prop_assert!(keeps_parties(&state, &sorted, &way));
            let after = tallies(&joined(&state, &sorted, &way), &policy);
            prop_assert_eq!(&after, &seats.after);
            prop_assert!(worth(&after, &policy) >= last);
            last = worth(&after, &policy);
        }
    }

    #[test]
    fn moves_are_the_fewest_and_the_best_of_all(
        (state, _) in several(2, 0), policy in policies(),
    ) {
        let verdict = balance_teams(&state, &policy, THETA).unwrap();
        let before = tallies(&state, &policy);
        if policy.bots().is_some() {
            prop_assert_eq!(&verdict.after, &before);
            return Ok(());
        }
        prop_assert_eq!(!verdict.reasons.is_empty(), fires(&before, &policy));
        if verdict.reasons.is_empty() {
            prop_assert!(verdict.moves.is_empty());
            return Ok(());
        }
        prop_assert!(verdict.optimal);
        let fixed: Vec<_> = verdict.ineligible.iter().map(|(id, _)| *id).collect();
        let all = arrangements(&state, &policy, &fixed).into_iter();
        let good = all.filter(|(moves, after)| *moves > 0 && !fires(after, &policy));
        let best = good.map(|(moves, after)| (moves, after.gap())).min();
        let found = (!verdict.moves.is_empty()).then(|| (verdict.moves.len(), verdict.after.gap()));
        prop_assert_eq!(found, best);
        prop_assert_eq!(verdict.balanced_after, best.is_some());
        for other in &verdict.runners_up {
            prop_assert_eq!(other.balanced_after, best.is_some());
            prop_assert_eq!(fires(&other.after, &policy), best.is_none());
            prop_assert!(best.is_none_or(|(moves, _)| other.moves.len() == moves));
        }
    }
}

#[test]
fn a_whole_server_is_placed_at_once() {
    let policy = built_in("synelo");
    for teams in [3, 4, 5, 8] {
        let state = TeamMatch {
            teams: vec![Vec::new(); teams],
            ..TeamMatch::default()
        };
        let joining: Vec<Player> = (1..=32)
            .map(|n| rated(n, 500 + i32::try_from(n * 7919 % 1901).unwrap()))
            .collect();
        let placement = place_in_teams(&state, &joining, &policy, THETA).unwrap();
        let sizes: Vec<usize> = placement.after.0.iter().map(|team| team.size).collect();
        let differ = sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
        assert!(differ <= 1, "{sizes:?}");
        // Beyond the search budget, hill climbing ends within five percent of a team's weight.
        let total: i64 = placement.after.0.iter().map(|team| team.rating).sum();
        let team = total / i64::try_from(teams).unwrap();
        assert!(
            placement.after.gap().whole_points() * 100 <= 5 * team,
            "{teams} teams: {}",
            placement.after.gap().points()
        );
    }
}

#[test]
fn a_match_with_too_many_ways_is_balanced_by_the_fewest_moves_all_the_same() {
    let policy = built_in("synelo");
    let team = |first: u64, count: usize| -> Vec<Player> {
        (first..)
            .take(count)
            .map(|n| rated(n, 800 + 13 * i32::try_from(n % 41).unwrap()))
            .collect()
    };
    let state = TeamMatch {
        teams: vec![team(1, 24), team(100, 3), team(200, 3)],
        ..TeamMatch::default()
    };
    let verdict = balance_teams(&state, &policy, THETA).unwrap();
    assert_eq!(verdict.moves.len(), 14, "{verdict:?}");
    assert!(verdict.balanced_after);
    let sizes: Vec<usize> = verdict.after.0.iter().map(|team| team.size).collect();
    assert!(sizes.iter().all(|size| *size == 10), "{sizes:?}");
}

#[test]
fn two_teams_at_each_end_do_not_keep_the_search_from_going_on() {
    let team = |first: u64, count: usize, points: i32| -> Vec<Player> {
        (first..)
            .take(count)
            .map(|n| Player {
                weight: Power::new(f64::from(points)),
                ..rated(n, points)
            })
            .collect()
    };
    let sizes = TeamMatch {
        teams: vec![
            team(1, 20, 1000),
            team(100, 20, 1000),
            team(200, 4, 1000),
            team(300, 4, 1000),
        ],
        ..TeamMatch::default()
    };
    let verdict = balance_teams(&sizes, &built_in("synelo"), THETA).unwrap();
    assert!(verdict.balanced_after && verdict.optimal, "{verdict:?}");
    assert_eq!(verdict.moves.len(), 16);
    let powers = TeamMatch {
        teams: vec![
            team(1, 12, 30),
            team(100, 12, 30),
            team(200, 12, 10),
            team(300, 12, 10),
        ],
        ..TeamMatch::default()
    };
    let verdict = balance_teams(&powers, &built_in("sectors-edge-weights"), THETA).unwrap();
    assert!(verdict.balanced_after, "{:?}", verdict.after);
}
