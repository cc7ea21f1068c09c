use super::*;
use crate::domain::RoundParts;
use crate::rating::samples::{parts, settled, team};

const MODELS: [ModelName; 2] = [ModelName::Adaptive, ModelName::Elo];

fn round(number: u64, winner: Winner, team_a: &[u64], team_b: &[u64]) -> RoundParts {
    let at = 1_763_640_000 + i64::try_from(number).unwrap();
    parts(at, winner, team(team_a), team(team_b))
}

/// Returns rounds that the player with the lowest number mostly wins.
fn rounds(count: u64) -> Vec<Round> {
    let rounds = (0..count).map(|number| {
        let (a, b) = ([number % 7, 10 + number % 3], [7 + number % 3, 15]);
        let lowest_wins = if number.is_multiple_of(9) {
            Winner::B
        } else {
            Winner::A
        };
        settled(round(number, lowest_wins, &a, &b))
    });
    rounds.collect()
}

fn rated(rounds: &[Round]) -> Challengers {
    let mut challengers = Challengers::new(&MODELS, &Parameters::default());
    for round in rounds {
        challengers.rate(round, Probability::HALF).unwrap();
    }
    challengers
}

#[test]
fn models_are_compared_with_the_pools_own_over_the_window_and_over_all() {
    let scores = |challengers: Challengers| challengers.scores(ModelName::SynElo, 100);
    let compared = scores(rated(&rounds(300)));
    let ((own, coin), challengers) = compared.split_first().unwrap();
    assert_eq!((*own, coin.all.brier), (ModelName::SynElo, Some(0.25)));
    assert_eq!(coin.all.difference, None);
    let models: Vec<ModelName> = challengers.iter().map(|(model, _)| *model).collect();
    assert_eq!(models, MODELS);
    for (model, of) in challengers {
        let window = of.window.difference.unwrap().mean;
        assert!(window < of.all.difference.unwrap().mean, "{model}: {of:?}");
        assert!(of.all.difference.unwrap().mean < 0.0, "{model}: {of:?}");
        let expected = of.window.log_loss.unwrap() - coin.window.log_loss.unwrap();
        assert!((window - expected).abs() < 1e-12, "{model}: {of:?}");
    }
    // A window longer than the log covers the whole log.
    let (_, all) = scores(rated(&rounds(30)))[1];
    assert_eq!(all.window, all.all);
    let (_, none) = scores(Challengers::new(&MODELS, &Parameters::default()))[1];
    assert_eq!(none.all.difference, None);
}

#[test]
fn draws_uneven_teams_and_rounds_that_rate_nobody_are_counted() {
    let mut unrated = round(3, Winner::A, &[1], &[2]);
    unrated.team_a[0].participated = false;
    let mut joined = round(4, Winner::A, &[1, 3], &[2]);
    joined.team_a[1].at_start = false;
    let counted = rated(&[
        settled(round(1, Winner::Draw, &[1], &[2])),
        settled(round(2, Winner::B, &[1, 3], &[2])),
        settled(unrated),
        settled(joined),
    ]);
    let expected = ComparedRounds {
        rounds: 4,
        draws: 1,
        uneven: 1,
        unrated: 1,
    };
    assert_eq!(counted.rounds(), expected);
}
