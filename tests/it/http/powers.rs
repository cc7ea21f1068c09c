//! Powers: matches and splits by scoreboards in place of ratings.

use serde_json::{Value, json};

use super::{assert_like, assert_refused, configured, id, ids, posted, posted_to, round, with};
use crate::support::App;

on_both_databases!(
    a_match_goes_by_the_power_that_is_named,
    where_nobody_has_a_power_ratings_count,
    splits_go_by_a_power_in_whole_points,
    what_cannot_be_gone_by_is_refused,
    the_policy_or_the_pool_may_name_the_power,
    a_players_powers_are_shown_with_the_games_behind_them,
);

/// A round of 3 v 3 in which player n has n points.
fn game(round_id: &str, mode: &str) -> Value {
    let entry = |n: u64| json!({"id": id(n), "stats": {"score": 10 * n, "kills": n, "deaths": 2}});
    with(
        round("s", round_id, "a", &[1], &[2]),
        json!({
            "mode": mode, "round_seconds": 600,
            "team_a": [entry(1), entry(3), entry(5)], "team_b": [entry(2), entry(4), entry(6)],
        }),
    )
}

/// Player n's `pub-power` after a round of CTF, in player order.
const POWERS: [f64; 6] = [1.0, 5.6, 10.2, 14.8, 19.4, 24.0];

fn teams(more: Value) -> Value {
    let teams = json!({"server": "s", "team_a": ids(1..=3), "team_b": ids(4..=6)});
    with(teams, more)
}

/// An item of the list `powers` in an answer.
fn counted(n: u64, power: Option<f64>, games: u64, from: &str, counted: f64) -> Value {
    let games_of = power.map(|_| "mode");
    json!({"id": id(n), "power": power, "games": games, "games_of": games_of, "from": from,
           "counted": counted})
}

async fn a_match_goes_by_the_power_that_is_named(app: &App) {
    app.counted(&game("1", "ctf")).await;
    app.counted(&game("2", "sal")).await;
    let plain = posted(app, "/v1/balance", &teams(json!({}))).await;
    assert_eq!((&plain["by"], &plain["powers"]), (&Value::Null, &json!([])));
    let by = json!({"by": "pub-power", "mode": "ctf", "mutators": ["low gravity"]});
    let answer = posted(app, "/v1/balance", &teams(by.clone())).await;
    assert_eq!(answer["by"], "pub-power");
    let all = (1..).zip(POWERS);
    let all = all.map(|(n, power)| counted(n, Some(power), 1, "games", power));
    assert_like(&answer["powers"], &all.collect());
    let before = &answer["before"];
    assert_like(
        &json!([before["sum_a"], before["sum_b"]]),
        &json!([16.8, 58.2]),
    );
    for key in ["win_probability_a", "rating_a", "rating_b"] {
        assert_eq!(before[key], plain["before"][key], "{key}");
    }
    // An unknown player counts as the median of the others; a sent weight is ignored.
    let more = json!({"joining": [{"id": id(9), "weight": 999}]});
    let answer = posted(app, "/v1/place", &teams(with(by, more))).await;
    assert_like(&answer["powers"][6], &counted(9, None, 0, "median", 12.5));
    assert_eq!(answer["placed"][0]["team"], "a");
    assert_like(&answer["after"]["sum_a"], &json!(29.3));
}

async fn where_nobody_has_a_power_ratings_count(app: &App) {
    app.counted(&round("s", "1", "a", &[1, 2, 3], &[4, 5, 6]))
        .await;
    let answer = posted(app, "/v1/balance", &teams(json!({"by": "pub-power"}))).await;
    assert_eq!(answer["by"], "rating", "{answer}");
    let expected = json!({"id": id(1), "power": 1036.0, "games": null, "games_of": null,
                          "from": "rating", "counted": 1036.0});
    assert_eq!(answer["powers"][0], expected);
    assert_eq!(answer["before"]["sum_a"], 3108.0);
    let body = json!({"server": "s", "players": ids(1..=6), "by": "kdr-power"});
    let table = posted(app, "/v1/scramble", &body).await;
    assert_eq!(table["by"], "rating");
    assert_eq!(table["scale"], Value::Null);
    assert_eq!(table["splits"][0]["sum_a"], 2000, "{table}");
}

async fn splits_go_by_a_power_in_whole_points(app: &App) {
    let scramble = json!({"players": ids(1..=6), "by": "pub-power", "mode": "ctf"});
    let with_splits = with(game("1", "ctf"), json!({"scramble": scramble}));
    let of_update = app.counted(&with_splits).await["splits"].clone();
    let body = json!({"server": "s", "players": ids(1..=6), "by": "pub-power", "mode": "ctf",
                      "sizes": [3]});
    let table = posted(app, "/v1/scramble", &body).await;
    assert_eq!(table["by"], "pub-power");
    assert_eq!(table["scale"], 100.0);
    assert_eq!(table["powers"].as_array().map(Vec::len), Some(6));
    // 100, 560, 1020, 1480, 1940 and 2400: the nearest sums are 3980 and 3520.
    let split = &table["splits"][0];
    assert_eq!(split["difference"], 460);
    assert_eq!(split["optimal"], true);
    assert_eq!(of_update["powers"], table["powers"]);
    let stored = app.get("/v1/scramble?server=s").await;
    assert_eq!(stored["powers"], table["powers"]);
    assert_eq!(stored["splits"], table["splits"]);
    let letters = with(body, json!({"seats": "letters"}));
    let lettered = posted(app, "/v1/scramble", &letters).await;
    assert_eq!(lettered["by"], table["by"]);
}

