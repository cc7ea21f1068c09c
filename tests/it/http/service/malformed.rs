//! Bodies that are no JSON object, queries and JSON that are not as the contract has them, and JSON that is
//! meant to break its reader.

use reqwest::Method;
use serde_json::json;

use super::errors::{good, post};
use crate::http::{assert_nothing_stored, id};
use crate::support::{App, fields, refused};

on_both_databases!(
    what_is_no_json_object_is_a_400,
    a_field_that_stands_twice_is_named,
    an_unknown_field_in_the_query_is_named,
    a_number_of_400_digits_is_out_of_range_and_not_a_crash,
    nesting_without_end_is_refused_where_it_begins,
    half_a_surrogate_pair_is_no_text,
);

async fn what_is_no_json_object_is_a_400(app: &App) {
    let truncated = &good().to_string()[..40];
    let invalid_utf8 = [b"{\"round_id\": \"".as_slice(), b"\xff\xfe\"}"].concat();
    let raw_nul = b"{\"round_id\": \"a\0b\"}".to_vec();
    let deep = "[".repeat(100_000);
    let bodies: Vec<(&str, Vec<u8>, &str)> = vec![
        ("nothing", vec![], "not JSON"),
        ("a blank", b" \n".to_vec(), "not JSON"),
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
        ("bytes that are no text", invalid_utf8, "not UTF-8"),
        ("a raw NUL in a string", raw_nul, "not JSON"),
        ("not a number", b"{\"map\": NaN}".to_vec(), "not JSON"),
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
        assert!(detail.contains("stands twice; send it once"), "{problem}");
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
            "/v1/scramble?server=s&pool=arena".to_owned(),
            None,
            "/pool",
        ),
        (
            Method::GET,
            "/v1/admin/quality?window=5".to_owned(),
            None,
            "/window",
        ),
        // A pool in the query of a round would otherwise be passed over, and the round be counted
        // in another.
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
