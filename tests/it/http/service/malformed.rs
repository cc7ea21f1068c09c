//! Malformed JSON and queries, and JSON designed to break parsers.

use reqwest::Method;
use serde_json::json;

use super::errors::{good, post};
use crate::http::{assert_nothing_stored, id};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    what_is_no_json_object_is_a_400,
    a_field_that_stands_twice_is_named,
    an_unknown_field_in_the_query_is_named,
    a_number_of_400_digits_is_out_of_range_and_not_a_crash,
    nesting_without_end_is_refused_where_it_begins,
    half_a_surrogate_pair_is_no_text,
    every_field_that_is_wrong_is_named_up_to_twenty,
);

async fn what_is_no_json_object_is_a_400(app: &App) {
    let truncated = &good().to_string()[..40];
    let invalid_utf8 = [b"{\"round_id\": \"".as_slice(), b"\xff\xfe\"}"].concat();
    let raw_nul = b"{\"round_id\": \"a\0b\"}".to_vec();
    let deep = "[".repeat(100_000);
    let bodies: Vec<(&str, Vec<u8>, &str)> = vec![
        ("nothing", vec![], "the body is empty; send"),
        ("a blank", b" \n".to_vec(), "the body is empty; send"),
        (
            "a comma too many",
            b"{\"round_id\": \"1\",}".to_vec(),
            "unexpected comma after the last item at line 1 column 18; remove the comma",
        ),
        (
            "single quotes",
            b"{'map': 1}".to_vec(),
            "put names and texts in double quotes",
        ),
        (
            "a byte order mark",
            [b"\xef\xbb\xbf".as_slice(), good().to_string().as_bytes()].concat(),
            "send UTF-8 without a byte order mark",
        ),
        ("a word", b"nonsense".to_vec(), "not JSON"),
        ("half an object", truncated.into(), "not JSON"),
        ("two objects", format!("{0}{0}", good()).into(), "not JSON"),
        ("a list", b"[]".to_vec(), "not an object"),
        (
            "an object in a list",
            format!("[{}]", good()).into(),
            "not an object",
        ),
        ("a number", b"5".to_vec(), "not an object"),
        ("null", b"null".to_vec(), "not an object"),
        ("bytes that are no text", invalid_utf8, "not valid UTF-8"),
        ("a raw NUL in a string", raw_nul, "not JSON"),
        (
            "not a number",
            b"{\"map\": NaN}".to_vec(),
            "unexpected word NaN at line 1 column 9; JSON has no such number",
        ),
        ("lists without end", deep.into(), "not JSON"),
        (
            "a form",
            b"round_id=1&server=s&winner=a".to_vec(),
            "not JSON",
        ),
    ];
    for (what, body, says) in bodies {
        for path in ["/v1/update", "/v1/scramble"] {
            let (_, problem) = refused(post(app, path, body.clone()), 400).await;
            let detail = problem["detail"].as_str().unwrap_or_default();
            assert!(detail.contains(says), "{what} to {path}: {problem}");
        }
    }
    let path = format!("/v1/admin/players/{}", id(1));
    for body in ["", "[]", "{"] {
        let request = app
            .admin(Method::PUT, &path)
            .header("content-type", "application/json");
        refused(request.body(body), 400).await;
    }
    assert_nothing_stored(app).await;
}

async fn a_field_that_stands_twice_is_named(app: &App) {
    let good = good().to_string();
    for (from, to, field) in [
        (
            "\"winner\":\"a\"",
            "\"winner\":\"a\",\"winner\":\"b\"",
            "/winner",
        ),
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
            "\"76561197960265729\"",
            "{\"id\":\"[U:1:1]\",\"participated\":true,\"participated\":false}",
            "/team_a/0/participated",
        ),
        (
            "\"76561197960265729\"",
            "{\"id\":\"[U:1:1]\",\"id\":\"[U:1:3]\"}",
            "/team_a/0/id",
        ),
    ] {
        assert!(good.contains(from), "{from} is not in {good}");
        let (_, problem) = refused(post(app, "/v1/update", good.replacen(from, to, 1)), 422).await;
        assert_eq!(fields(&problem), [field], "{to}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("is sent twice; send it once"), "{problem}");
    }
    assert_nothing_stored(app).await;
}

async fn an_unknown_field_in_the_query_is_named(app: &App) {
    let player = format!("/v1/players/{}", id(1));
    let admin_player = format!("/v1/admin{}", &player[3..]);
    let reset = format!("{admin_player}/reset");
    for (method, path, body, field) in [
        (Method::GET, format!("{player}?sever=s"), None, "/sever"),
        (Method::GET, format!("{player}?pool=no/pool"), None, "/pool"),
        (Method::GET, format!("{player}?pool="), None, "/pool"),
        (Method::GET, format!("{player}?server=%00"), None, "/server"),
        (Method::GET, format!("{player}?server=%FF"), None, "/server"),
        (
            Method::GET,
            format!("{player}?server=a&server=b"),
            None,
            "/server",
        ),
        (
            Method::GET,
            format!("{admin_player}?server=s"),
            None,
            "/server",
        ),
        (
            Method::PUT,
            format!("{admin_player}?pol=arena"),
            Some(json!({"rating": 1500})),
            "/pol",
        ),
        (Method::POST, format!("{reset}?reason=x"), None, "/reason"),
        (Method::GET, "/v1/scramble".to_owned(), None, "/server"),
        (
            Method::GET,
            "/v1/scramble?server=s&pol=arena".to_owned(),
            None,
            "/pol",
        ),
        (
            Method::GET,
            "/v1/admin/quality?window=5".to_owned(),
            None,
            "/window",
        ),
        // An ignored pool in the query would count the round in another pool.
        (
            Method::POST,
            "/v1/update?pool=arena".to_owned(),
            Some(good()),
            "/pool",
        ),
        (
            Method::POST,
            "/v1/scramble?pool=arena".to_owned(),
            Some(json!({"server": "s", "players": []})),
            "/pool",
        ),
    ] {
        let request = app.admin(method.clone(), &path);
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), [field], "{method} {path}: {problem}");
    }
    assert_nothing_stored(app).await;
}

