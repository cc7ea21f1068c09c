//! Advantages of a team besides its players: the side on a map for which the pool has an advantage, and bots by level.

use reqwest::Method;
use serde_json::{Value, json};

use super::{id, ids, round, set_in_arena, void, with};
use crate::support::{App, fields, refused, send};

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
    for other in [json!({"a": {"expert": 1}}), json!(null)] {
        let other = with(played.clone(), json!({"bots": other}));
        let request = app.request(Method::POST, "/v1/update").json(&other);
        let (_, problem) = refused(request, 409).await;
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains("bots"), "{detail}");
    }
    let round = app.get("/v1/admin/rounds/arena-1/1").await;
    assert_eq!(round["bots"], json!({"a": {"expert": 2}, "b": {}}));
    let listed = app.get("/v1/admin/rounds?pool=arena").await;
    assert_eq!(listed["rounds"][0]["bots"], round["bots"]);
    void(app, "arena-1/1").await;
}

async fn bots_of_a_level_without_a_rating_are_refused_with_the_setting(app: &App) {
    let refusals = [
        (
            "arena-1",
            json!({"a": {"master": 1}}),
            "/bots/a/master",
            "which has easy, expert",
        ),
        (
            "s",
            json!({"b": {"easy": 1}}),
            "/bots/b/easy",
            "[pools.default.bots]",
        ),
        (
            "arena-1",
            json!({"a": {"easy": 20, "expert": 13}}),
            "/bots/a",
            "has 33 bots",
        ),
        ("arena-1", json!({"a": {"easy": -1}}), "/bots/a/easy", ""),
        ("arena-1", json!({"c": {}}), "/bots/c", ""),
    ];
    for (server, bots, field, expected) in refusals {
        let sent = with(round(server, "1", "a", &[1], &[2]), json!({"bots": bots}));
        let request = app.request(Method::POST, "/v1/update").json(&sent);
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), [field], "{problem}");
        assert!(problem.to_string().contains(expected), "{problem}");
    }
    let sent = json!({"server": "s", "players": ids(1..5), "bots": {"a": {"easy": 1}}});
    let request = app.request(Method::POST, "/v1/scramble").json(&sent);
    let (_, problem) = refused(request, 422).await;
    assert_eq!(fields(&problem), ["/bots/a/easy"]);
}

async fn rate_six(app: &App) -> [i32; 6] {
    let ratings = [1900, 1610, 1300, 1040, 820, 450];
    for (n, rating) in (1..).zip(ratings) {
        set_in_arena(app, n, rating).await;
    }
    ratings
}

/// Smallest distance from even of two teams of three, if team a leads by `ahead`.
fn nearest(ratings: [i32; 6], ahead: i32) -> i32 {
    let total: i32 = ratings.iter().sum();
    let teams = (0_u32..64).filter(|on_a| on_a.count_ones() == 3);
    let leads = teams.map(|on_a| {
        let on = ratings.iter().zip(0..);
        let on = on.filter(|(_, place)| on_a >> place & 1 == 1);
        2 * on.map(|(rating, _)| rating).sum::<i32>() - total + ahead
    });
    leads.map(i32::abs).min().expect("a way")
}

async fn a_split_makes_up_for_the_map_and_the_bots(app: &App) {
    let ratings = rate_six(app).await;
    let lobby = json!({"server": "arena-1", "players": ids(1..7), "sizes": [3]});
    for (number, (more, ahead)) in (0..).zip([
        (json!({}), 0),
        (json!({"map": "uphill"}), -350),
        (json!({"bots": {"a": {"expert": 1}}}), 1400),
        (json!({"map": "uphill", "bots": {"b": {"easy": 2}}}), -1550),
    ]) {
        let table = app.request(Method::POST, "/v1/scramble");
        let (_, table) = send(table.json(&with(lobby.clone(), more.clone()))).await;
        let split = &table["splits"][0];
        let sum = |name: &str| i32::try_from(split[name].as_i64().expect("a sum")).expect("small");
        let lead = sum("sum_a") - sum("sum_b") + ahead;
        assert_odds(&split["win_probability_a"], lead);
        // No other division of the six is nearer to even.
        let least = nearest(ratings, ahead);
        assert_eq!(
            (lead.abs(), split["difference"].as_i64()),
            (least, Some(i64::from(least))),
            "{more}"
        );
        let played = with(
            json!({
                "round_id": format!("split-{number}"), "server": "arena-1", "winner": "draw",
                "team_a": split["a"], "team_b": split["b"],
            }),
            more,
        );
        let expected = split["win_probability_a"].clone();
        let fresh = app.counted(&played).await;
        assert_eq!(fresh["win_probability"]["a"], expected);
        rate_six(app).await;
    }
}

