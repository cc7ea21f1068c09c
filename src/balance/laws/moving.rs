//! Property tests of the moves that balance a match, compared with all possible moves.

use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::domain::PlayerId;

pub(super) fn applied(state: &Match, verdict: &Verdict) -> Match {
    let mut after = state.clone();
    (after.team_a, after.team_b) = (Vec::new(), Vec::new());
    for (side, player) in all_of(state) {
        let moves = verdict.moves.iter().any(|one| one.id == player.id);
        let player = Player {
            moved: player.moved || moves,
            ..player.clone()
        };
        match (side, moves) {
            (Side::A, false) | (Side::B, true) => after.team_a.push(player),
            (Side::B, false) | (Side::A, true) => after.team_b.push(player),
        }
    }
    if let Some(fill) = &verdict.fill {
        (after.bots.a, after.bots.b) = (fill.bots_a, fill.bots_b);
    }
    after
}

/// Returns the players who may be moved, computed independently of the code under test.
fn may_move(state: &Match, policy: &Policy) -> HashSet<PlayerId> {
    let rules = policy.eligible;
    let powers = powers(state, policy);
    let in_party = |one: &Player| {
        all_of(state)
            .any(|(_, other)| other.id != one.id && one.party.is_some() && other.party == one.party)
    };
    let is_new = |one: &Player| {
        let joined = one.joined_seconds;
        joined.is_some_and(|seconds| seconds < rules.least_seconds)
    };
    let counts = |one: &Player| {
        let is_free = (rules.move_parties || !in_party(one)) && (rules.move_again || !one.moved);
        is_free && !one.immune && !is_new(one)
    };
    let points_are_told = all_of(state).any(|(_, one)| one.points.is_some());
    all_of(state)
        .filter(|(side, one)| {
            let rank = |one: &Player| (one.points.unwrap_or(0), powers[&one.id], one.id);
            let team: Vec<&Player> = all_of(state)
                .filter(|(of, other)| of == side && counts(other))
                .map(|(_, other)| other)
                .collect();
            let below = team.iter().filter(|other| rank(other) < rank(one)).count();
            let low = team.len() * rules.movable_share as usize / 10_000;
            let is_low = below < low || below == 0 && rules.movable_share > 0;
            counts(one) && (!points_are_told || is_low)
        })
        .map(|(_, one)| one.id)
        .collect()
}

pub(super) fn powers(state: &Match, policy: &Policy) -> HashMap<PlayerId, Power> {
    let players: Vec<&Player> = all_of(state).map(|(_, player)| player).collect();
    super::policy::weigh(&players, policy.weigh, policy.party_multipliers).unwrap()
}

fn sizes_fire(before: &Tally, policy: &Policy) -> bool {
    let sizes_only = Trigger {
        power_difference: None,
        power_ratio: None,
        win_probability: None,
        ..policy.trigger.clone()
    };
    !sizes_only.reasons(before, None, THETA).is_empty()
}

/// Returns the team that players leave: the larger team if team sizes break a limit, else the stronger team.
fn giving(before: &Tally, policy: &Policy) -> Side {
    let a_gives = if sizes_fire(before, policy) {
        before.a.size >= before.b.size
    } else {
        before.lead() >= Power::ZERO
    };
    if a_gives { Side::A } else { Side::B }
}

/// All possible sets of moves in a match, the best first.
///
/// `balancing` has the number of moves and the remaining weight difference, for sets that balance. `helping` has the
/// size difference if sizes break a limit, the weight difference and the number of moves, for sets that help.
#[derive(Default)]
struct Tried {
    balancing: Vec<(usize, Power)>,
    helping: Vec<(usize, Power, usize)>,
}

