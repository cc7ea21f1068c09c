//! Tests of powers by the numbers that the communities' documents print; `benches/powers.md` lists the numbers.

use std::collections::BTreeMap;

use super::*;
use crate::domain::{
    Mutators, PastGame, Place, Score, SetRules, Stat, StatCount, Stats, Timestamp,
};

static POWERS: LazyLock<PowerRules> = LazyLock::new(|| PowerRules::built_in().unwrap());

pub(super) fn game(mode: &str) -> PastGame {
    PastGame {
        ended_at: Timestamp::UNIX_EPOCH,
        seconds: None,
        mode: Some(mode.parse().unwrap()),
        mutators: Mutators::default(),
        map: None,
        stats: None,
        result: Score::DRAW,
        place: None,
        is_rated: true,
    }
}

pub(super) fn placed(mode: &str, place: f64, of: u32) -> PastGame {
    PastGame {
        place: Some(Place { place, of }),
        ..game(mode)
    }
}

fn counted(score: f64, [kills, deaths, assists]: [u32; 3]) -> PastGame {
    let stats = Stats {
        score: Stat::new(score),
        kills: StatCount::new(kills),
        deaths: StatCount::new(deaths),
        assists: StatCount::new(assists),
        ..Stats::default()
    };
    PastGame {
        stats: Some(Box::new(stats)),
        ..game("sal")
    }
}

fn kdr(kills: u32) -> PastGame {
    counted(100.0, [kills, 1, 0])
}

/// Returns a test player's power for a match of this mode. `games` are the player's past games, the latest first.
pub(super) fn valued(power: &str, mode: &str, games: &[PastGame]) -> Valued {
    with_mutators(power, mode, &Mutators::default(), None, games)
}

fn with_mutators(
    power: &str,
    mode: &str,
    mutators: &Mutators,
    sets: Option<&SetRules>,
    games: &[PastGame],
) -> Valued {
    let mode = mode.parse().ok();
    let situation = Situation {
        now: Timestamp::UNIX_EPOCH,
        mode: mode.as_ref(),
        mutators,
        sets,
    };
    POWERS
        .named(&power.parse().unwrap())
        .unwrap()
        .of(Rating::new(1234).unwrap(), games, situation)
}

fn points(valued: Valued) -> Option<f64> {
    valued.power.map(Power::points)
}

#[test]
fn the_first_match_of_each_mode_at_the_top_is_worth_its_most() {
    for (mode, most) in [
        ("spi", 6.0),
        ("sta", 6.0),
        ("sal", 16.0),
        ("brk", 24.0),
        ("ctf", 24.0),
    ] {
        for players in [2, 7, 24] {
            let first = valued("pub-power", mode, &[placed(mode, 1.0, players)]);
            assert_eq!(points(first), Some(most), "{mode} of {players}");
            assert_eq!(first.games, Some(1));
        }
    }
}

#[test]
fn in_a_full_match_the_places_count_up_one_by_one() {
    for place in 1..=24_u32 {
        let game = placed("ctf", f64::from(place), 24);
        let power = points(valued("pub-power", "ctf", &[game])).unwrap();
        assert_eq!(power, f64::from(25 - place), "place {place}");
    }
}

#[test]
fn the_past_fifty_matches_of_the_mode_count_and_no_others() {
    let mut games = vec![placed("ctf", 24.0, 24); 25];
    games.extend(vec![placed("ctf", 1.0, 24); 25]);
    let fifty = valued("pub-power", "ctf", &games);
    assert_eq!((points(fifty), fifty.games), (Some(12.5), Some(50)));
    games.extend(vec![placed("ctf", 1.0, 24); 30]);
    games.insert(0, placed("sal", 1.0, 24));
    assert_eq!(valued("pub-power", "ctf", &games), fifty);
    let other = valued("pub-power", "sal", &games);
    assert_eq!((points(other), other.games), (Some(16.0), Some(1)));
    let none = valued("pub-power", "brk", &games);
    assert_eq!((none.power, none.source), (None, Source::Nothing));
}

/// Checks the rule `sorted[i].sortedPower = i + 5` of the Sector's Edge document for players sorted by a power.
#[test]
fn sorted_power_sorts_by_pub_power() {
    let policy = built_in("sectors-edge").by_weights(None).unwrap();
    let weights = [12.5, 24.0, 3.0, 16.0];
    let players = weighed(1, 0, &weights);
    let teams = state(players[..2].to_vec(), players[2..].to_vec());
    let verdict = balance(&teams, &policy, THETA).unwrap();
    // 6 + 8 against 5 + 7.
    assert_eq!(verdict.before.a.power.points(), 14.0);
    assert_eq!(verdict.before.b.power.points(), 12.0);
}