async fn matches_of_a_queue_make_up_for_the_map_and_the_bots(app: &App) {
    let ratings = rate_six(app).await;
    let tickets = (1..7)
        .map(|n| json!({"id": n.to_string(), "players": [id(n)], "since": "2026-11-20T11:00:00Z"}));
    let tickets: Vec<Value> = tickets.collect();
    for (more, ahead) in [
        (json!({}), 0),
        (json!({"map": "uphill", "bots": {"b": {"easy": 1}}}), -950),
    ] {
        let server = with(json!({"name": "arena-1", "sizes": [3]}), more);
        let body = json!({"pool": "arena", "now": "2026-11-20T12:00:00Z", "tickets": tickets, "servers": [server]});
        let (status, answer) = send(app.request(Method::POST, "/v1/match").json(&body)).await;
        assert_eq!(status, 200, "{answer}");
        let made = &answer["matches"][0];
        let sum = |name: &str| i32::try_from(made[name].as_i64().expect("a sum")).expect("small");
        let lead = sum("sum_a") - sum("sum_b") + ahead;
        assert_eq!(lead.abs(), nearest(ratings, ahead), "{made}");
        assert_odds(&made["win_probability_a"], lead);
    }
    let server = json!({"name": "s", "sizes": [3], "bots": {"a": {"new": 1}}});
    let body = json!({"pool": "arena", "tickets": tickets, "servers": [server]});
    let (_, problem) = refused(app.request(Method::POST, "/v1/match").json(&body), 422).await;
    assert_eq!(fields(&problem), ["/servers/0/bots/a/new"]);
}

async fn bots_count_by_level_in_odds_and_where_they_fill_by_ratings(app: &App) {
    let teams = json!({
        "server": "arena-1", "policy": "synelo", "team_a": ids(1..3), "team_b": ids(3..5),
    });
    let ask = async |body: Value| {
        let (status, answer) = send(app.request(Method::POST, "/v1/balance").json(&body)).await;
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let bots = json!({"levels_a": ["expert"], "levels_b": ["easy", "easy", "expert"]});
    let answer = ask(with(teams.clone(), json!({"bots": bots}))).await;
    assert_eq!(answer["before"]["sum_a"], 2000.0, "{answer}");
    assert_eq!(answer["before"]["difference"], 1200.0, "{answer}");
    assert_eq!(answer["before"]["bots_b"], 3, "{answer}");
    assert_odds(&answer["before"]["win_probability_a"], -1200);
    let uphill = ask(with(teams.clone(), json!({"map": "uphill"}))).await;
    assert_odds(&uphill["before"]["win_probability_a"], -350);
    let filled = json!({"policy": "filled", "bots": {"levels_a": ["expert"], "levels_b": [], "level": "easy"}});
    let answer = ask(with(teams.clone(), filled.clone())).await;
    assert_eq!(answer["before"]["sum_a"], 3400.0, "{answer}");
    assert_odds(&answer["before"]["win_probability_a"], 1400);
    assert_eq!(answer["fill"]["bots_a"], 2, "{answer}");
    assert_eq!(answer["fill"]["bot_weight"], 600.0, "{answer}");
    assert_eq!(answer["after"]["sum_a"], 4000.0, "{answer}");
    assert_eq!(answer["after"]["sum_b"], 3200.0, "{answer}");
    assert_odds(&answer["after"]["win_probability_a"], 800);
    let joining = with(with(teams, filled), json!({"joining": [id(9)]}));
    let request = app.request(Method::POST, "/v1/place").json(&joining);
    let (status, answer) = send(request).await;
    assert_eq!(
        (status.as_u16(), &answer["placed"][0]["team"]),
        (200, &json!("b")),
        "{answer}"
    );
}

async fn levels_are_refused_where_the_policy_goes_by_something_else(app: &App) {
    let teams = json!({"server": "arena-1", "team_a": ids(1..3), "team_b": ids(3..5)});
    for (policy, bots, field, remedy) in [
        (
            "arena-only",
            json!({"levels_a": ["easy"]}),
            "/bots/levels_a",
            "weigh = \"rating\"",
        ),
        (
            "arena-only",
            json!({"level": "easy"}),
            "/bots/level",
            "weights_a",
        ),
        (
            "filled",
            json!({"levels_b": ["easy", "new"]}),
            "/bots/levels_b/1",
            "[pools.arena.bots]",
        ),
        (
            "filled",
            json!({"level": "easy", "weight": 5}),
            "/bots/level",
            "leave one of them out",
        ),
    ] {
        let body = with(teams.clone(), json!({"policy": policy, "bots": bots}));
        for path in ["/v1/balance", "/v1/place"] {
            let body = match path {
                "/v1/place" => with(body.clone(), json!({"joining": [id(9)]})),
                _ => body.clone(),
            };
            let (_, problem) = refused(app.request(Method::POST, path).json(&body), 422).await;
            assert_eq!(fields(&problem), [field], "{problem}");
            let detail = problem["errors"][0]["detail"].as_str().expect("a detail");
            assert!(detail.contains(remedy), "{detail}");
        }
    }
    let several = json!({
        "server": "arena-1", "policy": "filled", "teams": [ids(1..3), ids(3..4), []],
        "bots": {"teams": [0, 0, 1], "level": "expert"},
    });
    let (status, answer) = send(app.request(Method::POST, "/v1/balance").json(&several)).await;
    assert_eq!(
        (status.as_u16(), &answer["fill"]["bot_weight"]),
        (200, &json!(1400.0)),
        "{answer}"
    );
}
