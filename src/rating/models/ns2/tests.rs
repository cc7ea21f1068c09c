use super::*;
use crate::domain::{MapName, PlayerEntry, Rating, Round, RoundParts, TeamBots, Timestamp, Winner};
use crate::rating::models::{Conditions, ModelName, ModelState};
use crate::rating::samples::{entry, id, mirrored, parts, settled, team};
use crate::rating::{ChangeKind, InMemoryPool, PlayerState};

fn model() -> InMemoryPool {
    InMemoryPool::new(ModelName::Ns2, &Parameters::default())
}

fn round(team_a: Vec<PlayerEntry>, team_b: Vec<PlayerEntry>, winner: Winner) -> Round {
    settled(RoundParts {
        map: Some("ns2_summit".parse().unwrap()),
        round_seconds: Some(1_200),
        ..parts(0, winner, team_a, team_b)
    })
}

fn duel(one: u64, other: u64, winner: Winner) -> Round {
    round(vec![entry(one)], vec![entry(other)], winner)
}

#[test]
fn one_player_more_is_worth_something_and_so_is_the_side_that_wins() {
    let mut model = model();
    let uneven = round(team(&[1, 2, 3]), team(&[4, 5]), Winner::Draw);
    let outnumbered = model.rate(&uneven).unwrap();
    assert!(outnumbered.get() > 0.6, "{outnumbered:?}");
    for number in 0..200 {
        // Every round has new players, so that only the side can be learnt.
        let (one, other) = (10 + 2 * number, 11 + 2 * number);
        model.rate(&duel(one, other, Winner::A)).unwrap();
    }
    let strangers = model.rate(&duel(9_000, 9_001, Winner::A)).unwrap();
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
    let round = round(winners, team(&[4, 5]), Winner::A);
    model.rate(&round).unwrap();
    let [stays, leaves, joins] = [1, 2, 3].map(|number| model.rating(id(number)).unwrap().points());
    assert!(
        stays > leaves && leaves > joins && joins > 1000,
        "{stays} {leaves} {joins}"
    );
    assert_eq!(model.rating(id(99)).unwrap().points(), 1000);
}

#[test]
fn skills_stay_finite_however_sure_a_round_was_and_however_it_ended() {
    let mut model = model();
    for _ in 0..400 {
        model.rate(&duel(1, 2, Winner::B)).unwrap();
    }
    let predicted = model.rate(&duel(1, 2, Winner::B)).unwrap().get();
    assert!((0.0..0.2).contains(&predicted), "{predicted}");
    let (config, parameters) = (Config::usual(), Parameters::default());
    let bots = TeamBots::default();
    let conditions = Conditions {
        map: None,
        bots: &bots,
        at: Timestamp::UNIX_EPOCH,
        parameters: &parameters,
    };
    let mut pool = Ns2::default();
    let given = |points| Memory {
        given: Some(points),
        ..Memory::default()
    };
    let member = |side, player| DecodedMember {
        side,
        in_roster: true,
        is_rated: true,
        commands: false,
        time: 1.0,
        player: pool.known(&player, &config, &parameters),
    };
    let mut lineup = [
        member(Side::A, given(999_000.0)),
        member(Side::B, given(-900.0)),
    ];
    for number in 0..200 {
        let score = Winner::B.score(Side::A);
        pool.learn(&mut lineup, &config, &conditions, score);
        for member in &lineup {
            let (above, deviation) = pool.strength(&member.player, &config, &parameters);
            assert!(above.is_finite() && deviation > 0.0, "{number}: {member:?}");
        }
    }
}

#[test]
fn who_wins_as_a_commander_is_no_better_a_player_and_rated_apart() {
    let commander = |number| PlayerEntry {
        role: Some("commander".parse().unwrap()),
        ..entry(number)
    };
    let mut model = model();
    let teams = || {
        (
            vec![commander(1), entry(2), entry(3)],
            vec![commander(4), entry(5), entry(6)],
        )
    };
    for number in 0..60 {
        // Players change sides, and commanders stay.
        let ((mut a, mut b), winner) = (teams(), Winner::A);
        if number % 2 == 0 {
            let (players_a, players_b) = (a.split_off(1), b.split_off(1));
            a.extend(players_b);
            b.extend(players_a);
        }
        model.rate(&round(a, b, winner)).unwrap();
    }
    assert_eq!(model.rating(id(1)).unwrap().points(), 1000);
    let of = |model: &mut InMemoryPool, a, b| model.rate(&round(a, b, Winner::Draw)).unwrap().get();
    let (a, b) = teams();
    let led = of(&mut model, a, b);
    let followed = of(&mut model, team(&[1, 2]), team(&[4, 5]));
    assert!(led > followed + 0.05, "{led} {followed}");
}

