//! Scoreboards in the reports of rounds, and powers that the service computes from them.

use reqwest::Method;
use serde_json::{Value, json};

use super::{QUEUE, account, counted, names, reports, waiting};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::{App, send};
use sourcemod_bed::game::{Mode, Team};

same_on_both_databases![
    rounds_carry_the_scoreboard_of_each_account,
    damage_and_healing_are_sent_if_the_operator_wants_them,
    a_crash_before_the_last_points_are_known_loses_no_round,
    a_waiting_round_is_not_sent_with_two_contents,
    a_round_with_as_many_players_as_the_service_takes_fits,
    the_service_computes_powers_from_what_the_plugin_sends,
    rounds_that_wait_since_before_an_update_are_sent,
];

/// A live koth round in which the plugin moves nobody.
async fn live(app: &App, count: u32) -> (Bed, Vec<i32>) {
    live_on("arena-1", app, count).await
}

async fn live_on(server: &str, app: &App, count: u32) -> (Bed, Vec<i32>) {
    let mut bed = Bed::start_as(server, app, Mode::Koth).await;
    for convar in ["rbs_balance", "rbs_place", "rbs_scramble"] {
        bed.set(convar, "0");
    }
    let players = bed.fill(1, count);
    bed.pass(2.0).await;
    bed.begin_live_round().await;
    bed.pass(1.0).await;
    (bed, players)
}

fn score(bed: &mut Bed, player: i32, points: i32) {
    bed.client_mut(player).score += points;
}

/// Scoreboards of a team by account, in the order of the report.
fn boards(report: &Value, team: &str) -> Vec<(u64, Value)> {
    let entries = report[team].as_array().expect("a team").iter();
    entries
        .map(|entry| (account(&entry["id"]), entry["stats"].clone()))
        .collect()
}

fn board(score: i32, kills: i32, deaths: i32, assists: i32) -> Value {
    json!({"score": score, "kills": kills, "deaths": deaths, "assists": assists})
}

async fn rounds_carry_the_scoreboard_of_each_account(app: &App) {
    let (mut bed, all) = live(app, 6).await;
    bed.kill_by(all[0], all[1], Some(all[2]));
    score(&mut bed, all[0], 2);
    bed.kill_by(all[1], all[4], None);
    bed.kill(all[3]);
    let feigned = [
        ("userid", bed.client(all[5]).user_id.into()),
        ("attacker", bed.client(all[0]).user_id.into()),
        ("death_flags", 32.into()),
    ];
    bed.fire("player_death", &feigned);
    bed.pass(5.0).await;
    bed.leave(all[0]);
    bed.place(all[3], Team::Red);
    bed.pass(5.0).await;
    let back = bed.connect_to_team(1, Team::Red);
    bed.pass(5.0).await;
    bed.kill_by(back, all[5], None);
    score(&mut bed, back, 3);
    bed.kill_by(all[3], all[5], Some(back));
    score(&mut bed, all[3], 1);
    bed.end_round(Win::of(Team::Red));
    bed.kill_by(back, all[5], None);
    bed.pass(2.0).await;
    let report = reports(&bed).pop().expect("a report");
    assert_eq!(report["mode"], "koth");
    let red = [
        (1, board(5, 2, 0, 1)),
        (3, board(0, 0, 0, 1)),
        (5, board(0, 0, 1, 0)),
        (4, board(1, 1, 0, 0)),
    ];
    assert_eq!(boards(&report, "team_a"), red);
    let blue = [
        (2, board(0, 1, 1, 0)),
        (4, Value::Null),
        (6, board(0, 0, 2, 0)),
    ];
    let boards_of_blue = boards(&report, "team_b");
    assert_eq!(boards_of_blue, blue, "the whole round is on one team");
    assert_eq!(counted(app, "arena-1").await.len(), 1);

    bed.begin_round();
    bed.open_doors();
    bed.pass(5.0).await;
    score(&mut bed, back, 4);
    bed.end_round(Win::of(Team::Red));
    bed.pass(2.0).await;
    let report = reports(&bed).pop().expect("a report");
    let of_this_round = (1, board(4, 0, 0, 0));
    assert_eq!(boards(&report, "team_a")[0], of_this_round);

    bed.set("rbs_stats", "0");
    bed.play(Win::of(Team::Red), 20.0).await;
    let report = reports(&bed).pop().expect("a report");
    assert_eq!(report["team_a"][0], bed.client(back).steam64(), "{report}");
}

async fn damage_and_healing_are_sent_if_the_operator_wants_them(app: &App) {
    let (mut bed, players) = live(app, 4).await;
    bed.set("rbs_stats", "2");
    bed.hurt(players[0], players[1]);
    bed.hurt(players[0], players[0]);
    bed.heal(players[2], players[0]);
    bed.heal(players[2], players[2]);
    bed.end_round(Win::of(Team::Red));
    bed.pass(2.0).await;
    let report = reports(&bed).pop().expect("a report");
    for (place, damage, healing) in [(0, 45, 0), (1, 0, 20)] {
        let stats = &report["team_a"][place]["stats"];
        let found = json!([stats["damage"], stats["healing"]]);
        assert_eq!(found, json!([damage, healing]), "{place}");
    }
    let counts = counted(app, "arena-1").await.len();
    assert_eq!(counts, 1, "the pool declares both");
}

