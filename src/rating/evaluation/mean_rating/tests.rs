use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, from_value, json};

use super::*;
use crate::domain::Probability;
use crate::rating::samples::{id as player, settled};
use crate::rating::{PlayerResult, PredictionTotals};

fn rating(points: i32) -> Rating {
    Rating::new(points).unwrap()
}

/// Returns a round on a given day with even odds. `ratings` holds each participant's ratings before and after.
fn round(day: u32, winner: &str, teams: [Vec<Value>; 2], ratings: &[(i32, i32)]) -> RatingEvent {
    let [a, b] = teams;
    let ended_at = Timestamp::UNIX_EPOCH.later(Duration::from_hours(24) * day);
    let round = settled(from_value(json!({
        "server": "s", "round_id": "1", "winner": winner, "round_seconds": 1200, "ended_at": ended_at,
        "team_a": a, "team_b": b,
    }))
    .unwrap());
    let parameters = Parameters {
        participation_half_life: 600,
        ..Parameters::default()
    };
    let players = ratings.iter().map(|&(before, after)| PlayerResult {
        before: rating(before),
        after: rating(after),
        k: 40.0,
        rounds: 1,
        visible: true,
    });
    let result = RoundResult {
        position: 1,
        players: players.collect(),
        win_probability: Probability::HALF,
        theta: parameters.theta,
        predictions: PredictionTotals::default(),
    };
    let sum = RatedRoundSum::new(&round, &result, true, &parameters);
    RatingEvent::Round(sum)
}

fn id(number: u64) -> Value {
    json!(player(number))
}

/// Returns the causes that moved the mean rating, in points of the sum of all ratings.
fn causes(events: &[RatingEvent]) -> Vec<(MeanCause, f64)> {
    let moved = mean_movement(events.iter(), 30).unwrap();
    let moved_by = moved.causes.into_iter();
    let sums = moved_by.map(|(cause, points)| (cause, points * number(moved.players)));
    let rounded = sums.map(|(cause, points)| (cause, (points * 1e6).round() / 1e6));
    rounded.filter(|(_, points)| *points != 0.0).collect()
}

#[test]
fn each_cause_is_named_where_it_alone_moves_the_mean() {
    let two = || [vec![id(1), id(2)], vec![id(3), id(4)]];
    let leaver = |how: Value| [vec![id(1), id(2)], vec![id(3), how]];
    let (up, down) = ((1000, 1020), (1000, 980));
    let even = round(1, "a", two(), &[up, up, down, down]);
    let unrated = leaver(json!({"id": id(4), "participated": false}));
    // The first 600 of 1200 seconds weigh two thirds.
    let in_part = leaver(json!({"id": id(4), "seconds": 600}));
    let uneven = [vec![id(1), id(2)], vec![id(3)]];
    let nobody = [vec![id(1)], vec![json!({"id": id(3), "seconds": 0})]];
    for (event, expected) in [
        (even.clone(), vec![]),
        (
            round(1, "a", unrated, &[up, up, down]),
            vec![(MeanCause::Unrated, 20.0)],
        ),
        (
            round(
                1,
                "a",
                in_part,
                &[(1000, 1030), (1000, 1030), (1000, 970), (1000, 980)],
            ),
            vec![(MeanCause::Unrated, 10.0)],
        ),
        (
            round(1, "a", nobody, &[up]),
            vec![(MeanCause::Unrated, 20.0)],
        ),
        (
            round(1, "a", uneven, &[up, up, down]),
            vec![(MeanCause::TeamSizes, 20.0)],
        ),
        (
            round(1, "a", two(), &[(1000, 1015), up, down, down]),
            vec![(MeanCause::KFactors, -5.0)],
        ),
        (
            round(1, "draw", two(), &[(1600, 1595), (1600, 1595), up, up]),
            vec![(MeanCause::Draws, 30.0)],
        ),
        (
            round(1, "a", two(), &[up, up, down, (105, 100)]),
            vec![(MeanCause::Floor, 15.0)],
        ),
    ] {
        assert_eq!(causes(&[event]), expected);
    }
    let parameters = Box::new(Parameters::default());
    let keep = Share::from_thousandths(500).unwrap();
    let set = RatingEvent::Changed(player(3), rating(1500));
    let stranger = RatingEvent::Changed(player(9), rating(1500));
    assert_eq!(
        causes(&[even.clone(), set.clone(), stranger]),
        [(MeanCause::Admins, 520.0)]
    );
    assert_eq!(
        causes(&[set.clone(), even.clone()]),
        [],
        "the first round is where a player begins"
    );
    let season = RatingEvent::Season(keep, parameters);
    assert_eq!(
        causes(&[even.clone(), set, season]),
        [(MeanCause::Admins, 520.0), (MeanCause::Seasons, -260.0)]
    );
    let later = round(
        40,
        "a",
        [vec![id(1)], vec![id(2)]],
        &[(1020, 1040), (1020, 1000)],
    );
    assert_eq!(causes(&[even, later]), [(MeanCause::Departed, 40.0)]);
}

proptest! {
    #[test]
    fn the_causes_add_up_to_the_movement_of_the_ratings(
        moves in prop::collection::vec(
            (0..90_u32, 0..3_usize, prop::array::uniform6((0..3_usize, -60..60_i32)), 0..12_u8), 1..40,
        ),
    ) {
        let mut now = [1000_i32; 6];
        let mut events = Vec::new();
        let parameters = Parameters::default();
        for (day, winner, lineup, other) in moves {
            let mut teams = [Vec::new(), Vec::new()];
            let mut ratings = Vec::new();
            for (index, (part, moved)) in lineup.into_iter().enumerate() {
                let mut member = json!({"id": id(index as u64 + 1)});
                if part == 1 {
                    member["seconds"] = json!(300);
                }
                if part == 2 {
                    member["participated"] = json!(false);
                } else {
                    let after = (now[index] + moved).max(100);
                    ratings.push((now[index], after));
                    now[index] = after;
                }
                teams[index / 3].push(member);
            }
            events.push(round(day, ["a", "b", "draw"][winner], teams, &ratings));
            if other == 0 {
                let keep = Share::from_thousandths(700).unwrap();
                events.push(RatingEvent::Season(keep, Box::new(parameters.clone())));
                now = now.map(|now| carried_over(rating(now), keep, &parameters).points());
            } else if other == 1 {
                events.push(RatingEvent::Changed(player(2), rating(1234)));
                now[1] = 1234;
            }
        }
        // Changes of a player's rating before the player's first round do not count.
        let seen = |number: usize| events.iter().any(|event| match event {
            RatingEvent::Round(round) => round.players.iter().any(|(id, ..)| *id == player(number as u64 + 1)),
            _ => false,
        });
        let everybody: Vec<f64> = (0..6).filter(|number| seen(*number)).map(|number| f64::from(now[number])).collect();
        let Some(moved) = mean_movement(events.iter(), 36_500) else {
            prop_assert!(everybody.is_empty());
            return Ok(());
        };
        let mean = everybody.iter().sum::<f64>() / number(everybody.len() as u64);
        prop_assert!((moved.to - mean).abs() < 1e-6, "{} is not {mean}", moved.to);
        for stale_days in [1, 30, 36_500] {
            let moved = mean_movement(events.iter(), stale_days).unwrap();
            let sum: f64 = moved.causes.iter().map(|(_, points)| points).sum();
            prop_assert!((moved.to - moved.from - sum).abs() < 1e-6);
        }
    }
}
