//! Participants of a report, with sides and times.

use serde_json::{Value, json};

use super::{MAPS, account, counted, reports};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    who_was_at_the_doors_and_stayed_or_came_back_is_rated,
    who_leaves_is_rated_if_they_hurt_or_healed_somebody,
    who_comes_later_is_rated_once_taking_part,
    who_changes_sides_counts_for_the_new_one,
    bots_spectators_and_unknown_players_are_never_rated,
    rounds_that_do_not_count_are_not_reported,
    changes_within_one_tick_leave_each_player_in_one_place,
    a_stage_is_no_round_unless_the_operator_wants_it,
    draws_restarts_and_odd_orders_of_events,
    switched_sides_are_told_by_the_next_report,
];

/// Entries of a team: account number and attributes, without scoreboards.
fn entries(report: &Value, team: &str) -> Vec<String> {
    let entries = report[team].as_array().expect("a team").iter();
    let texts = entries.map(|entry| match entry.as_object() {
        None => account(entry).to_string(),
        Some(said) => {
            let attributes = said
                .iter()
                .filter(|(key, _)| *key != "id" && *key != "stats")
                .map(|(key, value)| format!(" {key}={value}"));
            account(&entry["id"]).to_string() + &attributes.collect::<String>()
        }
    });
    texts.collect()
}

/// A koth map with that number of players just before the doors open.
async fn before_the_doors(app: &App, count: u32) -> (Bed, Vec<i32>) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    bed.set("rbs_balance", "0");
    bed.set("rbs_place", "0");
    let players = bed.fill(1, count);
    bed.pass(2.0).await;
    bed.begin_round();
    bed.pass(5.0).await;
    (bed, players)
}

async fn end(bed: &mut Bed) -> Value {
    bed.end_round(Win::of(Team::Blue));
    bed.settle().await;
    reports(bed).pop().expect("a report")
}

async fn who_was_at_the_doors_and_stayed_or_came_back_is_rated(app: &App) {
    let (mut bed, players) = before_the_doors(app, 5).await;
    bed.open_doors();
    bed.fight();
    bed.pass(20.0).await;
    bed.leave(players[0]);
    bed.pass(5.0).await;
    bed.connect_to_team(1, Team::Red);
    bed.pass(65.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), ["1", "3", "5"]);
    assert_eq!(entries(&report, "team_b"), ["2", "4"]);
    let round = ["winner", "server", "map", "round_seconds"].map(|key| &report[key]);
    let expected = json!(["b", "arena-1", "koth_viaduct", 90]);
    assert_eq!(json!(round), expected);
    let name = report["round_id"].as_str().expect("a name");
    assert_eq!(counted(app, "arena-1").await, [name]);
}

async fn who_leaves_is_rated_if_they_hurt_or_healed_somebody(app: &App) {
    let (mut bed, players) = before_the_doors(app, 10).await;
    bed.open_doors();
    bed.hurt(players[2], players[3]);
    bed.heal(players[4], players[8]);
    // A fall.
    bed.hurt(players[6], players[6]);
    bed.pass(30.0).await;
    for place in [0, 2, 4, 6] {
        bed.leave(players[place]);
    }
    bed.join(players[1], Team::Spectator);
    bed.join(players[3], Team::Spectator);
    bed.pass(30.0).await;
    let report = end(&mut bed).await;
    let red = [
        "1 participated=false",
        "3 seconds=30",
        "5 seconds=30",
        "7 participated=false",
        "9",
    ];
    assert_eq!(entries(&report, "team_a"), red);
    let blue = ["2 participated=false", "4 seconds=30", "6", "8", "10"];
    assert_eq!(entries(&report, "team_b"), blue);
}

async fn who_comes_later_is_rated_once_taking_part(app: &App) {
    let (mut bed, players) = before_the_doors(app, 4).await;
    bed.open_doors();
    bed.pass(20.0).await;
    bed.connect_to_team(11, Team::Red);
    let busy = bed.connect_to_team(12, Team::Blue);
    let gone = bed.connect_to_team(13, Team::Blue);
    bed.pass(10.0).await;
    bed.hurt(busy, players[0]);
    bed.hurt(players[0], gone);
    bed.leave(gone);
    bed.pass(30.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), ["1", "3"]);
    let blue = [
        "2",
        "4",
        "12 at_start=false seconds=40",
        "13 at_start=false seconds=10",
    ];
    assert_eq!(entries(&report, "team_b"), blue);
}

async fn who_changes_sides_counts_for_the_new_one(app: &App) {
    let (mut bed, players) = before_the_doors(app, 6).await;
    bed.open_doors();
    bed.pass(20.0).await;
    bed.place(players[0], Team::Blue);
    bed.place(players[1], Team::Red);
    bed.pass(20.0).await;
    bed.place(players[1], Team::Blue);
    bed.pass(20.0).await;
    let report = end(&mut bed).await;
    assert_eq!(
        entries(&report, "team_a"),
        ["1 participated=false", "3", "5"]
    );
    let moved = "1 at_start=false seconds=40";
    assert_eq!(entries(&report, "team_b"), ["2", "4", "6", moved]);
}

async fn bots_spectators_and_unknown_players_are_never_rated(app: &App) {
    let (mut bed, players) = before_the_doors(app, 4).await;
    let unknown = bed.connect_unknown(50);
    bed.place(unknown, Team::Red);
    bed.connect_to_team(51, Team::Spectator);
    bed.open_doors();
    let bot = bed.connect_bot();
    bed.place(bot, Team::Blue);
    bed.hurt(bot, players[0]);
    bed.hurt(unknown, players[1]);
    bed.pass(60.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), ["1", "3"]);
    assert_eq!(entries(&report, "team_b"), ["2", "4"]);
    bed.begin_round();
    bed.open_doors();
    bed.authorize(unknown);
    bed.hurt(unknown, players[1]);
    bed.pass(60.0).await;
    let count = reports(&bed).len();
    assert_eq!(count, 1, "a round that began with bots was reported");
}