async fn what_cannot_be_gone_by_is_refused(app: &App) {
    let known = "is not a known power; choose one of \"kdr-power\", \"pub-power\", \"rating\", \"ut2004\", or \
                 leave the field out for the pool's default";
    let best = json!({"by": "best"});
    let lobby = json!({"server": "s", "players": ids(1..=6), "by": "best"});
    let joining = with(best.clone(), json!({"joining": [id(9)]}));
    let update = with(
        game("1", "ctf"),
        json!({"scramble": {"players": ids(1..=6), "by": "best"}}),
    );
    assert_refused(app, "/v1/balance", &teams(best), "/by", known).await;
    assert_refused(app, "/v1/place", &teams(joining), "/by", known).await;
    assert_refused(app, "/v1/scramble", &lobby, "/by", known).await;
    assert_refused(app, "/v1/update", &update, "/scramble/by", known).await;
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 0, "the round was counted all the same");
    let odds = teams(json!({"by": "pub-power", "policy": "ns2"}));
    let says = "a policy that judges odds";
    assert_refused(app, "/v1/balance", &odds, "/by", says).await;
    let rating = teams(json!({"by": "rating", "policy": "ns2"}));
    assert_eq!(posted(app, "/v1/balance", &rating).await["by"], "rating");
}

async fn the_policy_or_the_pool_may_name_the_power(app: &App) {
    app.counted(&game("1", "ctf")).await;
    let configuration =
        "[powers]\nby = \"pub-power\"\n[balance.scored]\nlike = \"sectors-edge\"\nby = \"ut2004\"";
    let other = configured(app, configuration).await;
    let ask = async |path: &str, body: Value| posted_to(app, &other.address, path, &body).await;
    for (more, by) in [
        (json!({}), json!("pub-power")),
        (json!({"policy": "scored"}), json!("ut2004")),
        (json!({"policy": "scored", "by": "rating"}), json!("rating")),
        (json!({"policy": "ns2"}), Value::Null),
    ] {
        let answer = ask("/v1/balance", teams(more.clone())).await;
        assert_eq!(answer["by"], by, "{more}: {answer}");
    }
    let body = json!({"server": "s", "players": [id(9), id(1), id(2), id(3)]});
    assert_eq!(ask("/v1/scramble", body.clone()).await["by"], "pub-power");
    let table = ask("/v1/scramble", with(body, json!({"by": "ut2004"}))).await;
    let newcomer = json!({"id": id(9), "power": 50.0, "games": 0, "games_of": null, "from": "newcomer",
                          "counted": 50.0});
    assert_eq!(table["powers"][0], newcomer);
    other.stop().await;
}

async fn a_players_powers_are_shown_with_the_games_behind_them(app: &App) {
    app.counted(&game("1", "ctf")).await;
    app.counted(&game("2", "sal")).await;
    let path = format!("/v1/admin/players/{}/powers?mode=sal", id(5));
    let answer = app.get(&path).await;
    let power = |name: &str, power: f64, games: u64, games_of: &str| {
        json!({"name": name, "power": power, "games": games, "games_of": games_of,
               "from": "games"})
    };
    // (5/2)² x (50²/100,000); the places are second of six.
    assert_like(
        &answer["powers"],
        &json!([
            power("kdr-power", 0.1563, 2, "any"),
            power("pub-power", 13.0, 1, "mode"),
            {"name": "rating", "power": 1070.0, "games": null, "games_of": null, "from": "rating"},
            power("ut2004", 80.0, 2, "any"),
        ]),
    );
    let games = answer["games"].as_array().expect("games");
    assert_eq!(games.len(), 2, "{answer}");
    assert_eq!(
        games[0],
        json!({"ended_at": "2026-11-20T12:00:00Z", "seconds": 600, "mode": "sal", "mutators": [],
               "map": null, "stats": {"score": 50, "kills": 5, "deaths": 2}, "result": 1.0,
               "place": 2.0, "of": 6})
    );
    let nobody = app
        .get(&format!("/v1/admin/players/{}/powers", id(99)))
        .await;
    assert_eq!(nobody["games"], json!([]));
    let unknown =
        json!({"name": "pub-power", "power": null, "games": 0, "games_of": null, "from": null});
    assert_eq!(nobody["powers"][1], unknown);
}
