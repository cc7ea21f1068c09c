//! Tests of symmetry of rating models: swapped teams have complementary odds, and even teams have exactly even odds.

use super::{rated_as_a_pool, rounds};
use crate::domain::{Probability, Side, TeamBots, Timestamp};
use crate::rating::models::{Conditions, ModelName, ModelState, PoolModel};
use crate::rating::samples::id;
use crate::rating::{Parameters, PlayerState};

fn odds(model: &dyn PoolModel, teams: [&[PlayerState]; 2], parameters: &Parameters) -> Probability {
    let [a, b] = teams;
    let team_a = a.iter().map(|player| player.member(Side::A));
    let team_b = b.iter().map(|player| player.member(Side::B));
    let conditions = Conditions {
        map: None,
        bots: &TeamBots::default(),
        at: Timestamp::from_unix_seconds(1_770_000_000).unwrap(),
        parameters,
    };
    let lineup: Vec<_> = team_a.chain(team_b).collect();
    model.predict(&lineup, &conditions).unwrap()
}

/// Returns the players of 300 test rounds, sorted by id.
fn regulars(name: ModelName, parameters: &Parameters) -> Vec<PlayerState> {
    let (_, engine) = rated_as_a_pool(name, &rounds(300, 0, 0), parameters);
    let players = (0..20).filter_map(|number| engine.known(id(number)));
    players.cloned().collect()
}

#[test]
fn swapped_teams_have_the_complement_to_the_bit_in_whatever_order_players_stand() {
    let parameters = Parameters::default();
    for name in ModelName::ALL {
        let players = regulars(name, &parameters);
        // The model has learnt nothing of sides and maps.
        let model = name.resume(&ModelState::default()).unwrap();
        for (first, size_a, size_b) in [(0, 3, 3), (2, 6, 6), (5, 4, 3), (1, 1, 1), (0, 2, 12)] {
            let (a, rest) = players[first..].split_at(size_a);
            let b = &rest[..size_b];
            let reversed = |team: &[PlayerState]| team.iter().rev().cloned().collect::<Vec<_>>();
            let here = odds(&*model, [a, b], &parameters);
            let there = odds(&*model, [&reversed(b), &reversed(a)], &parameters);
            assert_ne!(here, Probability::HALF, "{name} {size_a} v {size_b}");
            assert_eq!(here, there.complement(), "{name} {size_a} v {size_b}");
        }
    }
}

#[test]
fn even_teams_have_exactly_even_odds() {
    let parameters = Parameters::default();
    for name in ModelName::ALL {
        let model = name.resume(&ModelState::default()).unwrap();
        let players = regulars(name, &parameters);
        for size in [1, 2, 3, 5, 6, 7, 12] {
            let strangers = vec![PlayerState::new(id(99), &parameters); size];
            let even = odds(&*model, [&strangers, &strangers], &parameters);
            assert_eq!(even, Probability::HALF, "{name} {size} strangers");
            let twins: Vec<_> = players[..size].iter().rev().cloned().collect();
            let even = odds(&*model, [&players[..size], &twins], &parameters);
            assert_eq!(even, Probability::HALF, "{name} {size} twins");
        }
    }
}
