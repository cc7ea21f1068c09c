//! Games other than Team Fortress 2: the plugin that only rates, and who refuses to load where.

use super::{account, counted, reports, waiting};
use crate::plugin::bed::{Bed, Trouble, Win};
use crate::support::App;
use serde_json::json;
use sourcemod_bed::game::{Engine, Mode, Team};

same_on_both_databases![
    a_round_of_counter_strike_is_rated,
    warm_ups_and_restarts_are_not_rated_and_draws_are,
    a_round_of_day_of_defeat_is_rated,
    the_reporter_loses_no_round,
    the_reporter_answers_commands_and_moves_nobody,
    each_build_loads_only_in_its_games,
    team_fortress_2_classic_loads_the_whole_plugin,
];

async fn server(app: &App, engine: Engine) -> (Bed, Vec<i32>) {
    let mut bed = Bed::start_reporter(app, engine).await;
    let players = bed.fill(1, 6);
    bed.pass(2.0).await;
    (bed, players)
}

async fn play(bed: &mut Bed, winner: Team) {
    bed.begin_counter_strike().await;
    bed.fight();
    bed.pass(60.0).await;
    bed.end_counter_strike(winner);
    bed.pass(5.0).await;
}

async fn a_round_of_counter_strike_is_rated(app: &App) {
    let (mut bed, players) = server(app, Engine::CounterStrike).await;
    bed.begin_counter_strike().await;
    bed.fight();
    bed.kill_by(players[1], players[0], None);
    bed.kill_by(players[1], players[3], None);
    bed.client_mut(players[1]).score += 1;
    bed.pass(60.0).await;
    let late = bed.connect_to_team(11, Team::Red);
    bed.hurt(late, players[1]);
    bed.pass(30.0).await;
    bed.leave(players[2]);
    bed.end_counter_strike(Team::Blue);
    bed.pass(2.0).await;
    let report = reports(&bed).pop().expect("a report");
    let round = ["winner", "mode", "map", "round_seconds"].map(|key| &report[key]);
    assert_eq!(json!(round), json!(["b", "de", "de_dust2", 90]));
    let red = report["team_a"].as_array().expect("a team");
    let red: Vec<u64> = red.iter().map(|entry| account(&entry["id"])).collect();
    assert_eq!(red, [1, 3, 5, 11]);
    assert_eq!(report["team_a"][1]["seconds"], 90);
    assert_eq!(report["team_a"][3]["at_start"], false);
    let killer = &report["team_b"][0]["stats"];
    let expected = json!({"score": 1, "kills": 1, "deaths": 0});
    assert_eq!(killer, &expected, "team mates do not count");
    assert_eq!(counted(app, "arena-1").await.len(), 1);
}

async fn warm_ups_and_restarts_are_not_rated_and_draws_are(app: &App) {
    let mut bed = Bed::start_reporter(app, Engine::CounterStrike).await;
    bed.connect_to_team(1, Team::Red);
    bed.begin_counter_strike().await;
    bed.connect_to_team(2, Team::Blue);
    bed.fight();
    bed.end_counter_strike(Team::None);
    bed.pass(2.0).await;
    let count = reports(&bed).len();
    assert_eq!(count, 0, "the game begins when both teams have players");
    bed.begin_counter_strike().await;
    bed.fight();
    bed.pass(20.0).await;
    play(&mut bed, Team::Red).await;
    let all = reports(&bed);
    assert_eq!(all.len(), 1, "a round without an end is forgotten");
    assert_eq!(all[0]["round_seconds"], 60);
    play(&mut bed, Team::None).await;
    assert_eq!(reports(&bed)[1]["winner"], "draw");
    bed.end_counter_strike(Team::Red);
    bed.pass(2.0).await;
    let counts = counted(app, "arena-1").await.len();
    assert_eq!(counts, 2, "nothing is live between rounds");
    let bot = bed.connect_bot();
    bed.place(bot, Team::Blue);
    play(&mut bed, Team::Red).await;
    assert_eq!(counted(app, "arena-1").await.len(), 2, "there was a bot");
}

