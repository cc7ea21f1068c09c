//! Property tests of balance and placement for random matches and policies. Matches of up to twelve players are
//! compared with all possible answers, larger matches with all subset sums.

mod larger;
mod moving;
mod placing;

use proptest::prelude::*;

use super::examples::{BUILT_IN, built_in, player};
use super::*;
use crate::domain::{Handicap, Probability, Rating, Side};

const THETA: f64 = 2400.0;

pub(super) fn players(first: u64, count: usize) -> BoxedStrategy<Vec<Player>> {
    let ratings = prop_oneof![
        0..4000_i32,
        1000..1004_i32,
        (5..20_i32).prop_map(|n| n * 100)
    ];
    let weights = prop_oneof![0.0..100.0_f64, (0..20_i32).prop_map(|n| f64::from(n) / 2.0)];
    let party = prop_oneof![4 => Just(None), 1 => (0..3_u8).prop_map(Some)];
    let flags = (proptest::bool::weighted(0.1), proptest::bool::weighted(0.1));
    let times = (
        proptest::option::of(0..40_i32),
        proptest::option::of(0..200_u32),
    );
    let one = (ratings, weights, party, flags, times);
    let all = proptest::collection::vec(one, count);
    all.prop_map(move |all| {
        let numbered = (first..).zip(all);
        let players = numbered.map(
            |(number, (rating, weight, party, (immune, moved), (points, joined)))| Player {
                id: player(number),
                rating: Rating::new(rating).unwrap(),
                weight: Power::new(weight),
                points,
                party: party.map(|party| format!("party {party}").parse().unwrap()),
                immune,
                moved,
                joined_seconds: joined,
            },
        );
        players.collect()
    })
    .boxed()
}

/// Generates handicaps (advantages of a team beyond its ratings, in points), of which two out of three are zero.
fn handicaps() -> impl Strategy<Value = Handicap> {
    let some = (-3000..3000_i64, -2000..2000_i64)
        .prop_map(|(lean, extra_player)| Handicap { lean, extra_player });
    prop_oneof![2 => Just(Handicap::default()), 1 => some]
}

pub(super) fn matches() -> impl Strategy<Value = Match> {
    (0..=12_usize, 0..=12_usize).prop_flat_map(|(one, other)| {
        let all = one.max(other);
        let a = one.min(other);
        (
            players(1, a),
            players(20, all - a),
            any::<bool>(),
            0..9_usize,
            handicaps(),
        )
            .prop_map(|(small, rest, mirrored, bots, handicap)| {
                let (team_a, team_b) = if mirrored {
                    (rest, small)
                } else {
                    (small, rest)
                };
                Match {
                    team_a,
                    team_b,
                    bots: Bots {
                        a: bots / 3,
                        b: bots % 3,
                        ..Bots::default()
                    },
                    handicap,
                    ..Match::default()
                }
            })
    })
}

pub(super) fn policies() -> impl Strategy<Value = Policy> {
    let built_in_ones: Vec<Policy> = BUILT_IN.iter().map(|(_, policy)| policy.clone()).collect();
    let limits = (
        proptest::option::of(1..4_usize),
        proptest::option::of(1..4000_u32),
        proptest::option::of(100..5000_u32),
        proptest::option::of(0.5..0.7_f64),
        any::<bool>(),
    );
    let rules = (any::<bool>(), any::<bool>(), 0..=10_000_u32, 0..100_u32);
    let mixed = (any::<bool>(), 0..3_u8, limits, rules).prop_map(|(swap, weigh, limits, rules)| {
        let (sizes, difference, ratio, odds, suffice) = limits;
        let (move_parties, move_again, movable_share, least_seconds) = rules;
        let base = built_in("sectors-edge-weights");
        Policy {
            weigh: match weigh {
                0 => Weigh::Rating,
                1 => Weigh::RankPower,
                _ => Weigh::Weight { default: None },
            },
            trigger: Trigger {
                size_difference: sizes,
                power_difference: difference.map(Power::of_quarters),
                power_ratio: ratio,
                win_probability: odds.and_then(Probability::new),
                even_sizes_suffice: suffice,
                ..base.trigger
            },
            eligible: Eligibility {
                move_parties,
                move_again,
                movable_share,
                least_seconds,
            },
            act: if swap { Act::Swap } else { Act::Transfer },
            ..base
        }
    });
    prop_oneof![proptest::sample::select(built_in_ones), mixed]
}

fn all_of(state: &Match) -> impl Iterator<Item = (Side, &Player)> {
    let a = state.team_a.iter().map(|player| (Side::A, player));
    a.chain(state.team_b.iter().map(|player| (Side::B, player)))
}
