//! Malformed JSON and queries, and JSON designed to break parsers.

use reqwest::Method;
use serde_json::json;

use super::errors::{good, post};
use crate::http::{assert_nothing_stored, id};
use crate::support::{App, fields, refused, refused_saying};

same_on_both_databases!(
    what_is_no_json_object_is_a_400,
    a_field_that_stands_twice_is_named,
    an_unknown_field_in_the_query_is_named,
    numbers_of_400_digits_and_nesting_without_end_are_refused_where_they_stand,
    every_field_that_is_wrong_is_named_up_to_twenty,
);

async fn what_is_no_json_object_is_a_400(app: &App) {
    let truncated = &good().to_string()[..40];
    let deep = "[".repeat(100_000);
    for (body, says) in [
        (&b""[..], "the body is empty; send"),
        (b" \n", "the body is empty; send"),
        (
            b"{\"round_id\": \"1\",}",
            "unexpected comma after the last item at line 1 column 18; remove the comma",
        ),
        (truncated.as_bytes(), "not JSON"),
        (b"[{\"round_id\": \"1\"}]", "not an object"),
        (b"5", "not an object"),
        (b"null", "not an object"),
        (b"{\"round_id\": \"\xff\xfe\"}", "not valid UTF-8"),
        (b"{\"round_id\": \"a\0b\"}", "not JSON"),
        (deep.as_bytes(), "not JSON"),
        (b"round_id=1&server=s&winner=a", "not JSON"),
    ] {
        for path in ["/v1/update", "/v1/scramble"] {
            refused_saying(post(app, path, body.to_vec()), 400, says).await;
        }
    }
    let path = format!("/v1/admin/players/{}", id(1));
    for body in ["", "[]", "{"] {
        let request = app.admin(Method::PUT, &path);
        let request = request.header("content-type", "application/json");
        refused(request.body(body), 400).await;
    }
    assert_nothing_stored(app).await;
}

async fn a_field_that_stands_twice_is_named(app: &App) {
    let good = good().to_string();
    let player = "\"76561197960265729\"";
    for (from, to, field) in [
        (
            "\"winner\":\"a\"",
            "\"winner\":\"a\",\"winner\":\"a\"",
            "/winner",
        ),
        (
            "\"server\":\"s\"",
            "\"server\":\"s\",\"pool\":\"arena\",\"pool\":\"default\"",
            "/pool",
        ),
        (
            player,
            "{\"id\":\"[U:1:1]\",\"participated\":true,\"participated\":false}",
            "/team_a/0/participated",
        ),
    ] {
        assert!(good.contains(from), "{from} is not in {good}");
        let request = post(app, "/v1/update", good.replacen(from, to, 1));
        let problem = refused_saying(request, 422, "is sent twice; send it once").await;
        assert_eq!(fields(&problem), [field], "{to}");
    }
    assert_nothing_stored(app).await;
}

async fn an_unknown_field_in_the_query_is_named(app: &App) {
    let player = format!("/v1/players/{}", id(1));
    let admin_player = format!("/v1/admin{}", &player[3..]);
    let of_player = |query: &str| format!("{player}?{query}");
    for (method, path, field) in [
        (Method::GET, of_player("sever=s"), "/sever"),
        (Method::GET, of_player("pool="), "/pool"),
        (Method::GET, of_player("server=%FF"), "/server"),
        (Method::GET, of_player("server=a&server=b"), "/server"),
        (Method::PUT, format!("{admin_player}?pol=arena"), "/pol"),
        (Method::GET, "/v1/scramble".to_owned(), "/server"),
        // An ignored pool in the query would count the round in another pool.
        (Method::POST, "/v1/update?pool=arena".to_owned(), "/pool"),
        (Method::POST, "/v1/scramble?pool=arena".to_owned(), "/pool"),
    ] {
        let request = app.admin(method.clone(), &path).json(&good());
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), [field], "{method} {path}: {problem}");
    }
    assert_nothing_stored(app).await;
}