#[test]
fn where_one_team_names_no_commander_the_other_s_is_a_player() {
    let commander = PlayerEntry {
        role: Some("commander".parse().unwrap()),
        ..entry(1)
    };
    let mut one_sided = model();
    let mut without = model();
    for _ in 0..20 {
        let team_a = vec![commander.clone(), entry(2)];
        let led = round(team_a, team(&[3, 4]), Winner::A);
        let plain = round(team(&[1, 2]), team(&[3, 4]), Winner::A);
        let named = one_sided.rate(&led).unwrap();
        assert_eq!(named, without.rate(&plain).unwrap());
    }
    assert!(one_sided.rating(id(1)).unwrap().points() > 1000);
    assert_eq!(
        one_sided.rating(id(1)).unwrap(),
        without.rating(id(1)).unwrap()
    );
}

#[test]
fn a_rating_that_is_given_before_the_first_round_is_what_it_says_in_rounds_of_any_size() {
    let parameters = Parameters::default();
    let model = resume(&ModelState::default()).unwrap();
    let unknown = PlayerState::new(id(0), &parameters);
    let rating = Rating::new(1_400).unwrap();
    let set = ChangeKind::Set(rating);
    let given = unknown.changed(&*model, set, &parameters).unwrap();
    let mut before = 0.5;
    for size in [1, 4, 12] {
        let mut lineup = vec![given.member(Side::A)];
        lineup.resize(size, unknown.member(Side::A));
        lineup.resize(2 * size, unknown.member(Side::B));
        let conditions = Conditions {
            map: None,
            bots: &TeamBots::default(),
            at: Timestamp::UNIX_EPOCH,
            parameters: &parameters,
        };
        let predicted = model.predict(&lineup, &conditions).unwrap().get();
        // Uncertainty about a single player draws more to even odds than uncertainty about many players.
        let sure = logistic(400.0 / parameters.theta).get();
        assert!((before..sure).contains(&predicted), "{size}: {predicted}");
        before = predicted;
        let mut model = resume(&ModelState::default()).unwrap();
        let rated = model.rate(&mut lineup, Winner::A, &conditions).unwrap();
        assert!(rated.players[0].rating > rating, "{size}: {rated:?}");
        assert_eq!(rated.win_probability.get(), predicted);
    }
}

#[test]
fn what_a_head_more_is_worth_is_learnt_though_players_come_and_go() {
    let mut model = model();
    let game = |number: u64| {
        let players = |from| (from..from + 3).map(|place| entry(10 * number + place));
        let (two, three) = (players(0).take(2).collect(), players(3).collect());
        // The larger team, on either side, wins one round of five.
        let larger = if number.is_multiple_of(5) {
            Winner::A
        } else {
            Winner::B
        };
        if number.is_multiple_of(2) {
            round(three, two, larger)
        } else {
            round(two, three, mirrored(larger))
        }
    };
    let first = model.rate(&game(2)).unwrap().get();
    for number in 3..300 {
        model.rate(&game(number)).unwrap();
    }
    let last = model.rate(&game(300)).unwrap().get();
    assert!(first > 0.6 && (0.1..0.3).contains(&last), "{first} {last}");
}

#[test]
fn what_is_learnt_is_how_often_a_side_wins_and_on_which_map() {
    let mut intercept = Intercept::default();
    let maps: [MapName; 2] = ["one", "other"].map(|name| name.parse().unwrap());
    for number in 0..400 {
        let map = &maps[number % 2];
        let won = number % 8 < 6 || number % 2 == 0;
        intercept.take(Some(map), if won { 1.0 } else { 0.0 });
    }
    // Team a has won all rounds on one map, and three rounds of four on the other.
    assert!(intercept.on(Some(&maps[0])) > intercept.on(None));
    assert!(intercept.on(Some(&maps[1])) < intercept.on(None));
    let side = intercept.side();
    let share = 375.0_f64 / 450.0;
    assert!(
        (side.value - (share / (1.0 - share)).ln()).abs() < 1e-12,
        "{side:?}"
    );
    assert!((side.standard_error - (450.0 * share * (1.0 - share)).sqrt().recip()).abs() < 1e-12);
    let leans: Vec<f64> = intercept.maps().map(|(_, lean)| lean.value).collect();
    assert!(leans[0] < 0.0 && leans[1] > 0.0, "{leans:?}");
}
