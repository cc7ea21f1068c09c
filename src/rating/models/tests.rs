mod handicap;
mod mirror;

use super::*;
use crate::domain::{Probability, Round, RoundParts, Side, Winner};
use crate::rating::samples::{id, parts, settled, team};
use crate::rating::{Engine, InMemoryPool, Parameters, PoolSums, log_loss_term};

/// Returns rounds of a community of 20 players, in which low numbers win more often. From the round `from` on, `seed`
/// changes the players and winners.
fn rounds(count: u64, from: u64, seed: u64) -> Vec<Round> {
    let mut state = 1_u64;
    let mut roll = |below: u64, seed: u64| {
        state = (state ^ seed)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let rounds = (0..count).map(|number| {
        let seed = if number < from { 0 } else { seed };
        let first = roll(20, seed);
        let players: Vec<u64> = (0..7).map(|place| (first + place * 3) % 20).collect();
        let (team_a, team_b) = players.split_at(3 + usize::try_from(roll(2, seed)).unwrap());
        let sum = |team: &[u64]| team.iter().sum::<u64>();
        let winner = match roll(10, seed) {
            0 => Winner::Draw,
            odds if (sum(team_a) < sum(team_b)) == (odds < 8) => Winner::A,
            _ => Winner::B,
        };
        let at = 1_763_640_000 + 600 * i64::try_from(number).unwrap();
        settled(RoundParts {
            map: Some(format!("map-{}", number % 3).parse().unwrap()),
            ..parts(at, winner, team(team_a), team(team_b))
        })
    });
    rounds.collect()
}

fn predictions(model: ModelName, rounds: &[Round]) -> Vec<Probability> {
    predictions_with(model, rounds, &Parameters::default())
}

fn predictions_with(
    model: ModelName,
    rounds: &[Round],
    parameters: &Parameters,
) -> Vec<Probability> {
    predictions_of(&mut InMemoryPool::new(model, parameters), rounds)
}

fn predictions_of(pool: &mut InMemoryPool, rounds: &[Round]) -> Vec<Probability> {
    rounds
        .iter()
        .map(|round| pool.rate(round).unwrap())
        .collect()
}

#[test]
fn a_prediction_knows_nothing_of_what_comes_after() {
    let (as_it_was, otherwise) = (rounds(400, 200, 0), rounds(400, 200, 99));
    assert_ne!(as_it_was, otherwise);
    for model in ModelName::ALL {
        let (one, other) = (
            predictions(model, &as_it_was),
            predictions(model, &otherwise),
        );
        assert_eq!(one[..200], other[..200], "{model}");
        assert_ne!(one, other, "{model}");
    }
}

#[test]
fn who_wins_more_is_rated_higher_by_every_model() {
    let rounds = rounds(1_000, 0, 0);
    for model in ModelName::ALL {
        let mut pool = InMemoryPool::new(model, &Parameters::default());
        predictions_of(&mut pool, &rounds);
        let rating = |number: u64| pool.rating(id(number)).unwrap().points();
        let mean = |from: u64| (from..from + 5).map(rating).sum::<i32>() / 5;
        assert!(mean(0) > mean(15), "{model:?}");
        assert!(
            (900..1_600).contains(&rating(999)),
            "a stranger of {model:?}"
        );
    }
}

#[test]
fn constants_as_they_usually_are_change_nothing() {
    let (rounds, parameters) = (rounds(200, 0, 0), Parameters::default());
    for model in ModelName::ALL {
        let constants = model.constants(&parameters);
        let start = |constants: &[_]| InMemoryPool::with_constants(model, &parameters, constants);
        let same = predictions_of(&mut start(&constants).unwrap(), &rounds);
        assert_eq!(same, predictions(model, &rounds), "{model}");
        for index in 0..constants.len() {
            let mut changed = constants.clone();
            changed[index].value *= 1.7;
            let other = predictions_of(&mut start(&changed).unwrap(), &rounds);
            assert_ne!(same, other, "{model} {}", changed[index].name);
        }
    }
    let mut senseless = ModelName::SynElo.constants(&parameters);
    for constant in &mut senseless {
        constant.value = 1.0;
    }
    let start =
        |constants: &[_]| InMemoryPool::with_constants(ModelName::SynElo, &parameters, constants);
    assert!(start(&senseless).is_ok());
    senseless[1].value = 2.0;
    assert_eq!(start(&senseless).unwrap_err().name, "k_max");
}

#[test]
fn every_model_learns_who_is_better() {
    let rounds = rounds(1_000, 0, 0);
    for model in ModelName::ALL {
        let predicted = predictions(model, &rounds);
        let losses: Vec<f64> = rounds
            .iter()
            .zip(&predicted)
            .skip(500)
            .map(|(round, predicted)| {
                log_loss_term(*predicted, round.parts().winner.score(Side::A))
            })
            .collect();
        let mean = losses.iter().sum::<f64>() / 500.0;
        assert!(mean < std::f64::consts::LN_2 - 0.01, "{model}: {mean}");
    }
}

#[test]
fn a_round_without_anybody_to_rate_is_predicted_and_moves_nobody() {
    let mut rounds = rounds(60, 0, 0);
    let mut parts = rounds[59].parts().clone();
    for entry in &mut parts.team_a {
        entry.participated = false;
    }
    rounds[59] = settled(parts);
    for model in ModelName::ALL {
        let predicted = predictions(model, &rounds)[59];
        assert_ne!(predicted, Probability::HALF, "{model}");
    }
}

#[test]
fn models_are_found_by_their_names_alone() {
    for model in ModelName::ALL {
        assert_eq!(model.to_string().parse(), Ok(model));
    }
    let error = "SynElo".parse::<ModelName>().unwrap_err();
    assert!(
        error.to_string().starts_with("\"SynElo\" is not a model"),
        "{error}"
    );
}

/// Rates test rounds as the service does: the model's state is serialized between rounds.
fn rated_as_a_pool(
    name: ModelName,
    rounds: &[Round],
    parameters: &Parameters,
) -> (Vec<Probability>, Engine) {
    let mut engine = Engine::new(parameters.window, parameters.returning_rounds());
    let mut state = ModelState::default();
    let predictions = rounds.iter().zip(1..).map(|(round, position)| {
        engine.begin(name.resume(&state).unwrap(), PoolSums::default());
        let mut odds = |is_void| {
            let applied = engine.rate(position, round, is_void, parameters).unwrap();
            let results = &applied.result.players;
            assert!(
                results
                    .iter()
                    .all(|player| player.k.is_finite() && player.k >= 0.0)
            );
            applied.result.win_probability
        };
        let (predicted, rated) = (odds(true), odds(false));
        assert_eq!(predicted, rated, "{name}");
        state = engine.model().state().unwrap();
        rated
    });
    (predictions.collect(), engine)
}

#[test]
fn larger_games_move_synelo_less_where_a_pool_says_so() {
    let round = &rounds(1, 0, 0)[0];
    let moved = |team_size_exponent: f64| -> i32 {
        let parameters = Parameters {
            team_size_exponent,
            ..Parameters::default()
        };
        let mut pool = InMemoryPool::new(ModelName::SynElo, &parameters);
        pool.rate(round).unwrap();
        let ratings = round
            .participants()
            .map(|(_, entry)| pool.rating(entry.id).unwrap());
        ratings.map(|rating| (rating.points() - 1000).abs()).sum()
    };
    // Seven new players move with K = 72 each, and with two sevenths of 72.
    let (whole, less) = (moved(0.0), moved(1.0));
    assert!(
        (f64::from(less) / f64::from(whole) - 2.0 / 7.0).abs() < 0.02,
        "{less} of {whole}"
    );
}