fn by_trying(state: &Match, policy: &Policy) -> Tried {
    let before = balance(state, policy, THETA).unwrap().before;
    let powers = powers(state, policy);
    let movable = may_move(state, policy);
    let trigger = &policy.trigger;
    let powers_only = Trigger {
        size_difference: None,
        size_pairs: Vec::new(),
        even_sizes_suffice: false,
        ..trigger.clone()
    };
    let too_far = |tally: &Tally| !powers_only.reasons(tally, None, THETA).is_empty();
    // `true` if the policy limits the lead at all.
    let minds_powers = {
        let mut all_on_one = before;
        all_on_one.a.power = before.total();
        all_on_one.b.power = Power::ZERO;
        if before.weighs_handicap {
            let beyond = before.handicap.reach(before.a.size + before.b.size);
            let half = Power::of_steps(beyond.steps() / 2);
            all_on_one.a.power = all_on_one.a.power + half;
            all_on_one.b.power = Power::ZERO - half;
            all_on_one.weighs_handicap = false;
        }
        too_far(&all_on_one)
    };
    let at_fault = |tally: &Tally| {
        if sizes_fire(tally, policy) {
            tally.size_difference()
        } else {
            0
        }
    };
    let giving = giving(&before, policy);
    let surplus = at_fault(&before) / 2;
    let movers: Vec<(Side, Power)> = all_of(state)
        .filter(|(_, one)| movable.contains(&one.id))
        .map(|(side, one)| (side, powers[&one.id]))
        .collect();
    let mut tried = Tried::default();
    for mask in 1..1_u32 << movers.len() {
        let chosen = (0..movers.len()).filter(|place| mask >> place & 1 == 1);
        let mut after = before;
        let (mut given, mut taken) = (0, 0);
        for place in chosen {
            let (from, power) = movers[place];
            after.team_mut(from).size -= 1;
            after.team_mut(from).power = after.team(from).power - power;
            after.team_mut(from.other()).size += 1;
            after.team_mut(from.other()).power = after.team(from.other()).power + power;
            if from == giving {
                given += 1;
            } else {
                taken += 1;
            }
        }
        let is_act = match policy.act {
            Act::Transfer => taken == 0,
            Act::Swap => given == surplus + taken,
            Act::Fill(_) => false,
        };
        let lead = |tally: &Tally| tally.lead().steps();
        let flips = lead(&before).signum() * lead(&after).signum() < 0 && too_far(&after);
        if !is_act || flips {
            continue;
        }
        let (was, is) = (before.lead().abs(), after.lead().abs());
        if trigger.reasons(&after, None, THETA).is_empty() {
            tried.balancing.push((given + taken, is));
        } else if at_fault(&after) < at_fault(&before) && (is <= was || !too_far(&after))
            || at_fault(&after) == at_fault(&before) && is < was && minds_powers
        {
            tried.helping.push((at_fault(&after), is, given + taken));
        }
    }
    tried.balancing.sort_unstable();
    tried.helping.sort_unstable();
    tried
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(1000),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_moves_are_the_best_of_all(state in matches(), policy in policies()) {
        let verdict = balance(&state, &policy, THETA).unwrap();
        if verdict.reasons.is_empty() || verdict.fill.is_some() {
            prop_assert!(verdict.moves.is_empty() && verdict.balanced_after);
            return Ok(());
        }
        let Tried { balancing, mut helping } = by_trying(&state, &policy);
        let best = balancing.first().copied();
        let answered = verdict.balanced_after.then(|| (verdict.moves.len(), verdict.after.lead().abs()));
        prop_assert_eq!(answered, best);
        prop_assert_eq!(verdict.moves.is_empty(), best.is_none());
        // Runners-up are the next best choices with as many moves. If no moves balance, runners-up only help.
        let runners_up = verdict.runners_up.iter();
        if let Some((moves, _)) = best {
            let next = balancing.iter().copied().filter(|other| other.0 == moves).skip(1).take(3);
            let others = runners_up.map(|other| (other.moves.len(), other.after.lead().abs()));
            prop_assert_eq!(others.collect::<Vec<_>>(), next.collect::<Vec<_>>());
        } else {
            let others = runners_up.map(|other| {
                let sizes = if sizes_fire(&other.after, &policy) { other.after.size_difference() } else { 0 };
                (sizes, other.after.lead().abs(), other.moves.len())
            });
            helping.truncate(3);
            prop_assert_eq!(others.collect::<Vec<_>>(), helping);
        }
        prop_assert!(verdict.optimal);
        if verdict.moves.is_empty() {
            prop_assert_eq!(verdict.after, verdict.before);
        }
    }

    #[test]
    fn an_answer_that_is_applied_leaves_nothing_to_do(state in matches(), policy in policies()) {
        let verdict = balance(&state, &policy, THETA).unwrap();
        let after = applied(&state, &verdict);
        let again = balance(&after, &policy, THETA).unwrap();
        prop_assert_eq!(again.before, verdict.after);
        if verdict.balanced_after {
            prop_assert_eq!(&again.reasons, &[]);
            prop_assert!(again.moves.is_empty());
        }
    }

    #[test]
    fn nobody_moves_who_must_not_and_everybody_else_is_not_named(state in matches(), policy in policies()) {
        let verdict = balance(&state, &policy, THETA).unwrap();
        let movable = may_move(&state, &policy);
        let runners_up = verdict.runners_up.iter().flat_map(|other| &other.moves);
        for one in verdict.moves.iter().chain(runners_up) {
            prop_assert!(movable.contains(&one.id), "{:?}", one);
            let side = all_of(&state).find(|(_, player)| player.id == one.id).unwrap().0;
            prop_assert_eq!(side, one.from);
        }
        if !verdict.reasons.is_empty() && verdict.fill.is_none() {
            let named: HashSet<PlayerId> = verdict.ineligible.iter().map(|(id, _)| *id).collect();
            let from = giving(&verdict.before, &policy);
            let everybody: HashSet<PlayerId> = all_of(&state)
                .filter(|(side, _)| *side == from || policy.act == Act::Swap)
                .map(|(_, player)| player.id)
                .collect();
            prop_assert_eq!(named, &everybody - &movable);
        }
    }

    #[test]
    fn the_order_of_the_players_does_not_matter(
        (state, shuffled) in matches().prop_flat_map(|state| {
            let (a, b) = (state.team_a.clone(), state.team_b.clone());
            (Just(state), (Just(a).prop_shuffle(), Just(b).prop_shuffle()))
        }),
        policy in policies(),
    ) {
        let other = Match { team_a: shuffled.0, team_b: shuffled.1, ..state.clone() };
        prop_assert_eq!(balance(&state, &policy, THETA), balance(&other, &policy, THETA));
    }

    #[test]
    fn with_the_teams_changed_over_the_same_players_move(state in matches(), policy in policies()) {
        let verdict = balance(&state, &policy, THETA).unwrap();
        prop_assume!(verdict.before.lead() != Power::ZERO);
        let mirrored = Match {
            team_a: state.team_b.clone(),
            team_b: state.team_a.clone(),
            bots: Bots { a: state.bots.b, b: state.bots.a, ..state.bots },
            handicap: Handicap { lean: -state.handicap.lean, ..state.handicap },
            ..state.clone()
        };
        let other = balance(&mirrored, &policy, THETA).unwrap();
        let moves = |verdict: &Verdict| -> Vec<PlayerId> {
            verdict.moves.iter().map(|one| one.id).collect()
        };
        prop_assert_eq!(moves(&verdict), moves(&other));
        prop_assert_eq!(verdict.after.lead() + other.after.lead(), Power::ZERO);
    }

    #[test]
    fn f11_ends_with_sizes_within_one_wherever_enough_may_move(state in matches()) {
        let policy = built_in("synelo");
        let verdict = balance(&state, &policy, THETA).unwrap();
        let (before, after) = (verdict.before, verdict.after);
        let giving = if before.a.size > before.b.size { Side::A } else { Side::B };
        let movable = may_move(&state, &policy);
        let may = all_of(&state).filter(|(side, one)| *side == giving && movable.contains(&one.id));
        let needed = before.size_difference() / 2;
        if may.count() >= needed {
            prop_assert!(after.size_difference() <= 1);
            prop_assert_eq!(verdict.moves.len(), needed);
        } else {
            prop_assert!(verdict.moves.is_empty() && !verdict.balanced_after);
        }
    }

    #[test]
    fn runners_up_differ_from_the_answer_and_say_what_they_do(state in matches(), policy in policies()) {
        let verdict = balance(&state, &policy, THETA).unwrap();
        let set = |moves: &[Move]| -> BTreeSet<PlayerId> { moves.iter().map(|one| one.id).collect() };
        let mut seen = vec![set(&verdict.moves)];
        for other in &verdict.runners_up {
            let as_if = Verdict { moves: other.moves.clone(), ..verdict.clone() };
            let after = balance(&applied(&state, &as_if), &policy, THETA).unwrap();
            prop_assert_eq!(after.before, other.after);
            prop_assert_eq!(other.balanced_after, after.reasons.is_empty());
            prop_assert_eq!(other.balanced_after, verdict.balanced_after);
            prop_assert!(!seen.contains(&set(&other.moves)));
            seen.push(set(&other.moves));
        }
    }
}
