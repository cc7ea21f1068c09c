use super::*;
use rbs::rating::{ModelName, Parameters};

fn simulated(name: &str, rounds: u32, model: ModelName, seed: u64) -> Simulated {
    let scenario: Scenario = name.parse().unwrap();
    simulate(
        &scenario.with_rounds(rounds),
        model,
        &Parameters::default(),
        seed,
    )
    .unwrap()
}

fn last(simulated: &Simulated) -> Tenth {
    *simulated.tenths.last().unwrap()
}

/// Last tenths of the simulations with three seeds.
fn of_three_seeds(model: ModelName) -> [Tenth; 3] {
    [1, 2, 3].map(|seed| last(&simulated("4v4-200", 2_500, model, seed)))
}

fn mean(tenths: [Tenth; 3], figure: fn(&Tenth) -> f64) -> f64 {
    let figures = tenths.each_ref().map(figure);
    Summary::of(&figures).unwrap().mean
}

#[test]
fn ratings_of_small_teams_find_the_skills_and_even_out_the_games() {
    let adaptive = of_three_seeds(ModelName::Adaptive);
    let synelo = of_three_seeds(ModelName::SynElo);
    let ratio = mean(adaptive, Tenth::spread_ratio);
    assert!((0.75..1.25).contains(&ratio), "{ratio}");
    let correlation = mean(adaptive, |tenth| tenth.correlation);
    assert!(correlation > 0.9, "{correlation}");
    // Random teams have an imbalance of .11.
    let [adaptive, synelo] = [adaptive, synelo].map(|tenths| mean(tenths, |tenth| tenth.imbalance));
    assert!(adaptive < synelo && synelo < 0.09, "{adaptive} {synelo}");
}

#[test]
fn newcomers_come_closer_to_their_skill_and_do_not_overshoot() {
    let simulated = simulated("4v4-200-newcomers", 4_800, ModelName::Adaptive, 1);
    let watched = &simulated.watched;
    let (errors, players): (Vec<f64>, Vec<u32>) =
        watched.iter().map(|one| (one.error, one.players)).unzip();
    assert_eq!(players, [2, 2, 2]);
    assert!(errors[0] < -200.0 && errors[0] < errors[2], "{watched:?}");
    assert!(errors[2] < 50.0, "{watched:?}");
}

#[test]
fn a_slump_is_seen_late_and_forgiven() {
    let simulated = simulated("4v4-200-slumps", 4_300, ModelName::Adaptive, 1);
    let [at_its_end, later] = &simulated.watched[..] else {
        panic!("{simulated:?}");
    };
    assert!((150.0..450.0).contains(&at_its_end.error), "{at_its_end:?}");
    assert!(later.error.abs() < 200.0, "{later:?}");
}

#[test]
fn every_scenario_can_be_played_with_every_model() {
    for scenario in Scenario::ALL {
        for model in ModelName::ALL {
            let simulated =
                simulate(&scenario.with_rounds(30), model, &Parameters::default(), 3).unwrap();
            assert_eq!(simulated.tenths.len(), 3, "{}", scenario.name);
            for tenth in simulated.tenths {
                assert!((0.0..0.5).contains(&tenth.imbalance), "{tenth:?}");
                assert!((-1.0..=1.0).contains(&tenth.correlation), "{tenth:?}");
                assert!(tenth.skill_spread > 0.0 && tenth.error > 0.0, "{tenth:?}");
            }
        }
    }
}

#[test]
fn two_models_meet_the_same_people() {
    let skills = |model| last(&simulated("4v4-200", 100, model, 5)).skill_spread;
    assert_eq!(skills(ModelName::Elo), skills(ModelName::Adaptive));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let plain = Scenario::ALL[0];
    for (scenario, expected) in [
        (
            Scenario {
                members: 23,
                ..plain
            },
            ImpossibleScenario::TooFew,
        ),
        (
            Scenario {
                team_sizes: (1, 12),
                ..plain
            },
            ImpossibleScenario::TooFew,
        ),
        (
            Scenario {
                team_sizes: (65, 65),
                members: 130,
                ..plain
            },
            ImpossibleScenario::TooMany,
        ),
    ] {
        let found = simulate(
            &scenario.with_rounds(10),
            ModelName::Elo,
            &Parameters::default(),
            1,
        );
        assert_eq!(found, Err(expected));
    }
}

#[test]
fn figures_over_seeds_have_a_mean_both_ends_and_a_standard_error() {
    let summary = Summary::of(&[1.0, 2.0, 6.0]).unwrap();
    assert_eq!((summary.mean, summary.low, summary.high), (3.0, 1.0, 6.0));
    let error = summary.standard_error.unwrap();
    assert!((error - (7.0_f64 / 3.0).sqrt()).abs() < 1e-12, "{error}");
    assert_eq!(Summary::of(&[1.0]).unwrap().standard_error, None);
    assert_eq!(Summary::of(&[]), None);
}

#[test]
fn scrambles_by_odds_leave_fewer_one_sided_rounds_than_none() {
    let scenario: Scenario = "4v4-200".parse().unwrap();
    let play = |rule| simulate_scrambles(&scenario.with_rounds(3_000), rule, 1).unwrap();
    let never = play(ScrambleRule::Never);
    let odds = play(ScrambleRule::Odds(0.7));
    assert_eq!(odds, play(ScrambleRule::Odds(0.7)));
    assert!(never.new_teams == 0.0 && play(ScrambleRule::Always).new_teams == 1.0);
    assert!((0.1..0.5).contains(&odds.new_teams), "{odds:?}");
    assert!(play(ScrambleRule::Streak(3)).new_teams < 0.3);
    assert!(odds.one_sided < never.one_sided, "{odds:?} {never:?}");
    assert!(0.5 < odds.favourite && odds.favourite < never.favourite);
}