#[test]
fn an_assist_counts_a_quarter_of_a_kill() {
    let game = counted(100_000.0, [3, 2, 4]);
    // A = B = (3 + 4 x 0.25) / 2 = 2; C = D = 100,000, and C x D / 100,000 = 100,000.
    assert_eq!(
        points(valued("kdr-power", "sal", &[game])),
        Some(4.0 * 100_000.0)
    );
}

/// Checks that a power uses the median of a player's kills per death if the median is lower than the mean. The document
/// of the game Sector's Edge prints a mean of 3.4, but three games of 7 and seventeen of 1 have a mean of 1.9.
#[test]
fn a_player_with_few_peaks_is_taken_at_the_median() {
    let games = [vec![kdr(7); 3], vec![kdr(1); 17]].concat();
    let samples = figures(&games);
    assert_eq!(samples.iter().sum::<f64>() / 20.0, 1.9);
    // 1 x 1 x (100 x 100 / 100,000).
    assert_eq!(points(valued("kdr-power", "sal", &games)), Some(0.1));
}

#[test]
fn a_player_with_few_slips_is_taken_at_the_mean() {
    let games = [vec![kdr(1); 3], vec![kdr(7); 17]].concat();
    let samples = figures(&games);
    assert_eq!(samples.iter().sum::<f64>() / 20.0, 6.1);
    // 6.1 x 6.1 x 0.1 = 3.721.
    assert_eq!(points(valued("kdr-power", "sal", &games)), Some(3.721));
}

fn figures(games: &[PastGame]) -> Vec<f64> {
    let kills = games.iter().filter_map(|game| game.stats.as_ref()?.kills);
    kills.map(|kills| f64::from(kills.get())).collect()
}

/// Checks a product of four means: kills per death and score, over all games (A, C) and over the last 20 (B, D).
#[test]
fn the_four_values_and_their_products_are_those_of_the_proposal() {
    let recent = vec![counted(500.0, [4, 2, 0]); 20];
    let before = vec![counted(300.0, [2, 2, 0]); 40];
    let games = [recent, before].concat();
    // A: mean 4/3, median 1; B: 2; C: mean 1100/3, median 300; D: 500. X = 2, Y = 1.5, Z = 3.
    let weight = valued("kdr-power", "sal", &games);
    assert_eq!((points(weight), weight.games), (Some(3.0), Some(60)));
}

#[test]
fn small_scores_make_small_powers_with_all_their_digits() {
    // A = B = (3 + 0.25) / 4 = 0.8125; C = D = 12.
    let game = counted(12.0, [3, 4, 1]);
    let power = points(valued("kdr-power", "sal", &[game]));
    assert_eq!(power, Some(0.000_950_6));
}

#[test]
fn two_terms_below_nothing_make_no_power_above_it() {
    let found = valued("kdr-power", "sal", &[counted(-500.0, [4, 2, 0])]);
    assert_eq!((points(found), found.games), (Some(0.0), Some(1)));
}

#[test]
fn parties_of_two_three_and_four_weigh_as_the_proposal_says() {
    let rule = POWERS.named(&"kdr-power".parse().unwrap()).unwrap();
    let multipliers = rule.party_multipliers();
    assert_eq!(multipliers, Some(PartyMultipliers([115, 120, 125])));
    let policy = built_in("synelo").by_weights(multipliers).unwrap();
    for (members, weight) in [(1, 10.0), (2, 23.0), (3, 36.0), (4, 50.0), (5, 62.5)] {
        let friends = weighed(1, members, &vec![10.0; members]);
        let verdict = balance(&state(friends, Vec::new()), &policy, THETA).unwrap();
        assert_eq!(verdict.before.a.power.points(), weight, "{members}");
    }
}

#[test]
fn weights_stand_between_nothing_and_a_hundred_and_a_newcomer_has_the_default() {
    for (place, weight) in [(1.0, 100.0), (2.0, 50.0), (3.0, 0.0)] {
        let games = [placed("ctf", place, 3)];
        assert_eq!(points(valued("ut2004", "ctf", &games)), Some(weight));
    }
    let newcomer = valued("ut2004", "ctf", &[]);
    assert_eq!(points(newcomer), Some(50.0));
    assert_eq!(
        (newcomer.source, newcomer.games),
        (Source::Newcomer, Some(0))
    );
}

