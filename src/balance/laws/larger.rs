//! Property tests of the moves in matches of 13 to 40 players, compared with the weight sums of all subsets.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::moving::{applied, powers};
use super::*;

/// Generates many light and a few heavy players. Weights are whole points, so that all sums can be listed.
fn team(first: u64, count: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<Player>> {
    let points = prop_oneof![4 => 1..6_i32, 2 => 1..40_i32, 1 => 60..100_i32];
    proptest::collection::vec(points, count).prop_map(move |all| {
        let numbered = (first..).zip(all);
        let players = numbered.map(|(number, points)| Player {
            weight: Power::new(f64::from(points)),
            ..Player::rated(player(number), Rating::new(100 * points).unwrap())
        });
        players.collect()
    })
}

fn larger_matches() -> impl Strategy<Value = Match> {
    let all = (team(1, 7..=20), team(100, 6..=20), handicaps());
    all.prop_map(|(team_a, team_b, handicap)| Match {
        team_a,
        team_b,
        handicap,
        ..Match::default()
    })
}

fn larger_policies() -> impl Strategy<Value = Policy> {
    let names = ["synelo", "sectors-edge", "sectors-edge-weights", "ns2"];
    (proptest::sample::select(names.to_vec()), any::<bool>()).prop_map(|(name, swap)| {
        let policy = built_in(name);
        Policy {
            act: if swap { Act::Swap } else { policy.act },
            ..policy
        }
    })
}

/// Returns the sums of all subsets of `values`, by number of members of the subset.
fn all_sums(values: &[i64]) -> Vec<BTreeSet<i64>> {
    let mut sums = vec![BTreeSet::new(); values.len() + 1];
    sums[0].insert(0);
    for value in values {
        for count in (0..values.len()).rev() {
            let more: Vec<i64> = sums[count].iter().map(|sum| sum + value).collect();
            sums[count + 1].extend(more);
        }
    }
    sums
}

/// Returns the minimum number of moves that balance the match, and the smallest difference of the teams' weights after
/// that many moves, in billionths of a point.
fn best_by_sums(state: &Match, policy: &Policy) -> Option<(usize, i64)> {
    let before = balance(state, policy, THETA).unwrap().before;
    let powers = powers(state, policy);
    let handicap = if before.weighs_handicap {
        state.handicap
    } else {
        Handicap::default()
    };
    let extra_player = Power::of_points(handicap.extra_player);
    let of = |team: &[Player]| -> Vec<i64> {
        team.iter()
            .map(|player| (powers[&player.id] - extra_player).steps())
            .collect()
    };
    let (a, b) = (of(&state.team_a), of(&state.team_b));
    let sizes = |a: usize, b: usize| policy.trigger.size_reasons(a, b).is_empty();
    let a_gives = if sizes(a.len(), b.len()) {
        before.lead() >= Power::ZERO
    } else {
        a.len() >= b.len()
    };
    let (give, take) = if a_gives { (a, b) } else { (b, a) };
    let for_a = Power::of_points(handicap.lean).steps();
    let ahead = if a_gives { for_a } else { -for_a };
    let lead = ahead + give.iter().sum::<i64>() - take.iter().sum::<i64>();
    let surplus = if sizes(give.len(), take.len()) {
        0
    } else {
        give.len().abs_diff(take.len()) / 2
    };
    let move_counts: Vec<(usize, usize)> = match policy.act {
        Act::Transfer => (1..=give.len()).map(|given| (given, 0)).collect(),
        _ => (0..=take.len())
            .map(|taken| (surplus + taken, taken))
            .collect(),
    };
    let beyond = handicap.reach(powers.len());
    let most = policy.trigger.most_lead(before.total(), beyond, THETA);
    let breaks = |lead: i64| most.is_some_and(|most| lead.abs() > most);
    let (given_sums, taken_sums) = (all_sums(&give), all_sums(&take));
    for (given, taken) in move_counts {
        if given == 0 || given > give.len() {
            continue;
        }
        let (left, right) = (give.len() - given + taken, take.len() + given - taken);
        if !sizes(left, right) {
            continue;
        }
        let suffices = policy.trigger.suffices(left, right);
        let allowed = |after: i64| {
            let flips = after.signum() * lead.signum() < 0 && breaks(after);
            !flips && (suffices || !breaks(after))
        };
        // The taken sums closest to the one that makes the teams even, one on each side.
        let nearest = given_sums[given].iter().flat_map(|sum| {
            let even = sum - lead.div_euclid(2);
            let below = taken_sums[taken].range(..=even).next_back();
            let above = taken_sums[taken].range(even..).find(|other| **other > even);
            let left = move |other: &i64| lead - 2 * (sum - other);
            [below.map(left), above.map(left)].into_iter().flatten()
        });
        if let Some(best) = nearest.filter(|after| allowed(*after)).map(i64::abs).min() {
            return Some((given + taken, best));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(300),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_moves_are_the_best_of_all(state in larger_matches(), policy in larger_policies()) {
        let verdict = balance(&state, &policy, THETA).unwrap();
        if verdict.reasons.is_empty() {
            return Ok(());
        }
        let moves = (!verdict.moves.is_empty())
            .then(|| (verdict.moves.len(), verdict.after.lead().steps().abs()));
        prop_assert_eq!(moves, best_by_sums(&state, &policy));
        prop_assert!(verdict.optimal);
    }

    /// Checks that the claimed effects of moves are correct for fractional weights, even if better moves are missed.
    #[test]
    fn what_is_said_of_uneven_weights_holds(
        state in larger_matches(), policy in larger_policies(),
        uneven in proptest::collection::vec(0.0..1.0_f64, 40),
    ) {
        let mut state = state;
        let everybody = state.team_a.iter_mut().chain(&mut state.team_b);
        for (player, more) in everybody.zip(uneven) {
            let weight = player.weight.map_or(0.0, Power::points);
            player.weight = Power::new(weight * weight * (1.0 + more));
        }
        let policy = Policy { weigh: Weigh::Weight { default: None }, ..policy };
        prop_assume!(policy.trigger.win_probability.is_none());
        let verdict = balance(&state, &policy, THETA).unwrap();
        let choices = std::iter::once((&verdict.moves, verdict.after, verdict.balanced_after))
            .chain(verdict.runners_up.iter().map(|other| (&other.moves, other.after, other.balanced_after)));
        for (moves, after, balanced) in choices {
            let as_if = Verdict { moves: moves.clone(), ..verdict.clone() };
            let again = balance(&applied(&state, &as_if), &policy, THETA).unwrap();
            prop_assert_eq!(again.before, after);
            prop_assert_eq!(again.reasons.is_empty(), balanced);
        }
    }
}
