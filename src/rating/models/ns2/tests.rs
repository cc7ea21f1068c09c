use super::*;
use crate::domain::{Mutators, Report, RoundParts, Timestamp};

fn model() -> Ns2 {
    let [mean, deviation] = CONSTANTS;
    Ns2::new(800.0, 0, [mean.value, deviation.value])
}

fn id(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap()
}

fn entry(number: u64) -> PlayerEntry {
    PlayerEntry::present(id(number))
}

fn round(team_a: Vec<PlayerEntry>, team_b: Vec<PlayerEntry>, winner: Winner) -> Round {
    let parts = RoundParts {
        round_id: "r".parse().unwrap(),
        server: "s".parse().unwrap(),
        map: Some("ns2_summit".parse().unwrap()),
        mode: None,
        mutators: Mutators::default(),
        ended_at: None,
        pool: None,
        round_seconds: Some(1_200),
        winner,
        team_a,
        team_b,
    };
    let report = Report::try_from(parts).unwrap();
    report.settled(Timestamp::UNIX_EPOCH, "default".parse().unwrap())
}

fn duel(one: u64, other: u64, winner: Winner) -> Round {
    round(vec![entry(one)], vec![entry(other)], winner)
}

#[test]
fn refits_find_the_likeliest_skills() {
    let prior = Prior::new(10.0, 5.0);
    let mut skills = vec![Skill::new(&prior); 3];
    let mut history = History::default();
    // One beats another three times of four, and that one the third every second time.
    for number in 0..40_u32 {
        let (players, score) = match number % 8 {
            0..3 => ([0, 1], 1.0),
            3 => ([0, 1], 0.0),
            4 | 6 => ([1, 2], 1.0),
            _ => ([1, 2], 0.0),
        };
        history.push(Past {
            parts: vec![(players[0], 0.5), (players[1], -0.5)],
            intercept: 0.1,
            score,
        });
    }
    let posterior = |values: [f64; 3]| -> f64 {
        let likelihood = (0..40_u32).map(|number| {
            let (one, other, won) = match number % 8 {
                0..3 => (values[0], values[1], true),
                3 => (values[0], values[1], false),
                4 | 6 => (values[1], values[2], true),
                _ => (values[1], values[2], false),
            };
            let for_one = logistic(0.1 + 0.5 * (one - other));
            if won {
                for_one.ln()
            } else {
                (1.0 - for_one).ln()
            }
        });
        // The Gamma distribution of mean 10 and deviation 5 has the shape 4 and the rate 0.4.
        likelihood.sum::<f64>() + values.map(|x| 3.0 * x.ln() - 0.4 * x).iter().sum::<f64>()
    };
    for _ in 0..20 {
        history.refit(&mut skills, &prior);
    }
    let found = [0, 1, 2].map(|player| skills[player].value);
    let best = posterior(found);
    for player in 0..3 {
        for away in [-0.01, 0.01] {
            let mut other = found;
            other[player] += away;
            assert!(posterior(other) < best, "{found:?}");
        }
    }
    assert!(found[0] > found[1] + 1.0, "{found:?}");
}

#[test]
fn no_more_than_the_last_twenty_thousand_rounds_are_fitted_to() {
    let prior = Prior::new(10.0, 5.0);
    let mut skills = vec![Skill::new(&prior); 2];
    let mut history = History::default();
    for number in 0..20_300 {
        history.push(Past {
            parts: vec![(0, 0.5), (1, -0.5)],
            intercept: 0.0,
            score: if number < 300 { 0.0 } else { 1.0 },
        });
    }
    history.refit(&mut skills, &prior);
    assert_eq!(history.len(), 20_000);
    assert!(skills[0].value > skills[1].value, "{skills:?}");
}

#[test]
fn one_player_more_is_worth_something_and_so_is_the_side_that_wins() {
    let mut model = model();
    let three = || vec![entry(1), entry(2), entry(3)];
    let outnumbered = model.rate(&round(three(), vec![entry(4), entry(5)], Winner::Draw));
    assert!(outnumbered.get() > 0.6, "{outnumbered:?}");
    for number in 0..200 {
        // New players every time, so that nothing but the side can be learnt.
        let (one, other) = (10 + 2 * number, 11 + 2 * number);
        model.rate(&duel(one, other, Winner::A));
    }
    let strangers = model.rate(&duel(9_000, 9_001, Winner::A));
    assert!(strangers.get() > 0.8, "{strangers:?}");
}

#[test]
fn who_leaves_early_moves_less_than_who_stays_and_who_joins_late_hardly() {
    let mut model = model();
    let seconds = |number, at_start, seconds| PlayerEntry {
        at_start,
        seconds: Some(seconds),
        ..entry(number)
    };
    let winners = vec![
        seconds(1, true, 1_200),
        seconds(2, true, 300),
        seconds(3, false, 300),
    ];
    model.rate(&round(winners, vec![entry(4), entry(5)], Winner::A));
    let [stays, leaves, joins] = [1, 2, 3].map(|number| model.rating(id(number)).points());
    assert!(
        stays > leaves && leaves > joins && joins > 1000,
        "{stays} {leaves} {joins}"
    );
    assert_eq!(model.rating(id(99)).points(), 1000);
}

#[test]
fn a_skill_stays_above_nothing_however_often_its_owner_loses() {
    let mut model = model();
    for _ in 0..400 {
        model.rate(&duel(1, 2, Winner::B));
    }
    assert!(
        model
            .skills
            .iter()
            .all(|skill| skill.value > 0.0 && skill.value.is_finite())
    );
    let predicted = model.rate(&duel(1, 2, Winner::B)).get();
    assert!((0.0..0.2).contains(&predicted), "{predicted}");
}