#[test]
fn the_last_thirty_games_count_and_the_recent_ones_more() {
    let (won, lost) = (placed("ctf", 1.0, 2), placed("ctf", 2.0, 2));
    let lately = [vec![won.clone(); 10], vec![lost.clone(); 20]].concat();
    let long_ago = [vec![lost; 20], vec![won.clone(); 10]].concat();
    // Ten games weigh twice as much as the ten before them: 4/7 and 1/7.
    let weight = |games: &[PastGame]| points(valued("ut2004", "ctf", games)).unwrap();
    assert_eq!((weight(&lately), weight(&long_ago)), (57.143, 14.286));
    let more = [lately, vec![won; 100]].concat();
    assert_eq!(weight(&more), 57.143);
}

#[test]
fn sets_of_mutators_have_weights_of_their_own_and_those_that_do_not_matter_have_none() {
    let set = |names: &[&str]| -> Mutators {
        Mutators::new(names.iter().map(|name| name.parse().unwrap())).unwrap()
    };
    let with = |game: &PastGame, names: &[&str]| PastGame {
        mutators: set(names),
        ..game.clone()
    };
    let (top, last) = (placed("ctf", 1.0, 2), placed("ctf", 2.0, 2));
    let games = [
        vec![with(&last, &["InstaGib", "AntiCheat"]); 3],
        vec![with(&top, &["AntiCheat"]); 3],
    ]
    .concat();
    let sets = SetRules {
        mutators: ["InstaGib", "LowGrav"]
            .map(|name| name.parse().unwrap())
            .into(),
        by_mode: BTreeMap::new(),
        least_games: 3,
    };
    let of = |mode: &str, names: &[&str], games: &[PastGame]| {
        let valued = with_mutators("ut2004", mode, &set(names), Some(&sets), games);
        (points(valued).unwrap(), valued.source, valued.games)
    };
    let by = Source::Games;
    assert_eq!(
        of("ctf", &["InstaGib"], &games),
        (0.0, by(GamesOf::Set), Some(3))
    );
    assert_eq!(
        of("ctf", &["Cheer"], &games),
        (100.0, by(GamesOf::Set), Some(3))
    );
    // A set needs three games. Two games are too few, so all games of the mode count; without games of the mode, all
    // games.
    let (_, source, count) = of("ctf", &["InstaGib"], &games[1..]);
    assert_eq!((source, count), (by(GamesOf::Mode), Some(5)));
    let (_, source, count) = of("dm", &["LowGrav"], &games);
    assert_eq!((source, count), (by(GamesOf::Any), Some(6)));
}

#[test]
fn a_term_needs_no_more_games_than_it_counts_whatever_sets_ask_for() {
    let sets = SetRules {
        mutators: [].into(),
        by_mode: BTreeMap::new(),
        least_games: 40,
    };
    // The power `ut2004` looks at 30 games.
    let games = vec![placed("ctf", 1.0, 2); 50];
    let found = with_mutators("ut2004", "ctf", &Mutators::default(), Some(&sets), &games);
    let expected = (Source::Games(GamesOf::Set), Some(30));
    assert_eq!((found.source, found.games), expected);
}

#[test]
fn the_rating_is_a_power_that_needs_no_games() {
    let rating = valued("rating", "ctf", &[]);
    assert_eq!(points(rating), Some(1234.0));
    assert_eq!((rating.source, rating.games), (Source::Rating, None));
}

#[test]
fn every_figure_in_the_page_on_powers_has_a_test() {
    let page = include_str!("../../../benches/powers.md");
    let tests = [
        include_str!("powers.rs"),
        include_str!("ut2004.rs"),
        include_str!("weights.rs"),
    ]
    .concat();
    let rows = page.lines().filter_map(|line| {
        let (_, name) = line.strip_suffix("` |")?.rsplit_once('`')?;
        name.contains('_').then_some(name)
    });
    let mut figures = 0;
    for name in rows {
        assert!(tests.contains(&format!("fn {name}()")), "{name} is no test");
        figures += 1;
    }
    assert!(figures >= 14, "only {figures} figures");
}
