//! Advantages of a team besides its players: the side on a map for which the pool has an advantage, and bots by level.

use reqwest::Method;
use serde_json::{Value, json};

use super::{assert_refused, id, ids, posted, round, set_in_arena, void, with};
use crate::support::{App, refused};

on_both_databases!(
    odds_and_gains_of_a_round_count_the_advantage_and_the_bots,
    bots_are_a_part_of_the_round,
    bots_of_a_level_without_a_rating_are_refused_with_the_setting,
    a_split_makes_up_for_the_map_and_the_bots,
    matches_of_a_queue_make_up_for_the_map_and_the_bots,
    bots_count_by_level_in_odds_and_where_they_fill_by_ratings,
    levels_are_refused_where_the_policy_goes_by_something_else,
);

/// Formula F1 in the pool `arena`, whose theta is 1000.
fn odds(lead: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(lead) / 1000.0).exp())
}

fn assert_odds(found: &Value, lead: i32) {
    let found = found.as_f64().expect("odds");
    let expected = odds(lead);
    assert!(
        (found - expected).abs() < 1e-12,
        "{found}, and not {expected}"
    );
}

async fn odds_and_gains_of_a_round_count_the_advantage_and_the_bots(app: &App) {
    let plain = round("arena-1", "plain", "a", &[1, 2], &[3, 4]);
    let uphill = with(
        round("arena-1", "uphill", "a", &[5, 6], &[7, 8]),
        json!({"map": "uphill"}),
    );
    let bots = json!({"a": {"expert": 1}, "b": {"easy": 2, "expert": 1}});
    let bots = with(
        round("arena-1", "bots", "a", &[11, 12], &[13, 14]),
        json!({"map": "uphill", "bots": bots}),
    );
    let mut gains = Vec::new();
    for (round, lead) in [(plain, 0), (uphill, -350), (bots, -350 - 1200)] {
        let answer = app.counted(&round).await;
        assert_odds(&answer["win_probability"]["a"], lead);
        let players = answer["players"].as_array().expect("players");
        assert_eq!(players.len(), 4, "bots are rated by nobody: {answer}");
        gains.push(answer["players"][0]["delta"].as_i64().expect("points"));
    }
    assert!(gains.is_sorted() && gains[0] < gains[2], "{gains:?}");
}

async fn bots_are_a_part_of_the_round(app: &App) {
    let sent = json!({"bots": {"a": {"expert": 2, "easy": 0}, "b": null}});
    let played = with(round("arena-1", "1", "b", &[1], &[2]), sent);
    let first = app.counted(&played).await;
    let again = app.counted(&played).await;
    assert_eq!(again["duplicate"], true);
    assert_eq!(first["win_probability"], again["win_probability"]);
    let other = with(played, json!({"bots": {"a": {"expert": 1}}}));
    let request = app.request(Method::POST, "/v1/update").json(&other);
    let (_, problem) = refused(request, 409).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains("bots"), "{detail}");
    let round = app.get("/v1/admin/rounds/arena-1/1").await;
    assert_eq!(round["bots"], json!({"a": {"expert": 2}, "b": {}}));
    let listed = app.get("/v1/admin/rounds?pool=arena").await;
    assert_eq!(listed["rounds"][0]["bots"], round["bots"]);
    void(app, "arena-1/1").await;
}

async fn bots_of_a_level_without_a_rating_are_refused_with_the_setting(app: &App) {
    let (unknown, many) = (json!({"a": {"master": 1}}), json!({"a": {"easy": 33}}));
    let (easy, setting) = (json!({"b": {"easy": 1}}), "[pools.default.bots]");
    for (server, bots, field, says) in [
        ("arena-1", unknown, "/bots/a/master", "has easy, expert"),
        ("s", easy, "/bots/b/easy", setting),
        ("arena-1", many, "/bots/a", "has 33 bots"),
        ("arena-1", json!({"a": {"easy": -1}}), "/bots/a/easy", ""),
        ("arena-1", json!({"c": {}}), "/bots/c", ""),
    ] {
        let sent = with(round(server, "1", "a", &[1], &[2]), json!({"bots": bots}));
        assert_refused(app, "/v1/update", &sent, field, says).await;
    }
    let lobby = json!({"server": "s", "players": ids(1..5), "bots": {"a": {"easy": 1}}});
    assert_refused(app, "/v1/scramble", &lobby, "/bots/a/easy", "").await;
    let server = json!({"name": "s", "sizes": [3], "bots": {"a": {"new": 1}}});
    let queue = json!({"pool": "arena", "tickets": [], "servers": [server]});
    assert_refused(app, "/v1/match", &queue, "/servers/0/bots/a/new", "").await;
}

async fn rate_six(app: &App) {
    for (n, rating) in (1..).zip([1900, 1610, 1300, 1040, 820, 450]) {
        set_in_arena(app, n, rating).await;
    }
}

fn lead(split: &Value) -> i32 {
    let sum = |name: &str| i32::try_from(split[name].as_i64().expect("a sum")).expect("small");
    sum("sum_a") - sum("sum_b")
}

