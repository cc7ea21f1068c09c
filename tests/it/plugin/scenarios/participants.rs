//! Participants of a report, with sides and times.

use serde_json::{Value, json};

use super::{account, counted, reports};
use crate::plugin::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    who_was_at_the_doors_and_stayed_is_rated,
    who_leaves_before_taking_part_is_not_rated,
    who_comes_later_is_rated_once_taking_part,
    who_changes_sides_counts_for_the_new_one,
    who_comes_back_is_one_player,
    bots_spectators_and_unknown_players_are_never_rated,
    rounds_that_do_not_count_are_not_reported,
    a_healer_takes_part_and_a_fall_does_not,
    changes_within_one_tick_leave_each_player_in_one_place,
    a_stage_is_no_round_unless_the_operator_wants_it,
    draws_restarts_and_odd_orders_of_events,
    switched_sides_are_told_by_the_next_report,
];

/// Entries of a team: account number and attributes, without scoreboards.
fn entries(report: &Value, team: &str) -> Vec<Value> {
    let entries = report[team].as_array().expect("a team").iter();
    entries
        .map(|entry| match entry.as_object() {
            None => json!([account(entry)]),
            Some(said) => {
                let mut words = vec![json!(account(&entry["id"]))];
                let rest = said
                    .iter()
                    .filter(|(key, _)| *key != "id" && *key != "stats");
                words.extend(rest.map(|(key, value)| json!(format!("{key}={value}"))));
                Value::from(words)
            }
        })
        .collect()
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

async fn who_was_at_the_doors_and_stayed_is_rated(app: &App) {
    let (mut bed, _) = before_the_doors(app, 5).await;
    bed.open_doors();
    bed.pass(90.0).await;
    let report = end(&mut bed).await;
    assert_eq!(
        entries(&report, "team_a"),
        [json!([1]), json!([3]), json!([5])]
    );
    assert_eq!(entries(&report, "team_b"), [json!([2]), json!([4])]);
    assert_eq!(report["winner"], "b");
    assert_eq!(report["server"], "arena-1");
    assert_eq!(report["map"], "koth_viaduct");
    assert_eq!(report["round_seconds"], 90);
    assert_eq!(
        counted(app, "arena-1").await,
        [report["round_id"].as_str().expect("a name")]
    );
}

async fn who_leaves_before_taking_part_is_not_rated(app: &App) {
    let (mut bed, players) = before_the_doors(app, 8).await;
    bed.open_doors();
    bed.hurt(players[2], players[3]);
    bed.pass(30.0).await;
    bed.leave(players[0]);
    bed.leave(players[2]);
    bed.join(players[1], Team::Spectator);
    bed.join(players[3], Team::Spectator);
    bed.pass(30.0).await;
    let report = end(&mut bed).await;
    let red = entries(&report, "team_a");
    assert_eq!(
        red,
        [
            json!([1, "participated=false"]),
            json!([3, "seconds=30"]),
            json!([5]),
            json!([7])
        ]
    );
    let blue = entries(&report, "team_b");
    assert_eq!(
        blue,
        [
            json!([2, "participated=false"]),
            json!([4, "seconds=30"]),
            json!([6]),
            json!([8])
        ]
    );
}

async fn who_comes_later_is_rated_once_taking_part(app: &App) {
    let (mut bed, players) = before_the_doors(app, 4).await;
    bed.open_doors();
    bed.pass(20.0).await;
    let idle = bed.connect(11);
    bed.place(idle, Team::Red);
    let busy = bed.connect(12);
    bed.place(busy, Team::Blue);
    let gone = bed.connect(13);
    bed.place(gone, Team::Blue);
    bed.pass(10.0).await;
    bed.hurt(busy, players[0]);
    bed.hurt(players[0], gone);
    bed.leave(gone);
    bed.pass(30.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), [json!([1]), json!([3])]);
    let blue = entries(&report, "team_b");
    let late = [
        json!([12, "at_start=false", "seconds=40"]),
        json!([13, "at_start=false", "seconds=10"]),
    ];
    assert_eq!(
        blue,
        [json!([2]), json!([4]), late[0].clone(), late[1].clone()]
    );
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
        [json!([1, "participated=false"]), json!([3]), json!([5])]
    );
    let moved = json!([1, "at_start=false", "seconds=40"]);
    assert_eq!(
        entries(&report, "team_b"),
        [json!([2]), json!([4]), json!([6]), moved]
    );
}

async fn who_comes_back_is_one_player(app: &App) {
    let (mut bed, players) = before_the_doors(app, 4).await;
    bed.open_doors();
    bed.fight();
    bed.pass(20.0).await;
    bed.leave(players[0]);
    bed.pass(5.0).await;
    let back = bed.connect(1);
    bed.place(back, Team::Red);
    bed.pass(20.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), [json!([1]), json!([3])]);
}

async fn bots_spectators_and_unknown_players_are_never_rated(app: &App) {
    let (mut bed, players) = before_the_doors(app, 4).await;
    let unknown = bed.connect_unknown(50);
    bed.place(unknown, Team::Red);
    let watcher = bed.connect(51);
    bed.place(watcher, Team::Spectator);
    bed.open_doors();
    let bot = bed.connect_bot();
    bed.place(bot, Team::Blue);
    bed.hurt(bot, players[0]);
    bed.hurt(unknown, players[1]);
    bed.pass(60.0).await;
    let report = end(&mut bed).await;
    assert_eq!(entries(&report, "team_a"), [json!([1]), json!([3])]);
    assert_eq!(entries(&report, "team_b"), [json!([2]), json!([4])]);
    bed.begin_round();
    bed.open_doors();
    bed.authorize(unknown);
    bed.hurt(unknown, players[1]);
    bed.pass(60.0).await;
    assert!(
        reports(&bed).len() == 1,
        "a round that began with bots was reported"
    );
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

async fn a_healer_takes_part_and_a_fall_does_not(app: &App) {
    let (mut bed, players) = before_the_doors(app, 6).await;
    bed.open_doors();
    bed.heal(players[0], players[2]);
    bed.hurt(players[4], players[4]);
    bed.pass(30.0).await;
    bed.leave(players[0]);
    bed.leave(players[2]);
    bed.leave(players[4]);
    let filler = bed.connect(20);
    bed.place(filler, Team::Red);
    bed.pass(30.0).await;
    let report = end(&mut bed).await;
    let red = [
        json!([1, "seconds=30"]),
        json!([3, "participated=false"]),
        json!([5, "participated=false"]),
    ];
    assert_eq!(entries(&report, "team_a"), red);
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
    let back = bed.connect(3);
    bed.place(back, Team::Blue);
    bed.place(back, Team::Red);
    bed.pass(20.0).await;
    let report = end(&mut bed).await;
    assert_eq!(
        entries(&report, "team_a"),
        [json!([1]), json!([3]), json!([5])]
    );
    assert_eq!(
        entries(&report, "team_b"),
        [json!([2]), json!([4]), json!([6])]
    );
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