async fn a_crash_before_the_last_points_are_known_loses_no_round(app: &App) {
    let (mut bed, players) = live(app, 4).await;
    score(&mut bed, players[0], 2);
    bed.pass(5.0).await;
    score(&mut bed, players[0], 3);
    bed.end_round(Win::of(Team::Red));
    let waiting = waiting(&bed);
    assert_eq!(waiting.len(), 1, "the round is in the file at once");
    bed.crash().await;
    bed.fill(1, 4);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await, waiting);
    let report = reports(&bed).pop().expect("a report");
    let shown = &report["team_a"][0]["stats"]["score"];
    assert_eq!(shown, 2, "the points that were shown");
}

async fn a_waiting_round_is_not_sent_with_two_contents(app: &App) {
    let (mut bed, players) = live(app, 4).await;
    bed.trouble(Trouble::Away);
    bed.play(Win::of(Team::Red), 20.0).await;
    bed.begin_round();
    bed.open_doors();
    bed.pass(60.0).await;
    bed.trouble(Trouble::None);
    score(&mut bed, players[0], 3);
    bed.end_round(Win::of(Team::Red));
    bed.console("sm_rbs_flush");
    bed.pass(5.0).await;
    let waiting = waiting(&bed);
    assert!(waiting.is_empty(), "{waiting:?} wait");
    assert!(names(&bed, "refused.arena-1.jsonl").is_empty());
    assert_eq!(counted(app, "arena-1").await.len(), 2);
    let report = reports(&bed).pop().expect("a report");
    assert_eq!(report["team_a"][0]["stats"]["score"], 3);
}

async fn a_round_with_as_many_players_as_the_service_takes_fits(app: &App) {
    let (mut bed, players) = live(app, 32).await;
    bed.set("rbs_stats", "2");
    bed.trouble(Trouble::Away);
    let mut there = players;
    for wave in 0..3 {
        for (place, player) in there.clone().into_iter().enumerate() {
            bed.hurt(player, there[(place + 1) % there.len()]);
            bed.heal(player, there[(place + 2) % there.len()]);
            score(&mut bed, player, 1234);
        }
        bed.pass(5.0).await;
        for player in there {
            bed.leave(player);
        }
        bed.connect(5000 + wave);
        there = bed.fill(1000 * (wave + 1), 32);
        bed.fight();
        bed.pass(60.0).await;
    }
    bed.end_round(Win::of(Team::Red));
    bed.pass(2.0).await;
    let line = bed.file(QUEUE);
    let report: Value = serde_json::from_str(&line).expect("one whole round");
    let count = |team: &str| report[team].as_array().expect("a team").len();
    assert_eq!((count("team_a"), count("team_b")), (64, 64));
    assert!(line.len() > 16_384, "{} bytes", line.len());
    bed.crash().await;
    bed.trouble(Trouble::None);
    bed.connect(1);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 1);
}

async fn the_service_computes_powers_from_what_the_plugin_sends(app: &App) {
    let (mut bed, players) = live_on("pub-1", app, 4).await;
    for (place, player) in players.iter().enumerate() {
        let points = 10 * i32::try_from(place).expect("a place");
        score(&mut bed, *player, points);
    }
    bed.kill_by(players[3], players[0], None);
    bed.end_round(Win::of(Team::Blue));
    bed.pass(2.0).await;
    let ids: Vec<String> = players
        .iter()
        .map(|player| bed.client(*player).steam64())
        .collect();
    let body = json!({
        "server": "pub-1", "by": "pub-power", "mode": "koth",
        "team_a": [ids[0], ids[1]], "team_b": [ids[2], ids[3]],
    });
    let (status, answer) = send(app.request(Method::POST, "/v1/balance").json(&body)).await;
    assert!(status.is_success(), "{answer}");
    assert_eq!(answer["by"], "pub-power");
    let powers = answer["powers"].as_array().expect("powers");
    for power in powers {
        assert_eq!(power["from"], "games", "{answer}");
    }
    let figures = powers.iter().map(|power| power["power"].as_f64());
    assert!(figures.is_sorted_by(|less, more| less < more), "{answer}");
    let path = format!("/v1/admin/players/{}/powers", ids[3]);
    let shown = app.get(&path).await;
    assert!(shown.to_string().contains("\"kills\":1"), "{shown}");
}

async fn rounds_that_wait_since_before_an_update_are_sent(app: &App) {
    let mut bed = Bed::without_plugin(Mode::Koth);
    bed.connect_to(app);
    bed.set_up("arena-1");
    let ended_at = bed.plugin().host.game.unix_time();
    let line = json!({
        "round_id": "old", "server": "arena-1", "map": "koth_viaduct", "ended_at": ended_at,
        "winner": "a", "round_seconds": 90, "team_a": ["76561197960265729"],
        "team_b": ["76561197960265730", {"id": "76561197960265731", "at_start": false, "seconds": 9}],
    });
    bed.write_file(QUEUE, &format!("{line}\n"));
    bed.load().await;
    bed.connect(1);
    bed.pass(5.0).await;
    assert_eq!(counted(app, "arena-1").await, ["old"]);
}