async fn a_number_of_400_digits_is_out_of_range_and_not_a_crash(app: &App) {
    let digits = format!("1{}", "0".repeat(400));
    let good = good().to_string();
    for number in ["1e400", "-1e400", &digits, &format!("-{digits}")] {
        for (from, to, field) in [
            (
                "\"winner\":",
                format!("\"ended_at\":{number},\"winner\":"),
                "/ended_at",
            ),
            ("\"76561197960265729\"", number.to_owned(), "/team_a/0"),
            (
                "\"76561197960265729\"",
                format!("{{\"id\":{number}}}"),
                "/team_a/0/id",
            ),
            ("\"a\"", number.to_owned(), "/winner"),
            ("\"s\"", number.to_owned(), "/server"),
        ] {
            let body = good.replacen(from, &to, 1);
            let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
            assert_eq!(fields(&problem), [field], "{to:.40}");
        }
        let request = app
            .admin(Method::PUT, &format!("/v1/admin/players/{}", id(1)))
            .header("content-type", "application/json");
        let (_, problem) = refused(request.body(format!("{{\"rating\":{number}}}")), 422).await;
        assert_eq!(fields(&problem), ["/rating"], "{number:.40}");
    }
    assert_nothing_stored(app).await;
}

async fn nesting_without_end_is_refused_where_it_begins(app: &App) {
    let good = good().to_string();
    let lists = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let objects = format!("{}1{}", "{\"id\":".repeat(20_000), "}".repeat(20_000));
    for deep in [lists, objects] {
        for (from, to, field) in [
            ("\"s\"", deep.clone(), "/server"),
            ("\"a\"", deep.clone(), "/winner"),
            ("\"winner\":", format!("\"x\":{deep},\"winner\":"), "/x"),
            ("\"winner\":", format!("\"map\":{deep},\"winner\":"), "/map"),
            (
                "\"winner\":",
                format!("\"ended_at\":{deep},\"winner\":"),
                "/ended_at",
            ),
            (
                "\"76561197960265729\"",
                format!("{{\"id\":{deep}}}"),
                "/team_a/0/id",
            ),
        ] {
            let body = good.replacen(from, &to, 1);
            let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
            assert_eq!(fields(&problem), [field], "{to:.40}");
        }
        let body = good.replacen("\"76561197960265729\"", &deep, 1);
        let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
        let field = fields(&problem)[0];
        assert!(field.starts_with("/team_a/0"), "{deep:.40}: {problem}");
    }
    assert_nothing_stored(app).await;
}

async fn half_a_surrogate_pair_is_no_text(app: &App) {
    let good = good().to_string();
    for (from, to, field) in [
        ("\"s\"", r#""\ud800""#, "/server"),
        ("\"s\"", r#""\udc00x""#, "/server"),
        ("\"76561197960265729\"", r#""\ud800""#, "/team_a/0"),
    ] {
        let body = good.replacen(from, to, 1);
        let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
        assert_eq!(fields(&problem), [field], "{to}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(
            !detail.contains("number") && detail.contains("surrogate"),
            "{to}: {problem}"
        );
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
    let many = json!({"server": "s", "players": vec!["BOT"; 100]});
    let twenty: Vec<String> = (0..20).map(|place| format!("/players/{place}")).collect();
    let twenty: Vec<&str> = twenty.iter().map(String::as_str).collect();
    for (path, body, wrong) in [
        (
            "/v1/update",
            update,
            &[
                "/maps",
                "/round_id",
                "/server",
                "/team_a/0",
                "/team_a/1/seconds",
                "/team_b",
                "/winner",
            ][..],
        ),
        (
            "/v1/scramble",
            wishes,
            &[
                "/apart/0",
                "/players/0",
                "/players/2",
                "/roles/0/each",
                "/roles/0/name",
                "/roles/0/players",
                "/server",
                "/size",
                "/sizes/0",
                "/waited/BOT",
            ],
        ),
        (
            "/v1/balance",
            state.clone(),
            &[
                "/bots",
                "/server",
                "/team_a/0/moved",
                "/team_a/0/points",
                "/team_a/1/id",
                "/team_b",
            ],
        ),
        (
            "/v1/place",
            state,
            &[
                "/bots",
                "/joining",
                "/server",
                "/team_a/0/moved",
                "/team_a/0/points",
                "/team_a/1/id",
                "/team_b",
            ],
        ),
        ("/v1/scramble", many, &twenty),
    ] {
        let (_, problem) = refused(post(app, path, body.to_string()), 422).await;
        let mut named = fields(&problem);
        let first = named[0];
        if named.len() < 20 {
            named.sort_unstable();
        }
        assert_eq!(named, wrong, "{path}: {problem}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        let others = format!(
            "{} more fields are invalid, see \"errors\"",
            wrong.len() - 1
        );
        assert!(
            detail.starts_with(first) && detail.ends_with(&others),
            "{problem}"
        );
    }
    let together = json!({"server": "s", "round_id": "1", "winner": "a", "round_seconds": 0,
        "team_a": [], "team_b": [id(2), id(2)]});
    let (_, problem) = refused(post(app, "/v1/update", together.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a", "/team_b/1", "/round_seconds"]);
    assert_nothing_stored(app).await;
}