async fn numbers_of_400_digits_and_nesting_without_end_are_refused_where_they_stand(app: &App) {
    let digits = format!("1{}", "0".repeat(400));
    let lists = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let objects = format!("{}1{}", "{\"id\":".repeat(20_000), "}".repeat(20_000));
    let good = good().to_string();
    let player = "\"76561197960265729\"";
    for odd in ["-1e400", &digits, &format!("-{digits}"), &lists, &objects] {
        for (from, to, field) in [
            ("\"s\"", odd.to_owned(), "/server"),
            ("\"a\"", odd.to_owned(), "/winner"),
            ("\"winner\":", format!("\"x\":{odd},\"winner\":"), "/x"),
            ("\"winner\":", format!("\"map\":{odd},\"winner\":"), "/map"),
            (
                "\"winner\":",
                format!("\"ended_at\":{odd},\"winner\":"),
                "/ended_at",
            ),
            (player, format!("{{\"id\":{odd}}}"), "/team_a/0/id"),
        ] {
            let body = good.replacen(from, &to, 1);
            let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
            assert_eq!(fields(&problem), [field], "{to:.40}");
        }
        let body = good.replacen(player, odd, 1);
        let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
        let field = fields(&problem)[0];
        assert!(field.starts_with("/team_a/0"), "{odd:.40}: {problem}");
        let request = app.admin(Method::PUT, &format!("/v1/admin/players/{}", id(1)));
        let request = request.header("content-type", "application/json");
        let (_, problem) = refused(request.body(format!("{{\"rating\":{odd}}}")), 422).await;
        assert_eq!(fields(&problem), ["/rating"], "{odd:.40}");
    }
    assert_nothing_stored(app).await;
}

async fn every_field_that_is_wrong_is_named_up_to_twenty(app: &App) {
    let player = json!({"id": id(1), "seconds": "5"});
    let update = json!({"round_id": "a b", "winner": "c", "maps": 1, "team_a": ["BOT", player], "team_b": 5});
    let wishes = json!({"size": [2], "sizes": [1], "players": ["BOT", id(1), []], "apart": [[id(1)]],
        "waited": {"BOT": 1}, "roles": [{"each": 9}]});
    let state = json!({"server": "a:b", "team_a": [{"id": id(1), "points": "5", "moved": 1}, {}],
        "team_b": {}, "bots": []});
    let of_state = "/bots /server /team_a/0/moved /team_a/0/points /team_a/1/id /team_b";
    for (path, body, wrong) in [
        (
            "/v1/update",
            &update,
            "/maps /round_id /server /team_a/0 /team_a/1/seconds /team_b /winner",
        ),
        (
            "/v1/scramble",
            &wishes,
            "/apart/0 /players/0 /players/2 /roles/0/each /roles/0/name /roles/0/players /server /size /sizes/0 \
             /waited/BOT",
        ),
        ("/v1/balance", &state, of_state),
        (
            "/v1/place",
            &state,
            &of_state.replace("/server", "/joining /server"),
        ),
    ] {
        let (_, problem) = refused(post(app, path, body.to_string()), 422).await;
        let mut named = fields(&problem);
        let first = named[0];
        named.sort_unstable();
        assert_eq!(named.join(" "), wrong, "{path}: {problem}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        let others = named.len() - 1;
        let others = format!("{others} more fields are invalid, see \"errors\"");
        assert!(
            detail.starts_with(first) && detail.ends_with(&others),
            "{problem}"
        );
    }
    let many = json!({"server": "s", "players": vec!["BOT"; 100]});
    let (_, problem) = refused(post(app, "/v1/scramble", many.to_string()), 422).await;
    let twenty: Vec<_> = (0..20).map(|place| format!("/players/{place}")).collect();
    assert_eq!(fields(&problem), twenty);
    let together = json!({"server": "s", "round_id": "1", "winner": "a", "round_seconds": 0,
        "team_a": [], "team_b": [id(2), id(2)]});
    let (_, problem) = refused(post(app, "/v1/update", together.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a", "/team_b/1", "/round_seconds"]);
    assert_nothing_stored(app).await;
}