async fn rounds_that_do_not_count_are_not_reported(app: &App) {
    let mut bed = Bed::start(app, Mode::Koth).await;
    bed.set("rbs_balance", "0");
    bed.set("rbs_scramble", "0");
    let players = bed.fill(1, 4);
    for (convar, value, restored) in [
        ("mp_tournament", "1", "0"),
        ("rbs_rate", "0", "1"),
        ("rbs_enabled", "0", "1"),
    ] {
        bed.set(convar, value);
        bed.play(Win::of(Team::Red), 30.0).await;
        assert_eq!(reports(&bed).len(), 0, "{convar} is {value}");
        bed.set(convar, restored);
    }
    bed.set("rbs_least_players", "5");
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(reports(&bed).len(), 0, "too few players");
    bed.set("rbs_least_players", "4");
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(reports(&bed).len(), 1, "as many players as are asked for");
    bed.place(players[1], Team::Red);
    bed.place(players[3], Team::Red);
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(reports(&bed).len(), 1, "one team was empty");
    let bot = bed.connect_bot();
    bed.place(bot, Team::Blue);
    bed.place(players[1], Team::Blue);
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(reports(&bed).len(), 1, "there was a bot");
    bed.set("rbs_rate_with_bots", "1");
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(reports(&bed).len(), 2, "bots are allowed");
    bed.change_map(Mode::Mvm).await;
    for index in &players {
        bed.place(*index, Team::Red);
    }
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(reports(&bed).len(), 2, "Mann vs. Machine");
}

async fn changes_within_one_tick_leave_each_player_in_one_place(app: &App) {
    let (mut bed, players) = before_the_doors(app, 6).await;
    bed.open_doors();
    bed.fight();
    bed.pass(20.0).await;
    bed.place(players[0], Team::Blue);
    bed.place(players[0], Team::Red);
    bed.place(players[1], Team::Red);
    bed.place(players[1], Team::Spectator);
    bed.place(players[1], Team::Blue);
    bed.leave(players[2]);
    let back = bed.connect_to_team(3, Team::Blue);
    bed.place(back, Team::Red);
    bed.pass(20.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), ["1", "3", "5"]);
    assert_eq!(entries(&report, "team_b"), ["2", "4", "6"]);
}

async fn a_stage_is_no_round_unless_the_operator_wants_it(app: &App) {
    let mut bed = Bed::start(app, Mode::AttackDefend).await;
    bed.set("rbs_balance", "0");
    bed.fill(1, 4);
    bed.play(Win::of(Team::Blue).of_stage(), 60.0).await;
    bed.play(Win::of(Team::Red), 60.0).await;
    let all = reports(&bed);
    assert_eq!(all.len(), 1, "{all:?}");
    // The duration counts from the first stage's doors, including pauses between stages.
    assert_eq!(all[0]["round_seconds"], 140);
    bed.set("rbs_rate_stages", "1");
    bed.play(Win::of(Team::Blue).of_stage(), 60.0).await;
    bed.play(Win::of(Team::Red), 60.0).await;
    let all = reports(&bed);
    assert_eq!(all.len(), 3, "{all:#?}");
    bed.set("rbs_rate_stages", "0");
    bed.write_file(MAPS, r#""Maps" { "cp_*" { "stages" "1" } }"#);
    bed.change_map_and_teams(Mode::AttackDefend).await;
    bed.play(Win::of(Team::Blue).of_stage(), 60.0).await;
    assert_eq!(reports(&bed).len(), 4, "the map wants it");
}

async fn draws_restarts_and_odd_orders_of_events(app: &App) {
    let (mut bed, _) = before_the_doors(app, 4).await;
    bed.open_doors();
    bed.fight();
    bed.pass(30.0).await;
    bed.fire("teamplay_round_stalemate", &[("reason", 1.into())]);
    bed.pass(30.0).await;
    bed.end_round(Win::of(Team::None));
    bed.settle().await;
    let all = reports(&bed);
    assert_eq!(all.len(), 1, "sudden death is no end");
    assert_eq!(all[0]["winner"], "draw");
    bed.end_round(Win::of(Team::Red));
    bed.begin_round();
    bed.end_round(Win::of(Team::Red));
    bed.begin_round();
    bed.open_doors();
    bed.fire("teamplay_restart_round", &[]);
    bed.end_round(Win::of(Team::Red));
    bed.open_doors();
    bed.end_round(Win::of(Team::Red));
    bed.settle().await;
    assert_eq!(reports(&bed).len(), 1);
}

async fn switched_sides_are_told_by_the_next_report(app: &App) {
    let mut bed = Bed::start(app, Mode::Payload).await;
    bed.set("rbs_balance", "0");
    bed.fill(1, 4);
    bed.play(Win::of(Team::Blue).and_switch_sides(), 60.0).await;
    bed.play(Win::of(Team::Red), 60.0).await;
    let all = reports(&bed);
    assert_eq!(all.len(), 2);
    assert_eq!(all[0]["winner"], "b");
    assert_eq!(all[1]["winner"], "a");
    assert_eq!(entries(&all[0], "team_b"), entries(&all[1], "team_a"));
    assert_eq!(entries(&all[0], "team_a"), entries(&all[1], "team_b"));
}
