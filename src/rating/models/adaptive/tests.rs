use std::io::{BufRead as _, BufReader};

use flate2::read::GzDecoder;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::domain::{PlayerEntry, PlayerId, Probability, RoundParts, Share, TeamBots};
use crate::rating::models::ModelName;
use crate::rating::models::pool::{Conditions, PoolModel as _, Profile};
use crate::rating::models::state::ModelState;
use crate::rating::samples::{entry, id, parts, settled, team};
use crate::rating::{InMemoryPool, PlayerState};

/// Line of the reference data of the model `adaptive` in `tests/vectors/adaptive.jsonl.gz`.
#[derive(Deserialize)]
struct VectorLine {
    t: i64,
    map: u32,
    a: Vec<u64>,
    b: Vec<u64>,
    outcome: f64,
    theta: f64,
    p: f64,
    before: Vec<i32>,
    after: Vec<i32>,
    weights: Vec<f64>,
    k: f64,
}

fn model(theta: f64) -> InMemoryPool {
    rated_by(&Parameters {
        theta,
        ..Parameters::default()
    })
}

fn rated_by(parameters: &Parameters) -> InMemoryPool {
    InMemoryPool::new(ModelName::Adaptive, parameters)
}

fn learnt(pool: &InMemoryPool) -> Adaptive {
    pool.model().state().unwrap().read(1).unwrap().unwrap()
}

/// Returns the players of the test pool with at least one round, among the players with ids 1 to 10 and 99.
fn known(pool: &InMemoryPool) -> Vec<PlayerState> {
    (1..=10)
        .chain([99])
        .filter_map(|number| pool.player(id(number)).cloned())
        .collect()
}

#[test]
fn experience_is_held_against_nobody_where_it_has_a_floor() {
    let worth = |experience_floor| {
        let mut model = rated_by(&Parameters {
            experience_floor,
            ..Parameters::default()
        });
        let mut least = 0.0_f64;
        for number in 0..100 {
            // Unknown players beat regular players.
            let strangers = vec![entry(100 + 2 * number), entry(101 + 2 * number)];
            let regulars = vec![entry(1), entry(2)];
            let at = 1_763_640_000 + i64::try_from(number).unwrap();
            let round = settled(parts(at, Winner::A, strangers, regulars));
            model.rate(&round).unwrap();
            least = least.min(learnt(&model).weights.experience());
        }
        least
    };
    assert!(worth(false) < -0.05);
    assert_eq!(worth(true), 0.0);
}

fn shown(model: &InMemoryPool, player: PlayerId) -> i32 {
    model.rating(player).unwrap().points()
}

#[test]
fn two_thousand_rounds_are_rated_as_by_the_reference() {
    let file = include_bytes!("../../../../tests/vectors/adaptive.jsonl.gz");
    let mut model: Option<InMemoryPool> = None;
    let mut rounds = 0;
    for line in BufReader::new(GzDecoder::new(&file[..])).lines() {
        rounds += 1;
        let known: VectorLine = serde_json::from_str(&line.unwrap()).unwrap();
        let model = model.get_or_insert_with(|| self::model(known.theta));
        let players: Vec<u64> = known.a.iter().chain(&known.b).copied().collect();
        let ratings = |model: &InMemoryPool| -> Vec<i32> {
            players
                .iter()
                .map(|number| shown(model, id(*number)))
                .collect()
        };
        assert_eq!(ratings(model), known.before, "before round {rounds}");
        let winner = match known.outcome {
            1.0 => Winner::A,
            0.0 => Winner::B,
            _ => Winner::Draw,
        };
        let round = RoundParts {
            map: Some(format!("map-{}", known.map).parse().unwrap()),
            ..parts(known.t, winner, team(&known.a), team(&known.b))
        };
        let predicted = model.rate(&settled(round)).unwrap().get();
        assert!(
            (predicted - known.p).abs() < 1e-12,
            "round {rounds}: {predicted}"
        );
        let after: Vec<i32> = players
            .iter()
            .map(|number| model.player(id(*number)).unwrap().rating.points())
            .collect();
        assert_eq!(after, known.after, "after round {rounds}");
        for (mean, known) in learnt(model).weights.means().iter().zip(&known.weights) {
            assert!((mean - known).abs() < 1e-9, "round {rounds}: {mean}");
        }
        assert!((learnt(model).size.unwrap() - known.k).abs() < 1e-9);
    }
    assert_eq!(rounds, 2_000);
}

