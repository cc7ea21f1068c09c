//! Automatic scrambles after one-sided rounds: each rule just below and above its threshold, its off value, and the
//! overrides of a map.

use super::triggers::{due, server};
use super::{MAPS, begin_next, scrambles};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    the_same_players_win_again_and_again,
    a_win_within_seconds,
    winners_with_far_more_kills,
    a_lead_in_score_per_minute,
    winners_who_dominate,
    odds_of_the_teams_as_they_stand,
    odds_that_cannot_be_asked_change_nothing,
    a_map_overrides_the_rules,
];

/// Reason codes of the plugin.
const STREAK: i32 = 2;
const ROUNDS: i32 = 4;
const FAST: i32 = 8;
const KILLS: i32 = 9;
const SCORE: i32 = 10;
const DOMINATIONS: i32 = 11;
const ODDS: i32 = 12;

/// A server on which only the rules of this file can scramble.
async fn quiet(app: &App, mode: Mode) -> Bed {
    let mut bed = server(app, mode, 8).await;
    for rule in ["untouched", "second", "rounds", "streak", "waiting"] {
        bed.set(&format!("rbs_scramble_{rule}"), "0");
    }
    bed
}

async fn end(bed: &mut Bed, winner: Team) {
    bed.end_round(Win::of(winner));
    bed.pass(10.0).await;
}

async fn round(bed: &mut Bed, winner: Team) {
    bed.begin_live_round().await;
    bed.pass(60.0).await;
    end(bed, winner).await;
}

/// Plays a round of attack and defend, after which the game swaps the sides.
async fn round_and_switch(bed: &mut Bed, winner: Team) {
    bed.begin_live_round().await;
    bed.pass(60.0).await;
    bed.end_round(Win::of(winner).and_switch_sides());
    bed.pass(10.0).await;
}

async fn the_same_players_win_again_and_again(app: &App) {
    for mode in [Mode::Koth, Mode::FivePoints, Mode::Ctf, Mode::Arena] {
        let mut bed = quiet(app, mode).await;
        bed.set("rbs_scramble_streak", "3");
        round(&mut bed, Team::Red).await;
        round(&mut bed, Team::Red).await;
        assert_eq!(due(&bed), [0; 0], "{mode:?}: two wins");
        round(&mut bed, Team::Red).await;
        assert_eq!(due(&bed), [STREAK], "{mode:?}");
    }
    let mut bed = quiet(app, Mode::Payload).await;
    bed.set("rbs_scramble_streak", "3");
    for winner in [Team::Red, Team::Blue, Team::Red] {
        assert_eq!(due(&bed), [0; 0]);
        round_and_switch(&mut bed, winner).await;
    }
    assert_eq!(due(&bed), [STREAK], "the same players won on both sides");
    let mut bed = quiet(app, Mode::Payload).await;
    bed.set("rbs_scramble_streak", "3");
    for _ in 0..4 {
        round_and_switch(&mut bed, Team::Red).await;
    }
    assert_eq!(due(&bed), [0; 0], "RED won, but with other players");
}

async fn a_win_within_seconds(app: &App) {
    let mut bed = quiet(app, Mode::Koth).await;
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [0; 0], "the rule is off at first");
    bed.set("rbs_scramble_fast", "55");
    round(&mut bed, Team::Blue).await;
    assert_eq!(due(&bed), [0; 0], "60 seconds are not quick");
    bed.set("rbs_scramble_fast", "65");
    round(&mut bed, Team::None).await;
    assert_eq!(due(&bed), [0; 0], "a draw is no win");
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [FAST]);
    begin_next(&mut bed).await;
    assert_eq!(scrambles(&bed), 1);
}

/// Plays a round with these numbers of kills.
async fn round_with_kills(bed: &mut Bed, winners: usize, losers: usize) {
    bed.begin_live_round().await;
    let (red, blue) = (bed.team(Team::Red)[0], bed.team(Team::Blue)[0]);
    for _ in 0..winners {
        bed.kill_by(red, blue, None);
    }
    for _ in 0..losers {
        bed.kill_by(blue, red, None);
    }
    bed.kill(red);
    bed.pass(60.0).await;
    end(bed, Team::Red).await;
}

async fn winners_with_far_more_kills(app: &App) {
    let mut bed = quiet(app, Mode::Koth).await;
    round_with_kills(&mut bed, 20, 1).await;
    assert_eq!(due(&bed), [0; 0], "the rule is off at first");
    bed.set("rbs_scramble_kills", "2.5");
    round_with_kills(&mut bed, 9, 4).await;
    assert_eq!(due(&bed), [0; 0], "9 are fewer than 2.5 times 4");
    round_with_kills(&mut bed, 4, 10).await;
    assert_eq!(due(&bed), [0; 0], "the losers made more kills");
    round_with_kills(&mut bed, 10, 4).await;
    assert_eq!(due(&bed), [KILLS]);
    let mut bed = quiet(app, Mode::Koth).await;
    bed.set("rbs_scramble_kills", "2.5");
    round_with_kills(&mut bed, 0, 0).await;
    assert_eq!(due(&bed), [0; 0], "nobody killed anybody");
    round_with_kills(&mut bed, 3, 0).await;
    assert_eq!(due(&bed), [KILLS], "three kills to none");
}

