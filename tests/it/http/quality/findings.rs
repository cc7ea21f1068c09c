//! Findings beside the predictions: doubled rounds, clocks, one-sided rounds, and refusals after a restart.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{id, round, set_clock, set_in_arena, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, answered, refused, settings_from};

on_both_databases!(
    rounds_that_come_twice_are_named_and_voided_at_once,
    a_clock_that_is_behind_is_named,
    rounds_after_a_scramble_are_compared_with_others,
    uneven_rounds_players_of_a_week_and_waits_are_counted,
    refusals_survive_a_restart,
    probes_are_drawn_if_the_setting_says_so,
);

async fn rounds_that_come_twice_are_named_and_voided_at_once(app: &App) {
    for number in 0..4 {
        let minute = 10 + 5 * number;
        for (copy, second) in [("", 0), ("-again", 1)] {
            let sent = round("arena-1", &format!("{number}{copy}"), "a", &[1, 2], &[3, 4]);
            let ended_at = format!("2026-11-20T11:{minute}:0{second}Z");
            let sent = with(sent, json!({"map": "arena_well", "ended_at": ended_at}));
            app.counted(&sent).await;
        }
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(quality["rounds"], 8);
    let copies = quality["copies"].as_array().expect("a list").iter();
    let copies: Vec<Value> = copies
        .map(|copies| json!([copies["server"], copies["rounds"]]))
        .collect();
    assert_eq!(copies, [json!(["arena-1", 4])]);
    let pairs = &quality["by_map_and_server"][0];
    assert_eq!(pairs["rounds"], 4, "copies are no evidence");
    let void = |dry_run: bool| {
        app.admin(Method::POST, "/v1/admin/rounds/void").json(&json!({
            "server": "arena-1", "since": "2026-11-20T00:00:00Z", "copies": true, "reason": "sent twice",
            "dry_run": dry_run,
        }))
    };
    for dry_run in [true, false] {
        assert_eq!(answered(void(dry_run)).await["rounds"], 4);
    }
    for number in 0..4 {
        let path = format!("/v1/admin/rounds/arena-1/{number}");
        assert_eq!(app.get(&path).await["void"], Value::Null);
        let copy = app.get(&format!("{path}-again")).await;
        assert_eq!(copy["void"]["reason"], "sent twice");
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(quality["rounds"], 4);
    assert_eq!(quality["copies"], json!([]));
}

async fn a_clock_that_is_behind_is_named(app: &App) {
    for (server, hours_behind, named) in [("late", 2, true), ("right", 0, false)] {
        for number in 0..10 {
            let received = format!("2026-11-20T14:{}:00Z", 10 + 4 * number);
            let ended_at = format!("2026-11-20T{}:{}:00Z", 14 - hours_behind, 10 + 4 * number);
            set_clock(app, &received);
            let sent = round(server, &number.to_string(), "a", &[1, 2], &[3, 4]);
            app.counted(&with(sent, json!({"ended_at": ended_at})))
                .await;
        }
        let quality = app.get("/v1/admin/quality").await;
        let clocks = quality["clocks"].as_array().expect("a list");
        let of_server = clocks.iter().find(|clock| clock["server"] == server);
        assert_eq!(of_server.is_some(), named, "{clocks:?}");
        if let Some(clock) = of_server {
            assert_eq!(clock["behind_seconds"], 7200);
            let warnings = quality["warnings"].as_array().expect("a list");
            assert!(warnings.contains(&clock["message"]), "{warnings:?}");
        }
    }
}

async fn rounds_after_a_scramble_are_compared_with_others(app: &App) {
    let players = [1, 2, 3, 4, 5, 6].map(id);
    let lobby = json!({"server": "arena-1", "players": players});
    let table = answered(app.request(Method::POST, "/v1/scramble").json(&lobby)).await;
    let splits = table["splits"].as_array().expect("splits");
    let split = splits.last().expect("a split of all");
    let with_score = |ids: &Value, score: u32| -> Vec<Value> {
        let ids = ids.as_array().expect("ids").iter();
        ids.map(|id| json!({"id": id, "stats": {"score": score}}))
            .collect()
    };
    let others = [json!(&players[..3]), json!(&players[3..])];
    for (round_id, winners, losers, scores) in [
        ("1", &split["b"], &split["a"], [10, 9]),
        ("2", &others[0], &others[1], [20, 5]),
    ] {
        let round = json!({
            "round_id": round_id, "server": "arena-1", "winner": "a",
            "team_a": with_score(winners, scores[0]), "team_b": with_score(losers, scores[1]),
        });
        app.counted(&round).await;
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let measure = &quality["one_sided"]["by_scoreboard"];
    let measure = ["scrambled", "others", "difference"].map(|key| measure[key].clone());
    let expected = [
        json!({"rounds": 1, "one_sided": 0, "share": 0.0}),
        json!({"rounds": 1, "one_sided": 1, "share": 1.0}),
        json!(-1.0),
    ];
    assert_eq!(measure, expected);
}

async fn uneven_rounds_players_of_a_week_and_waits_are_counted(app: &App) {
    // Theta is 1000: leads of 390, 410, 840 and 850 points are worth 59.6, 60.1, 69.8 and 70.1 %.
    for (number, rating, day) in [(1, 1390, 1), (2, 1410, 8), (3, 1840, 13), (4, 1850, 19)] {
        set_in_arena(app, number, rating).await;
        set_in_arena(app, 100 + number, 1000).await;
        let round_id = number.to_string();
        let sent = round("arena-1", &round_id, "a", &[number], &[100 + number]);
        let ended_at = format!("2026-11-{day:02}T11:00:00Z");
        app.counted(&with(sent, json!({"ended_at": ended_at})))
            .await;
    }
    let community = async || app.get("/v1/admin/quality?pool=arena").await["community"].clone();
    let expected = json!({"rounds": 4, "over_60": 0.75, "over_70": 0.25, "players_this_week": 2,
                          "players_last_week": 4, "turns": 0, "waited_rounds": null});
    assert_eq!(community().await, expected);

    // Five players share four places. The fifth waits for two rounds, and then has a turn.
    let players = [1, 2, 3, 4, 5].map(id);
    let lobby = json!({"server": "arena-1", "players": players, "sizes": [2], "waited": "auto"});
    for (number, waiting) in [(5, 5), (6, 5), (7, 1)] {
        app.clock.set(app.clock.now().later(Duration::from_mins(1)));
        answered(app.request(Method::POST, "/v1/scramble").json(&lobby)).await;
        app.clock.set(app.clock.now().later(Duration::from_mins(5)));
        let team: Vec<u64> = (1..=5).filter(|player| *player != waiting).collect();
        let (a, b) = team.split_at(2);
        app.counted(&round("arena-1", &number.to_string(), "a", a, b))
            .await;
    }
    let found = community().await;
    let found = ["turns", "waited_rounds", "players_this_week"].map(|key| &found[key]);
    assert_eq!(json!(found), json!([1, 2.0, 6]), "four more players");
}

async fn refusals_survive_a_restart(app: &App) {
    let instance = Instance::start(&app.settings, app.clock.clone()).await;
    let odd = round("arena-1", "1", "red", &[1], &[2]);
    for _ in 0..3 {
        let update = app.request_to(&instance.address, Method::POST, "/v1/update");
        refused(update.json(&odd), 422).await;
    }
    instance.stop().await;
    let again = Instance::start(&app.settings, app.clock.clone()).await;
    let ask = async |path: &str| {
        let request = app.bare_to(&again.address, Method::GET, path);
        answered(request.bearer_auth(ADMIN_SECRET)).await
    };
    let of_server = async |server: &str| {
        let path = format!("/v1/admin/refusals?server={server}");
        ask(&path).await["refusals"].clone()
    };
    let found = of_server("arena-1").await;
    assert_eq!(found[0]["count"], 3, "{found}");
    assert_eq!(found[0]["field"], "/winner");
    assert_eq!(of_server("arena-2").await, json!([]));
    let servers = ask("/v1/admin/servers").await;
    let server = &servers["servers"][0];
    assert_eq!(server["attention"], "refused");
    assert_eq!(server["refused_24_hours"], 3);
    // Refusals of the same kind go on in the same group.
    let update = app.request_to(&again.address, Method::POST, "/v1/update");
    refused(update.json(&odd), 422).await;
    assert_eq!(of_server("arena-1").await[0]["count"], 4);
    again.stop().await;
}

async fn probes_are_drawn_if_the_setting_says_so(app: &App) {
    let players = [1, 2, 3, 4, 5, 6, 7, 8].map(id);
    let lobby = json!({"server": "arena-1", "players": players});
    let table = answered(app.request(Method::POST, "/v1/scramble").json(&lobby)).await;
    assert_eq!(table["is_probe"], false);
    let secrets = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
    ];
    let database = app.settings.database.clone();
    let settings = settings_from(database, "splits.probe_share = 1.0", &secrets);
    let instance = Instance::start(&settings, app.clock.clone()).await;
    let request = app.request_to(&instance.address, Method::POST, "/v1/scramble");
    let table = answered(request.json(&lobby)).await;
    assert_eq!(table["is_probe"], true);
    let message = table["splits"][0]["message"].as_str().expect("a sentence");
    assert!(message.starts_with("teams drawn at random"), "{message}");
    instance.stop().await;
}
