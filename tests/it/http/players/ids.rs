//! Formats of player ids. Answers always use one format.

use reqwest::Method;
use serde_json::json;

use crate::http::{assert_nothing_stored, id, ids, round, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    ids_are_read_in_many_forms_and_written_in_one,
    an_id_in_the_path_has_any_form_and_what_is_none_is_a_422,
    a_link_with_a_custom_name_is_refused_with_where_to_find_the_id,
    what_is_no_id_in_a_body_is_a_422_that_says_where,
);

async fn ids_are_read_in_many_forms_and_written_in_one(app: &App) {
    let sent = json!({
        "round_id": "1", "server": "s", "winner": "draw",
        "team_a": ["76561197960265729", 76_561_197_960_265_730_u64, {"id": 76_561_197_960_265_731_u64}],
        "team_b": ["STEAM_0:0:2", "STEAM_1:1:2", {"id": "[U:1:6]"}, "[U:1:4294967295]",
                   "steam_0:1:3", "[u:1:8]", "U:1:9", "https://steamcommunity.com/profiles/76561197960265738/"],
    });
    let answer = app.counted(&sent).await;
    let players = answer["players"].as_array().expect("players");
    let answered: Vec<_> = players.iter().map(|player| player["id"].clone()).collect();
    assert_eq!(
        json!(answered),
        json!(ids([1, 2, 3, 4, 5, 6, 4_294_967_295, 7, 8, 9, 10]))
    );

    let scramble = json!({
        "server": "s",
        "players": ["STEAM_0:1:0", 76_561_197_960_265_730_u64, "[U:1:3]", id(4)],
        "current": {"a": [76_561_197_960_265_729_u64, "[U:1:2]"], "b": ["STEAM_1:1:1", id(4)]},
    });
    let request = app.request(Method::POST, "/v1/scramble").json(&scramble);
    let (_, table) = send(request).await;
    let split = &table["splits"][0];
    let mut seen: Vec<_> = ["a", "b"]
        .iter()
        .flat_map(|team| split[team].as_array().expect("a team"))
        .map(|id| id.as_str().expect("a decimal string").to_owned())
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, ids([1, 2, 3, 4]));
}

async fn an_id_in_the_path_has_any_form_and_what_is_none_is_a_422(app: &App) {
    app.counted(&round("s", "1", "a", &[7], &[8])).await;
    let expected = app.get(&format!("/v1/players/{}", id(7))).await;
    assert_eq!(expected["rounds"], 1);
    for form in [
        "[U:1:7]",
        "%5BU%3A1%3A7%5D",
        "STEAM_0%3A1%3A3",
        "https%3A%2F%2Fsteamcommunity.com%2Fprofiles%2F76561197960265735",
    ] {
        let found = app.get(&format!("/v1/players/{form}")).await;
        assert_eq!(found, expected, "{form}");
        let details = app.get(&format!("/v1/admin/players/{form}")).await;
        assert_eq!(details["id"], json!(id(7)), "{form}");
    }
    let none = "0 BOT 76561197960265728 76561197960265729.0 99999999999999999999999999 %00 %FF %20 \
                76561197960265729%0A";
    for text in none.split(' ') {
        let admin = format!("/v1/admin/players/{text}");
        let set = app.admin(Method::PUT, &admin);
        for request in [
            app.request(Method::GET, &format!("/v1/players/{text}")),
            app.admin(Method::GET, &admin),
            set.json(&json!({"rating": 1500})),
            app.admin(Method::POST, &format!("{admin}/reset")),
        ] {
            let (_, problem) = refused(request, 422).await;
            assert_eq!(fields(&problem), ["/id"], "{text}");
            let detail = problem["detail"].as_str().unwrap_or_default();
            assert!(detail.contains("send a SteamID64"), "{text}: {problem}");
        }
    }
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["players"]["total"], 2, "only those of the round");
}

async fn a_link_with_a_custom_name_is_refused_with_where_to_find_the_id(app: &App) {
    let link = json!({"team_b": ["https://steamcommunity.com/id/gaben/"]});
    let sent = with(round("s", "1", "a", &[1], &[2]), link);
    let in_body = app.request(Method::POST, "/v1/update").json(&sent);
    let in_path = "/v1/players/steamcommunity.com%2Fid%2Fgaben";
    let in_path = app.request(Method::GET, in_path);
    for (request, field) in [(in_body, "/team_b/0"), (in_path, "/id")] {
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), [field]);
        let detail = problem["detail"].as_str().unwrap_or_default();
        for says in [
            "custom name, which only Steam can resolve; send",
            "the command status in the game's console",
        ] {
            assert!(detail.contains(says), "{problem}");
        }
    }
    assert_nothing_stored(app).await;
}

async fn what_is_no_id_in_a_body_is_a_422_that_says_where(app: &App) {
    let wrong = json!([
        "BOT",
        "",
        "76561197960265729 ",
        "+76561197960265729",
        -1,
        7.656e16,
        true,
        null,
        []
    ]);
    for wrong in wrong.as_array().expect("a list") {
        for (entry, field) in [
            (wrong.clone(), "/team_b/1"),
            (json!({"id": wrong}), "/team_b/1/id"),
        ] {
            let sent = round("s", "1", "a", &[1], &[2]);
            let sent = with(sent, json!({"team_b": [id(2), entry]}));
            let request = app.request(Method::POST, "/v1/update").json(&sent);
            let (_, problem) = refused(request, 422).await;
            assert_eq!(fields(&problem), [field], "{sent}");
            let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
            assert!(detail.contains("SteamID"), "{sent}: {problem}");
        }
        for (list, field) in [
            (json!({"players": [id(1), wrong]}), "/players/1"),
            (json!({"current": {"a": [wrong], "b": []}}), "/current/a/0"),
        ] {
            let sent = with(json!({"server": "s", "players": []}), list);
            let request = app.request(Method::POST, "/v1/scramble").json(&sent);
            let (_, problem) = refused(request, 422).await;
            assert_eq!(fields(&problem), [field], "{sent}");
        }
    }
    assert_nothing_stored(app).await;
}
