use super::*;
use crate::domain::{Mutators, PlayerEntry, PlayerId, Report, RoundParts, TeamBots, Timestamp};

const MODELS: [ModelName; 2] = [ModelName::Adaptive, ModelName::Elo];

fn entry(number: u64) -> PlayerEntry {
    PlayerEntry::present(PlayerId::from_steam_id64(76_561_197_960_265_729 + number).unwrap())
}

fn round(number: u64, winner: Winner, team_a: &[u64], team_b: &[u64]) -> RoundParts {
    let ended_at = Timestamp::from_unix_seconds(1_763_640_000 + i64::try_from(number).unwrap());
    let team = |numbers: &[u64]| numbers.iter().copied().map(entry).collect();
    RoundParts {
        round_id: number.to_string().parse().unwrap(),
        server: "arena".parse().unwrap(),
        map: None,
        mode: None,
        mutators: Mutators::default(),
        bots: TeamBots::default(),
        ended_at: ended_at.ok(),
        pool: None,
        round_seconds: None,
        winner,
        team_a: team(team_a),
        team_b: team(team_b),
    }
}

fn settled(parts: RoundParts) -> Round {
    let ended_at = parts.ended_at.unwrap();
    Report::try_from(parts)
        .unwrap()
        .settled(ended_at, "default".parse().unwrap())
}

/// Returns rounds that the player with the lowest number mostly wins before round `from`, and mostly loses afterwards.
fn rounds(count: u64, from: u64) -> Vec<Round> {
    let rounds = (0..count).map(|number| {
        let (a, b) = ([number % 7, 10 + number % 3], [7 + number % 3, 15]);
        let lowest_wins = if number.is_multiple_of(9) == (number < from) {
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
fn what_comes_after_a_round_changes_no_prediction_up_to_it() {
    let (one, other) = (rounds(300, 150), rounds(300, 300));
    assert_eq!(
        rated(&one[..150]).scores(ModelName::SynElo, 50),
        rated(&other[..150]).scores(ModelName::SynElo, 50)
    );
    let (one, other) = (rated(&one), rated(&other));
    for (one, other) in one.models.iter().zip(&other.models) {
        assert_eq!(one.predicted[..150], other.predicted[..150], "{}", one.name);
        assert_ne!(one.predicted[150..], other.predicted[150..], "{}", one.name);
    }
}

#[test]
fn models_are_compared_with_the_pools_own_over_the_window_and_over_all() {
    let scores = |challengers: Challengers| challengers.scores(ModelName::SynElo, 100);
    let compared = scores(rated(&rounds(300, 300)));
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
    let (_, all) = scores(rated(&rounds(30, 300)))[1];
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
        total: 4,
        draws: 1,
        uneven: 1,
        unrated: 1,
    };
    assert_eq!(counted.rounds(), expected);
}
