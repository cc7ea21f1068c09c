//! `GET /v1/admin/live`: who plays where now, the odds, and why.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{id, ids, posted, set_clock, set_in_arena, with};
use crate::support::{App, send};

on_both_databases!(
    the_teams_are_explained_by_what_has_changed_since_the_scramble,
    without_a_scramble_in_play_the_last_round_explains_the_teams,
);

async fn live(app: &App) -> Value {
    let answer = app.get("/v1/admin/live").await;
    let matches = answer["matches"].as_array().expect("a list");
    assert_eq!(matches.len(), 1, "{answer}");
    matches[0].clone()
}

/// Returns the players of each team, and those who left it, as "name change", by descending rating.
fn seats(of: &Value) -> [Vec<String>; 2] {
    let players = of["players"].as_array().expect("a list");
    ["a", "b"].map(|team| {
        let there = players.iter().filter(|player| player["team"] == team);
        let seats = there.map(|player| {
            let words = ["name", "change"].map(|key| player[key].as_str().unwrap_or_default());
            words.join(" ").trim_end().to_owned()
        });
        seats.collect()
    })
}

fn named(accounts: &[u64]) -> Vec<Value> {
    let players = accounts.iter();
    players
        .map(|n| json!({"id": id(*n), "name": format!("p{n}")}))
        .collect()
}

async fn the_teams_are_explained_by_what_has_changed_since_the_scramble(app: &App) {
    assert_eq!(app.get("/v1/admin/live").await, json!({"matches": []}));
    for n in 1..=7 {
        set_in_arena(app, n, 1700 - 100 * i64::try_from(n).expect("small")).await;
    }
    let hello =
        json!({"server": "arena-1", "map": "arena_well", "players": named(&[1, 2, 3, 4, 5, 6, 7])});
    posted(app, "/v1/hello", &hello).await;
    let greeted = live(app).await;
    assert_eq!(
        (&greeted["map"], &greeted["teams_at"], &greeted["players"]),
        (&json!("arena_well"), &Value::Null, &json!([])),
        "{greeted}"
    );
    let wishes = json!({"server": "arena-1", "players": ids(1..=6), "bench": false,
                        "parties": [ids([1, 6])], "tolerance": 0});
    let table = posted(app, "/v1/scramble", &wishes).await;
    let split = &table["splits"][0];
    let scrambled = live(app).await;
    assert_eq!(
        scrambled["win_probability"]["a"],
        split["win_probability_a"]
    );
    assert_eq!(seats(&scrambled), [["p1", "p3", "p6"], ["p2", "p4", "p5"]]);

    // The teams have swapped sides, 5 has changed teams, 3 has left, and 7 is placed.
    set_clock(app, "2026-11-20T12:05:30Z");
    let teams = json!({"server": "arena-1", "team_a": ids([2, 4]), "team_b": ids([1, 6, 5]),
                       "joining": ids([7]), "map": "uphill", "bots": {"levels_b": ["easy"]}});
    let balanced = posted(app, "/v1/balance", &teams).await;
    assert_eq!(balanced["placed"][0]["team"], "a", "{balanced}");
    let now = live(app).await;
    assert_eq!(now["teams_at"], "2026-11-20T12:05:30Z");
    assert_eq!(
        now["win_probability"]["a"],
        balanced["before"]["win_probability_a"]
    );
    let team_b = vec!["p1", "p3 left", "p5 moved", "p6"];
    assert_eq!(seats(&now), [vec!["p2", "p4", "p7 joined"], team_b]);
    let message = now["message"].as_str().expect("a sentence");
    let because = ": since the scramble 5 minutes ago with odds of 52.5 % to 47.5 %, p7 (1000) joined team A; p5 \
                   (1200) moved to team B; p3 (1400) left team B. p1 and p6 are a party on team B.";
    assert!(message.contains(because), "{message}");

    // Neither hypothetical teams nor the requests of admins are those of the match.
    let other = json!({"server": "arena-1", "team_a": ids([1]), "team_b": ids([2])});
    send(app.admin(Method::POST, "/v1/balance").json(&other)).await;
    let hypothetical = with(other, json!({"hypothetical": true}));
    posted(app, "/v1/balance", &hypothetical).await;
    assert_eq!(seats(&live(app).await), seats(&now));
    assert_eq!(now["scramble_asked_at"], Value::Null);
    let path = "/v1/admin/servers/arena-1/scramble";
    assert_eq!(send(app.admin(Method::POST, path)).await.0, StatusCode::OK);
    assert_eq!(live(app).await["scramble_asked_at"], "2026-11-20T12:05:30Z");

    let default = app.get("/v1/admin/live?pool=default").await;
    assert_eq!(default, json!({"matches": []}));
    set_clock(app, "2026-11-20T15:05:31Z");
    assert_eq!(app.get("/v1/admin/live").await, json!({"matches": []}));
}

async fn without_a_scramble_in_play_the_last_round_explains_the_teams(app: &App) {
    let even = json!({"server": "s", "team_a": ids([1]), "team_b": ids([3])});
    posted(app, "/v1/balance", &even).await;
    assert_eq!(
        live(app).await["message"],
        "Even odds. RBS knows no other teams from the last 3 hours to compare with."
    );
    let round = json!({"round_id": "1", "server": "s", "winner": "a", "map": "cp_well",
                       "team_a": [{"id": id(1), "name": "p1"}, {"id": id(5), "participated": false},
                                  {"id": id(2), "name": "p2", "participated": false}],
                       "team_b": [{"id": id(3), "name": "p3"}, {"id": id(2), "at_start": false}],
                       "scramble": {"players": ids(11..=14), "bench": false}});
    app.counted(&round).await;
    set_clock(app, "2026-11-20T12:01:00Z");
    let teams =
        json!({"server": "s", "team_a": named(&[1]), "team_b": named(&[2, 3, 4, 7, 8, 9, 10])});
    let joining = with(teams, json!({"joining": named(&[6])}));
    posted(app, "/v1/place", &joining).await;
    let now = live(app).await;
    assert_eq!(now["map"], "cp_well");
    assert_eq!(now["pool"], "default");
    let message = now["message"].as_str().expect("a sentence");
    let because = ": since the round that ended 1 minute ago, p6 (1000) joined team A; 5 players joined team B.";
    assert!(message.contains(because), "{message}");
}