async fn a_lead_in_score_per_minute(app: &App) {
    let mut bed = quiet(app, Mode::Koth).await;
    for index in bed.team(Team::Blue) {
        bed.client_mut(index).score = 500;
    }
    bed.set("rbs_scramble_score", "8");
    for (points, expected) in [(7, vec![]), (9, vec![SCORE])] {
        bed.begin_live_round().await;
        for index in bed.team(Team::Red) {
            bed.client_mut(index).score += points;
        }
        bed.pass(60.0).await;
        end(&mut bed, Team::Red).await;
        assert_eq!(due(&bed), expected, "{points} points a player in a minute");
    }
}

async fn winners_who_dominate(app: &App) {
    let mut bed = quiet(app, Mode::Koth).await;
    bed.set("rbs_scramble_dominations", "4");
    let (red, blue) = (bed.team(Team::Red), bed.team(Team::Blue));
    let dominates = "m_iActiveDominations";
    bed.client_mut(red[0]).properties.insert(dominates, 3);
    bed.client_mut(red[1]).properties.insert(dominates, 2);
    bed.client_mut(blue[0]).properties.insert(dominates, 2);
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [0; 0], "five against two");
    bed.client_mut(red[1]).properties.insert(dominates, 3);
    round(&mut bed, Team::Blue).await;
    assert_eq!(due(&bed), [0; 0], "the losers dominate");
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [DOMINATIONS]);
}

async fn odds_of_the_teams_as_they_stand(app: &App) {
    let mut bed = quiet(app, Mode::Koth).await;
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [0; 0], "the rule is off at first");
    bed.set("rbs_scramble_odds", "0.99");
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [0; 0], "the odds are closer than 99 to 1");
    bed.set("rbs_scramble_odds", "0.55");
    bed.set("rbs_scramble_gap", "10");
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [0; 0], "the gap holds for this rule too");
    bed.set("rbs_scramble_gap", "0");
    round(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [ODDS], "the players who won have higher ratings");
    let asked = bed.requests("/v1/balance").pop().expect("a question");
    let limit = asked["scramble_above"].as_f64().expect("a limit");
    assert!((limit - 0.55).abs() < 1e-6, "{asked}");
    assert!(bed.hears(1, "too uneven"), "the reason is told");
    let before = bed.accounts(Team::Red);
    begin_next(&mut bed).await;
    assert_eq!(scrambles(&bed), 1);
    assert_ne!(bed.accounts(Team::Red), before);
    bed.open_doors();
    bed.fight();
    bed.pass(60.0).await;
    end(&mut bed, Team::None).await;
    assert_eq!(due(&bed), [ODDS], "the new teams are even");
}

async fn odds_that_cannot_be_asked_change_nothing(app: &App) {
    let mut bed = quiet(app, Mode::Koth).await;
    round(&mut bed, Team::Red).await;
    bed.set("rbs_scramble_odds", "0.51");
    bed.begin_live_round().await;
    bed.pass(30.0).await;
    bed.trouble(Trouble::Away);
    end(&mut bed, Team::Red).await;
    assert_eq!(due(&bed), [0; 0]);
    bed.begin_round();
    bed.open_doors();
    bed.trouble(Trouble::None);
    bed.pass(60.0).await;
    assert_eq!(due(&bed), [0; 0], "a late answer is about another round");
}

async fn a_map_overrides_the_rules(app: &App) {
    let mut bed = server(app, Mode::Koth, 8).await;
    bed.write_file(
        MAPS,
        r#""Maps" {
            "pl_badwater" { "rbs_scramble_rounds" "3" "rbs_scramble_fast" "65" "rbs_scramble_streak" "99" }
            "koth_viaduct" { "rbs_scramble_untouched" "0" }
        }"#,
    );
    bed.change_map_and_teams(Mode::Payload).await;
    round(&mut bed, Team::Blue).await;
    assert_eq!(due(&bed), [FAST], "the map turns this rule on");
    bed.console("sm_rbs_cancel");
    for _ in 0..2 {
        bed.begin_live_round().await;
        bed.pass(90.0).await;
        end(&mut bed, Team::Blue).await;
    }
    assert_eq!(due(&bed), [FAST, ROUNDS], "three rounds and not two");
    bed.change_map_and_teams(Mode::Koth).await;
    round(&mut bed, Team::Blue).await;
    assert_eq!(due(&bed), [FAST, ROUNDS], "all values were the other map's");
    let rounds = bed.value("rbs_scramble_rounds");
    assert_eq!(rounds, "2", "the convar is as it was");
}