#[test]
fn who_joins_is_rated_and_predicts_nothing_and_who_leaves_predicts_and_is_not_rated() {
    let teams = || (vec![entry(1), entry(2)], vec![entry(3), entry(4)]);
    let [mut model, mut with_joiner] = [(); 2].map(|()| {
        let mut model = model(800.0);
        for second in 0..60 {
            let (a, b) = teams();
            let round = settled(parts(second, Winner::A, a, b));
            model.rate(&round).unwrap();
        }
        model
    });
    let (a, b) = teams();
    let alone = model.rate(&settled(parts(60, Winner::B, a, b))).unwrap();
    let (mut a, mut b) = teams();
    a[0].participated = false;
    b.push(PlayerEntry {
        at_start: false,
        ..entry(5)
    });
    let leaver = with_joiner.player(id(1)).unwrap().rounds;
    let round = settled(parts(60, Winner::B, a, b));
    let joined = with_joiner.rate(&round).unwrap();
    assert!(alone > Probability::HALF);
    assert_eq!(alone, joined);
    assert_eq!(with_joiner.player(id(1)).unwrap().rounds, leaver);
    assert_eq!(with_joiner.player(id(5)).unwrap().rounds, 1);
    assert!(shown(&with_joiner, id(5)) > 1000);
    // All weights are learnt as without the joiner and the leaver.
    assert_eq!(
        learnt(&model).weights.means(),
        learnt(&with_joiner).weights.means()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn however_teams_and_results_fall_no_visible_rating_moves_against_its_result(
        theta in prop::sample::select(vec![173.7, 800.0, 2400.0, 20_000.0]),
        rounds in prop::collection::vec(
            (prop::sample::subsequence((1..=8_u64).collect::<Vec<_>>(), 2..=8),
             any::<prop::sample::Index>(), 0..3_usize, 0..4_i64, any::<bool>()),
            60..200,
        ),
    ) {
        let mut model = rated_by(&Parameters {
            theta,
            shadow_rounds: 10,
            ..Parameters::default()
        });
        let mut second = 0;
        for (players, cut, winner, pause, joins) in rounds {
            let (a, b) = players.split_at(1 + cut.index(players.len() - 1));
            let winner = [Winner::A, Winner::B, Winner::Draw][winner];
            second += 600 + pause * pause * 86_400;
            let (team_a, mut team_b) = (team(a), team(b));
            if joins {
                team_b.push(PlayerEntry { at_start: false, ..entry(99) });
            }
            let before = known(&model);
            let round = settled(parts(second, winner, team_a, team_b));
            let predicted = model.rate(&round).unwrap().get();
            prop_assert!(predicted > 0.0 && predicted < 1.0, "{}", predicted);
            for after in known(&model) {
                let Some(before) = before
                    .iter()
                    .find(|before| before.id == after.id && before.rounds >= 10)
                else {
                    continue;
                };
                let on_a = a.iter().any(|number| id(*number) == after.id);
                let side = if on_a { Side::A } else { Side::B };
                let moved = after.rating.points() - before.rating.points();
                let (least, most) = match (after.rounds == before.rounds, winner.score(side)) {
                    (true, _) => (0, 0),
                    (_, Score::WIN) => (0, 72),
                    (_, Score::LOSS) => (-72, 0),
                    _ => (-36, 36),
                };
                prop_assert!((least..=most).contains(&moved), "{}", moved);
            }
        }
    }
}

proptest! {
    #[test]
    fn a_season_moves_beliefs_towards_a_strangers_by_what_is_not_kept(
        known in prop::array::uniform22((-5.0..5.0_f64, 0.001..3.0_f64)),
        size in 1.0..12.0_f64,
        last_played in prop::option::of(0..1_000_000_000_000_000_i64),
        thousandths in 0..=1000_u16,
        rounds in 0..500_u32,
    ) {
        let parameters = Parameters::default();
        let model = Adaptive { size: Some(size), ..Adaptive::new() };
        let beliefs = Beliefs(known.map(|(mean, variance)| Belief { mean, variance }));
        let state = ModelState::write(1, &(last_played, beliefs)).unwrap();
        let in_season = |state: &ModelState, thousandths: u16| {
            let player = Profile { rating: parameters.initial_rating, rounds, state };
            let keep = Share::from_thousandths(thousandths).unwrap();
            model.begin_season(player, parameters.initial_rating, keep, &parameters).unwrap()
        };
        let read = |state: &ModelState| {
            let read: Option<(Option<i64>, Beliefs)> = state.read(1).unwrap();
            read.unwrap()
        };
        prop_assert_eq!(in_season(&state, 1000), state.clone());
        let unknown = ModelState::default();
        prop_assert_eq!(in_season(&unknown, thousandths), unknown.clone());

        let stranger = Beliefs::of_stranger(size);
        let (played, after) = read(&in_season(&state, thousandths));
        prop_assert_eq!(played, last_played);
        let keep = f64::from(thousandths) / 1000.0;
        for ((was, is), new) in beliefs.0.iter().zip(&after.0).zip(&stranger.0) {
            prop_assert_eq!(is.mean, keep * was.mean);
            let (least, most) = (was.variance.min(new.variance), was.variance.max(new.variance));
            prop_assert!((least - 1e-12..=most + 1e-12).contains(&is.variance));
        }

        // If nothing is kept, teams are as even as teams of unknown players with the same number of rounds.
        let forgotten = in_season(&state, 0);
        prop_assert_eq!(read(&forgotten).1.0, stranger.0);
        let conditions = Conditions {
            map: None,
            bots: &TeamBots::default(),
            at: Timestamp::from_unix_micros(2_000_000_000_000_000).unwrap(),
            parameters: &parameters,
        };
        let member = |side, rounds, state: &ModelState| {
            let new = PlayerState::new(id(0), &parameters);
            PlayerState { rounds, model_state: state.clone(), ..new }.member(side)
        };
        let against = |state: &ModelState| {
            let lineup = [member(Side::A, rounds, state), member(Side::B, 7, &unknown)];
            model.predict(&lineup, &conditions).unwrap().get()
        };
        prop_assert!((against(&forgotten) - against(&unknown)).abs() < 1e-9);
    }
}

#[test]
fn the_believed_spread_follows_the_results() {
    let spread = |results_follow_skill: bool| {
        let parameters = Parameters {
            theta: 800.0,
            ..Parameters::default()
        };
        let mut model = rated_by(&parameters);
        let mut splits = (0..256_u64).filter(|split| split.count_ones() == 4).cycle();
        for number in 0..500_i64 {
            let split = splits.next().unwrap();
            let (a, b): (Vec<u64>, Vec<u64>) =
                (1..=8).partition(|player| split >> (player - 1) & 1 == 1);
            let a_is_better = a.iter().sum::<u64>() > b.iter().sum::<u64>();
            let a_wins = if results_follow_skill {
                a_is_better
            } else {
                number % 3 == 0
            };
            let winner = if a_wins { Winner::A } else { Winner::B };
            let at = 1_763_640_000 + 600 * number;
            let round = settled(parts(at, winner, team(&a), team(&b)));
            model.rate(&round).unwrap();
        }
        model.model().learnt(&parameters).unwrap().spread.unwrap()
    };
    let (wide, narrow) = (spread(true), spread(false));
    assert!(wide > 3.0 * narrow, "{wide} is not far above {narrow}");
}