async fn a_split_makes_up_for_the_map_and_the_bots(app: &App) {
    rate_six(app).await;
    let lobby = json!({"server": "arena-1", "players": ids(1..7), "sizes": [3]});
    // The last number is the smallest distance from even of all divisions of the six.
    for (number, (more, ahead, least)) in (0..).zip([
        (json!({}), 0, 180),
        (json!({"map": "uphill"}), -350, 10),
        (json!({"bots": {"a": {"expert": 1}}}), 1400, 40),
        (
            json!({"map": "uphill", "bots": {"b": {"easy": 2}}}),
            -1550,
            10,
        ),
    ]) {
        let table = posted(app, "/v1/scramble", &with(lobby.clone(), more.clone())).await;
        let split = &table["splits"][0];
        let lead = lead(split) + ahead;
        assert_odds(&split["win_probability_a"], lead);
        assert_eq!(
            (lead.abs(), &split["difference"]),
            (least, &json!(least)),
            "{more}"
        );
        let played = with(
            json!({
                "round_id": format!("split-{number}"), "server": "arena-1", "winner": "draw",
                "team_a": split["a"], "team_b": split["b"],
            }),
            more,
        );
        let fresh = app.counted(&played).await;
        assert_eq!(fresh["win_probability"]["a"], split["win_probability_a"]);
        rate_six(app).await;
    }
}

async fn matches_of_a_queue_make_up_for_the_map_and_the_bots(app: &App) {
    rate_six(app).await;
    let tickets = (1..7)
        .map(|n| json!({"id": n.to_string(), "players": [id(n)], "since": "2026-11-20T11:00:00Z"}));
    let tickets: Vec<Value> = tickets.collect();
    for (more, ahead, least) in [
        (json!({}), 0, 180),
        (
            json!({"map": "uphill", "bots": {"b": {"easy": 1}}}),
            -950,
            30,
        ),
    ] {
        let server = with(json!({"name": "arena-1", "sizes": [3]}), more);
        let body = json!({"pool": "arena", "now": "2026-11-20T12:00:00Z", "tickets": tickets, "servers": [server]});
        let made = &posted(app, "/v1/match", &body).await["matches"][0];
        let lead = lead(made) + ahead;
        assert_eq!(lead.abs(), least, "{made}");
        assert_odds(&made["win_probability_a"], lead);
    }
}

async fn bots_count_by_level_in_odds_and_where_they_fill_by_ratings(app: &App) {
    let teams = json!({
        "server": "arena-1", "policy": "synelo", "team_a": ids(1..3), "team_b": ids(3..5),
    });
    let ask = async |more: Value| posted(app, "/v1/balance", &with(teams.clone(), more)).await;
    let bots = json!({"levels_a": ["expert"], "levels_b": ["easy", "easy", "expert"]});
    let before = &ask(json!({"bots": bots})).await["before"];
    assert_eq!(
        json!([before["sum_a"], before["difference"], before["bots_b"]]),
        json!([2000.0, 1200.0, 3])
    );
    assert_odds(&before["win_probability_a"], -1200);
    let uphill = &ask(json!({"map": "uphill"})).await["before"];
    assert_odds(&uphill["win_probability_a"], -350);
    let filled = json!({"policy": "filled", "bots": {"levels_a": ["expert"], "levels_b": [], "level": "easy"}});
    let answer = ask(filled.clone()).await;
    assert_odds(&answer["before"]["win_probability_a"], 1400);
    let (fill, after) = (&answer["fill"], &answer["after"]);
    assert_eq!(fill["bots_a"], 2);
    assert_eq!(fill["bot_weight"], 600.0);
    assert_eq!(after["sum_a"], 4000.0);
    assert_eq!(after["sum_b"], 3200.0);
    assert_odds(&after["win_probability_a"], 800);
    let joining = with(with(teams, filled), json!({"joining": [id(9)]}));
    let answer = posted(app, "/v1/place", &joining).await;
    assert_eq!(answer["placed"][0]["team"], "b", "{answer}");
    let several = json!({
        "server": "arena-1", "policy": "filled", "teams": [ids(1..3), ids(3..4), []],
        "bots": {"teams": [0, 0, 1], "level": "expert"},
    });
    let answer = posted(app, "/v1/balance", &several).await;
    assert_eq!(answer["fill"]["bot_weight"], 1400.0, "{answer}");
}

async fn levels_are_refused_where_the_policy_goes_by_something_else(app: &App) {
    let teams = json!({"server": "arena-1", "team_a": ids(1..3), "team_b": ids(3..5)});
    let (levels, level) = (json!({"levels_a": ["easy"]}), json!({"level": "easy"}));
    let unrated = json!({"levels_b": ["easy", "new"]});
    let (twice, weigh) = (
        with(level.clone(), json!({"weight": 5})),
        "weigh = \"rating\"",
    );
    for (policy, bots, field, remedy) in [
        ("arena-only", levels, "/bots/levels_a", weigh),
        ("arena-only", level, "/bots/level", "weights_a"),
        ("filled", unrated, "/bots/levels_b/1", "[pools.arena.bots]"),
        ("filled", twice, "/bots/level", "leave one of them out"),
    ] {
        let body = with(teams.clone(), json!({"policy": policy, "bots": bots}));
        assert_refused(app, "/v1/balance", &body, field, remedy).await;
        let body = with(body, json!({"joining": [id(9)]}));
        assert_refused(app, "/v1/place", &body, field, remedy).await;
    }
}