async fn a_round_of_day_of_defeat_is_rated(app: &App) {
    let (mut bed, _) = server(app, Engine::DayOfDefeat).await;
    bed.fire("dod_round_start", &[]);
    bed.pass(5.0).await;
    bed.fire("dod_round_active", &[]);
    bed.fight();
    bed.pass(100.0).await;
    bed.fire("dod_round_win", &[("team", 2.into())]);
    bed.pass(2.0).await;
    let report = reports(&bed).pop().expect("a report");
    assert_eq!(report["winner"], "a");
    assert_eq!(report["round_seconds"], 100);
    assert_eq!(counted(app, "arena-1").await.len(), 1);
}

async fn the_reporter_loses_no_round(app: &App) {
    let (mut bed, _) = server(app, Engine::CounterStrike).await;
    bed.trouble(Trouble::Away);
    play(&mut bed, Team::Red).await;
    bed.begin_counter_strike().await;
    bed.fight();
    bed.pass(60.0).await;
    bed.end_counter_strike(Team::Blue);
    let waiting = waiting(&bed);
    assert_eq!(waiting.len(), 2);
    bed.crash().await;
    bed.trouble(Trouble::None);
    bed.fill(1, 6);
    bed.pass(65.0).await;
    assert_eq!(counted(app, "arena-1").await, waiting);
    play(&mut bed, Team::Red).await;
    bed.reload().await;
    play(&mut bed, Team::Red).await;
    assert_eq!(counted(app, "arena-1").await.len(), 4);
}

async fn the_reporter_answers_commands_and_moves_nobody(app: &App) {
    let (mut bed, players) = server(app, Engine::CounterStrike).await;
    for _ in 0..3 {
        play(&mut bed, Team::Red).await;
    }
    let mut commands = bed.commands();
    commands.sort();
    let expected = [
        "sm_rank",
        "sm_rating",
        "sm_rbs",
        "sm_rbs_check",
        "sm_rbs_flush",
        "sm_rbs_rating",
        "sm_rbs_void",
        "sm_top",
    ];
    assert_eq!(commands, expected);
    bed.heard(players[0]);
    bed.say(players[0], "!rating");
    let heard = bed.heard(players[0]).join("\n");
    assert!(heard.contains("player1: rating"), "{heard}");
    bed.console("sm_rbs_check");
    bed.settle().await;
    let printed = bed.plugin().host.console.printed.join("\n");
    let correct = "Everything is set up correctly";
    assert!(printed.contains(correct), "{printed}");
    assert!(bed.console("sm_rbs").join("\n").contains("arena-1"));
    for command in ["sm_rbs_flush", "sm_rbs_rating player1"] {
        assert!(!bed.console(command).is_empty(), "{command} says nothing");
    }
    bed.console("sm_rbs_void a test");
    bed.settle().await;
    let last = bed.plugin().host.console.printed.last().cloned();
    assert!(last.is_some_and(|line| line.contains("counts")));
    assert_eq!(bed.moved_more_than(0), [0; 0]);
}

async fn each_build_loads_only_in_its_games(_app: &App) {
    for engine in [Engine::TeamFortress, Engine::Classic] {
        let refusal = Bed::with_reporter(engine).refusal();
        assert!(refusal.is_some_and(|why| why.contains("use rbs.smx")));
    }
    for engine in [Engine::CounterStrike, Engine::DayOfDefeat] {
        assert_eq!(Bed::with_reporter(engine).refusal(), None);
        let refusal = Bed::of_game(engine).refusal();
        assert!(refusal.is_some_and(|why| why.contains("use rbs-reporter.smx")));
    }
    assert_eq!(Bed::of_game(Engine::TeamFortress).refusal(), None);
}

async fn team_fortress_2_classic_loads_the_whole_plugin(app: &App) {
    let mut bed = Bed::of_game(Engine::Classic);
    bed.lacks("TF2_RespawnPlayer");
    let refusal = bed.refusal().expect("a refusal");
    for part in ["TF2_RespawnPlayer is missing", "tf2c.smx"] {
        assert!(refusal.contains(part), "{refusal}");
    }
    let mut bed = Bed::of_game(Engine::Classic);
    bed.connect_to(app);
    bed.set_up("arena-1");
    bed.load().await;
    bed.fill(1, 6);
    bed.pass(2.0).await;
    bed.play(Win::of(Team::Red), 30.0).await;
    assert_eq!(counted(app, "arena-1").await.len(), 1);
    bed.change_map(Mode::Koth).await;
}
