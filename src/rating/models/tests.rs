mod handicap;
mod mirror;

use super::*;
use crate::domain::{
    Mutators, PlayerEntry, PlayerId, Probability, Rating, Report, Round, RoundParts, TeamBots,
    Timestamp, Winner,
};
use crate::rating::{InMemoryPool, Parameters};

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
        let entries = |team: &[u64]| {
            let entries = team.iter().map(|number| {
                PlayerEntry::present(
                    PlayerId::from_steam_id64(76_561_197_960_265_729 + number).unwrap(),
                )
            });
            entries.collect()
        };
        let ended_at =
            Timestamp::from_unix_seconds(1_763_640_000 + 600 * i64::try_from(number).unwrap());
        let parts = RoundParts {
            round_id: number.to_string().parse().unwrap(),
            server: "arena".parse().unwrap(),
            map: Some(format!("map-{}", number % 3).parse().unwrap()),
            mode: None,
            mutators: Mutators::default(),
            bots: TeamBots::default(),
            ended_at: ended_at.ok(),
            pool: None,
            round_seconds: None,
            winner,
            team_a: entries(team_a),
            team_b: entries(team_b),
        };
        Report::try_from(parts)
            .unwrap()
            .settled(ended_at.unwrap(), "default".parse().unwrap())
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
fn a_prediction_stays_the_same_in_whichever_order_later_rounds_come() {
    let as_it_was = rounds(400, 0, 0);
    let mut shuffled = as_it_was.clone();
    // 89 and 200 have no common factor, so that every later round moves to another place.
    for place in 0..200 {
        shuffled[200 + place] = as_it_was[200 + (place * 89 + 7) % 200].clone();
    }
    for model in ModelName::ALL {
        let one = predictions(model, &as_it_was);
        let other = predictions(model, &shuffled);
        assert_eq!(one[..200], other[..200], "{model}");
        assert_ne!(one[200..], other[200..], "{model}");
    }
}

#[test]
fn who_wins_more_is_rated_higher_by_every_model() {
    let rounds = rounds(1_000, 0, 0);
    for model in ModelName::ALL {
        let mut pool = InMemoryPool::new(model, &Parameters::default());
        predictions_of(&mut pool, &rounds);
        let rating = |number: u64| {
            let id = PlayerId::from_steam_id64(76_561_197_960_265_729 + number).unwrap();
            pool.rating(id).unwrap().points()
        };
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
                let score = round.parts().winner.score(crate::domain::Side::A);
                crate::rating::log_loss_term(*predicted, score)
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
    let ended_at = rounds[59].ended_at();
    let report = Report::try_from(parts).unwrap();
    rounds[59] = report.settled(ended_at, "default".parse().unwrap());
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

type Players = std::collections::HashMap<PlayerId, (crate::rating::Standing, ModelState)>;

fn predictions_of_a_pool(
    name: ModelName,
    rounds: &[Round],
    parameters: &Parameters,
) -> Vec<Probability> {
    rated_as_a_pool(name, rounds, parameters).0
}

/// Rates test rounds as the service does: states are serialized between rounds.
fn rated_as_a_pool(
    name: ModelName,
    rounds: &[Round],
    parameters: &Parameters,
) -> (Vec<Probability>, Players) {
    let mut pool = ModelState::default();
    let mut players = Players::new();
    let new = crate::rating::Standing {
        rating: parameters.initial_rating,
        rounds: 0,
        window: crate::rating::Window::default(),
        since_return: None,
    };
    let predict = |round: &Round| {
        let mut model = name.resume(&pool).unwrap();
        let mut lineup: Vec<LineupMember> = round
            .entries()
            .map(|(side, entry)| {
                let known = players.get(&entry.id).cloned();
                let (mut standing, state) = known.unwrap_or((new, ModelState::default()));
                let profile = Profile {
                    rating: standing.rating,
                    rounds: standing.rounds,
                    state: &state,
                };
                standing.rating = model.shown(profile, parameters).unwrap();
                LineupMember {
                    side,
                    in_roster: entry.at_start,
                    is_rated: entry.is_rated(),
                    presence: entry.presence(round.parts().round_seconds),
                    commands: entry.commands(),
                    standing,
                    state,
                }
            })
            .collect();
        let conditions = Conditions::of(round, parameters);
        let before = model.predict(&lineup, &conditions).unwrap();
        let winner = round.parts().winner;
        let rated = model.rate(&mut lineup, winner, &conditions).unwrap();
        assert_eq!(rated.win_probability, before, "{name}");
        for (((_, entry), member), rated) in round.entries().zip(lineup).zip(rated.players) {
            assert!(rated.k.is_finite() && rated.k >= 0.0, "{name}: {rated:?}");
            let standing = crate::rating::Standing {
                rating: rated.rating,
                rounds: rated.rounds,
                ..member.standing
            };
            players.insert(entry.id, (standing, member.state));
        }
        pool = model.state().unwrap();
        before
    };
    let predictions = rounds.iter().map(predict).collect();
    (predictions, players)
}

#[test]
fn a_pool_is_rated_by_a_model_as_the_model_is_compared_with_others() {
    let rounds = rounds(400, 0, 0);
    for name in ModelName::ALL
        .into_iter()
        .filter(|name| *name != ModelName::default())
    {
        let of_pool = predictions_of_a_pool(name, &rounds, &Parameters::default());
        assert_eq!(of_pool, predictions(name, &rounds), "{name}");
    }
}

#[test]
fn larger_games_move_synelo_less_where_a_pool_says_so() {
    let round = &rounds(1, 0, 0)[0];
    let moved = |exponent: f64| -> Vec<Rating> {
        let parameters = Parameters {
            team_size_exponent: exponent,
            ..Parameters::default()
        };
        let mut in_memory = InMemoryPool::new(ModelName::SynElo, &parameters);
        in_memory.rate(round).unwrap();
        let mut pool = ModelName::default().resume(&ModelState::default()).unwrap();
        let standing = crate::rating::Standing {
            rating: parameters.initial_rating,
            rounds: 0,
            window: crate::rating::Window::default(),
            since_return: None,
        };
        let lineup = round.entries().map(|(side, entry)| LineupMember {
            side,
            in_roster: entry.at_start,
            is_rated: entry.is_rated(),
            presence: None,
            commands: false,
            standing,
            state: ModelState::default(),
        });
        let conditions = Conditions {
            map: None,
            bots: &round.parts().bots,
            at: round.ended_at(),
            parameters: &parameters,
        };
        let mut lineup: Vec<LineupMember> = lineup.collect();
        let rated = pool
            .rate(&mut lineup, round.parts().winner, &conditions)
            .unwrap();
        let of_pool: Vec<Rating> = rated.players.iter().map(|player| player.rating).collect();
        let players = round.participants().map(|(_, entry)| entry.id);
        assert_eq!(
            of_pool,
            players
                .map(|id| in_memory.rating(id).unwrap())
                .collect::<Vec<_>>()
        );
        of_pool
    };
    // Seven new players move with K = 72 each, and with two sevenths of 72.
    let step = |rating: &Rating| (rating.points() - 1000).abs();
    let sum = |ratings: &[Rating]| ratings.iter().map(step).sum::<i32>();
    let (whole, less) = (sum(&moved(0.0)), sum(&moved(1.0)));
    assert!(
        (f64::from(less) / f64::from(whole) - 2.0 / 7.0).abs() < 0.02,
        "{less} of {whole}"
    );
}
