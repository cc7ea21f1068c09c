//! Tests of handicaps in rating models: advantages on maps, and bots.

use proptest::prelude::*;

use super::{predictions_with, rated_as_a_pool, rounds};
use crate::domain::{MapName, Probability, Round, Side, TeamBots, Winner};
use crate::rating::models::ModelName;
use crate::rating::samples::{self, settled};
use crate::rating::{Advantages, InMemoryPool, Parameters, win_probability};

fn parameters(points: [i32; 3], easy: i32, expert: i32) -> Parameters {
    let maps = points
        .iter()
        .enumerate()
        .map(|(map, points)| (format!("map-{map}").parse().unwrap(), *points));
    let bots = format!("{{\"easy\":{easy},\"expert\":{expert}}}");
    Parameters {
        advantages: Advantages::new(maps.collect()).unwrap(),
        bots: serde_json::from_str(&bots).unwrap(),
        ..Parameters::default()
    }
}

/// Returns test rounds with bots: on team a in two rounds of three, on team b in every second round.
fn rounds_with_bots(count: u64) -> Vec<Round> {
    let rounds = rounds(count, 0, 0)
        .into_iter()
        .zip(0_u64..)
        .map(|(round, number)| {
            let (a, b) = (number % 3, number % 2);
            let mut parts = round.parts().clone();
            let text = format!(r#"{{"a":{{"expert":{a}}},"b":{{"easy":{b}}}}}"#);
            parts.bots = serde_json::from_str(&text).unwrap();
            settled(parts)
        });
    rounds.collect()
}

fn mirrored(round: &Round) -> Round {
    let mut parts = round.parts().clone();
    std::mem::swap(&mut parts.team_a, &mut parts.team_b);
    parts.bots = TeamBots {
        a: parts.bots.b,
        b: parts.bots.a,
    };
    parts.winner = samples::mirrored(parts.winner);
    settled(parts)
}

#[test]
fn a_pool_is_rated_with_bots_as_in_memory() {
    let (rounds, parameters) = (rounds_with_bots(300), parameters([400, -700, 0], 600, 1500));
    for name in ModelName::ALL {
        let (with, _) = rated_as_a_pool(name, &rounds, &parameters);
        assert_eq!(with, predictions_with(name, &rounds, &parameters), "{name}");
        let without = predictions_with(name, &rounds, &Parameters::default());
        assert_eq!(with != without, name.counts_bots(), "{name}");
    }
}

#[test]
fn the_first_round_is_f1_with_the_advantage_and_the_bots_added() {
    let round = &rounds_with_bots(2)[1..];
    let parameters = parameters([0, -700, 0], 600, 1500);
    let sizes = [Side::A, Side::B].map(|side| {
        let team = round[0].entries().filter(|(of, _)| *of == side).count();
        i64::try_from(team).unwrap() * 1000
    });
    let expected = win_probability(sizes[0] + 1500 - 700, sizes[1] + 600, parameters.theta);
    assert_eq!(
        predictions_with(ModelName::SynElo, round, &parameters),
        [expected]
    );
}

#[test]
fn whoever_beats_a_team_with_bots_gains_what_the_bots_are_worth() {
    let round = &rounds(1, 0, 0)[0];
    let gained = |bots: &str| {
        let mut parts = round.parts().clone();
        (parts.winner, parts.bots) = (Winner::A, serde_json::from_str(bots).unwrap());
        let round = settled(parts);
        let mut pool = InMemoryPool::new(ModelName::SynElo, &parameters([0; 3], 600, 1500));
        pool.rate(&round).unwrap();
        pool.rating(round.parts().team_a[0].id).unwrap().points()
    };
    let (alone, easy, expert) = (
        gained("{}"),
        gained(r#"{"b":{"easy":1}}"#),
        gained(r#"{"b":{"expert":1}}"#),
    );
    assert!(alone < easy && easy < expert, "{alone} {easy} {expert}");
    assert!(gained(r#"{"a":{"expert":1}}"#) < alone);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn mirrored_teams_bots_and_advantages_have_mirrored_odds(
        points in prop::array::uniform3(-2000..2000), easy in 100..2000, expert in 100..2000,
    ) {
        let (one, other) = (
            parameters(points, easy, expert),
            parameters(points.map(|points| -points), easy, expert),
        );
        let rounds = rounds_with_bots(60);
        let other_way: Vec<Round> = rounds.iter().map(mirrored).collect();
        for model in ModelName::ALL.into_iter().filter(|model| model.counts_bots()) {
            let here = predictions_with(model, &rounds, &one);
            let there = predictions_with(model, &other_way, &other);
            for (here, there) in here.into_iter().zip(there) {
                let miss = (here.get() - there.complement().get()).abs();
                // `ns2` computes a side's share of wins as a quotient, which has no exact complement.
                let allowed = if model == ModelName::Ns2 { 1e-9 } else { 0.0 };
                prop_assert!(miss <= allowed, "{} {:?} {:?}", model, here, there);
            }
        }
    }

    #[test]
    fn a_larger_advantage_is_never_worse(points in -2000..2000, more in 1..500) {
        let round = &rounds(1, 0, 0);
        let on = |points| -> Probability {
            predictions_with(ModelName::SynElo, round, &parameters([points, 0, 0], 600, 1500))[0]
        };
        prop_assert!(on(points + more) > on(points));
        let elsewhere: MapName = "elsewhere".parse().unwrap();
        prop_assert_eq!(parameters([points, 0, 0], 600, 1500).advantages.on(Some(&elsewhere)), 0);
    }
}
