//! What is refused, and how: every row of the contract's table of errors. The rows 429 and 503
//! stand with what causes them, in `splits::solving` and `outage`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, id, ids, raw, round, with, without};
use crate::support::{App, SECRET, fields, refused, send};

on_both_databases!(
    what_is_no_json_object_is_a_400,
    each_name_time_and_word_that_is_not_acceptable_is_named,
    each_team_that_is_not_acceptable_is_named,
    a_player_who_stands_twice_without_changing_sides_is_named,
    all_wrong_lists_are_named_at_once,
    an_unknown_field_is_named_wherever_it_stands,
    a_field_that_stands_twice_is_named,
    an_unknown_field_in_the_query_is_named,
    a_number_of_400_digits_is_out_of_range_and_not_a_crash,
    nesting_without_end_is_refused_where_it_begins,
    half_a_surrogate_pair_is_no_text,
    a_body_of_256_kib_is_read_and_one_byte_more_is_a_413,
    a_body_over_the_limit_is_a_413_when_it_comes_in_chunks,
    a_body_that_is_not_said_to_be_json_is_a_415,
    a_path_that_is_not_there_is_a_404,
    a_pool_that_is_not_configured_is_a_404,
    a_method_that_a_path_does_not_take_is_a_405_with_those_that_it_takes,
    a_round_id_of_another_round_is_a_409,
);

fn good() -> Value {
    round("s", "1", "a", &[1], &[2])
}

/// Posts `body` to `path` as JSON.
fn post(app: &App, path: &str, body: impl Into<reqwest::Body>) -> reqwest::RequestBuilder {
    app.request(Method::POST, path)
        .header("content-type", "application/json")
        .body(body)
}

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

/// Sends the good round with `member` as each of `values`; the refusal must name the `pointer`
/// and say `says`.
async fn assert_refused(app: &App, member: &str, values: Vec<Value>, pointer: &str, says: &str) {
    for value in values {
        let body = with(good(), json!({ member: value }));
        let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
        assert_eq!(fields(&problem), [pointer], "{body:.200}: {problem}");
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains(says),
            "{body:.200} is answered without saying \"{says}\": {problem}"
        );
    }
}

async fn each_name_time_and_word_that_is_not_acceptable_is_named(app: &App) {
    for field in ["round_id", "server", "winner", "team_a", "team_b"] {
        let body = without(good(), field).to_string();
        let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
        assert_eq!(fields(&problem), [format!("/{field}")]);
        assert_eq!(problem["errors"][0]["detail"], "is missing; send it");
    }
    let long = || json!("x".repeat(65));
    for (member, values, says) in [
        ("round_id", vec![json!(""), long()], "1 to 64"),
        (
            "round_id",
            vec![json!("a\nb"), json!("a b"), json!("a\u{0}b"), json!("ä")],
            "visible ASCII",
        ),
        (
            "round_id",
            vec![json!(17), json!(null), json!({})],
            "send a string",
        ),
        ("server", vec![json!(""), long()], "1 to 64"),
        (
            "server",
            vec![json!("a:b"), json!("a\u{0}"), json!("a\n"), json!("ä")],
            "letters",
        ),
        ("server", vec![json!(5), json!(null)], "send a string"),
        ("map", vec![json!(""), long()], "1 to 64"),
        ("map", vec![json!("a\u{0}b"), json!("a\nb")], "control"),
        ("map", vec![json!(5), json!(["m"])], "send a string"),
        ("pool", vec![json!(""), long()], "1 to 64"),
        ("pool", vec![json!("no/pool"), json!("a\u{0}")], "letters"),
        (
            "ended_at",
            vec![
                json!("yesterday"),
                json!("2026-11-20 12:00"),
                json!("2026-11-20T12:00:00"),
                json!("1795176000"),
                json!(1.5),
                json!(1e300),
                json!(true),
                json!({}),
            ],
            "RFC 3339",
        ),
        (
            "ended_at",
            vec![json!(u64::MAX), json!(i64::MIN), json!(253_402_300_800_u64)],
            "unix seconds",
        ),
        (
            "winner",
            vec![
                json!("c"),
                json!("A"),
                json!(""),
                json!(1),
                json!(null),
                json!(["a"]),
                json!({"a": null}),
            ],
            "\"a\", \"b\" or \"draw\"",
        ),
    ] {
        assert_refused(app, member, values, &format!("/{member}"), says).await;
    }
    assert_nothing_stored(app).await;
}

async fn each_team_that_is_not_acceptable_is_named(app: &App) {
    let crowd = json!(ids(10..75));
    let late = json!([{"id": id(9), "at_start": false}]);
    let stranger = json!([{"id": id(9), "at_start": false, "participated": false}]);
    for team in ["team_a", "team_b"] {
        let here = format!("/{team}");
        for (values, says) in [
            (vec![json!([])], "has 0 players; send 1 to 64"),
            (vec![crowd.clone()], "has 65 players; send 1 to 64"),
            (
                vec![json!({}), json!(id(1)), json!(null)],
                "send a sequence",
            ),
            (
                vec![late.clone(), stranger.clone()],
                "nobody who stood on the team",
            ),
        ] {
            assert_refused(app, team, values, &here, says).await;
        }
        for (member, values, says) in [
            (
                "id",
                vec![json!([{"at_start": true}]), json!([{}])],
                "is missing; send it",
            ),
            (
                "at_start",
                vec![
                    json!([{"id": id(9), "at_start": 1}]),
                    json!([{"id": id(9), "at_start": "true"}]),
                ],
                "send a boolean",
            ),
            (
                "participated",
                vec![json!([{"id": id(9), "participated": null}])],
                "send a boolean",
            ),
        ] {
            assert_refused(app, team, values, &format!("{here}/0/{member}"), says).await;
        }
    }
    assert_nothing_stored(app).await;
}

async fn a_player_who_stands_twice_without_changing_sides_is_named(app: &App) {
    for (team_b, pointer) in [
        (json!([id(1)]), "/team_b/0"),
        (json!([id(2), "[U:1:2]"]), "/team_b/1"),
        (json!([id(2), "STEAM_0:1:0"]), "/team_b/1"),
        // Who left one team must have joined the other late, and who joined must have left.
        (
            json!([id(2), {"id": id(1), "participated": false}]),
            "/team_b/1",
        ),
        (
            json!([id(2), {"id": id(1), "at_start": false}]),
            "/team_b/1",
        ),
        (
            json!([{"id": id(2), "participated": false}, {"id": id(2), "at_start": false}]),
            "/team_b/1",
        ),
    ] {
        assert_refused(app, "team_b", vec![team_b], pointer, "stands twice").await;
    }
    assert_nothing_stored(app).await;
}

async fn all_wrong_lists_are_named_at_once(app: &App) {
    let late = json!([{"id": id(1), "at_start": false}]);
    let body = with(good(), json!({"team_a": [], "team_b": late}));
    let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a", "/team_b"]);
    let body = with(good(), json!({"team_a": ids([1, 1, 2, 2])}));
    let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a/1", "/team_a/3", "/team_b/0"]);
    assert_nothing_stored(app).await;
}

async fn an_unknown_field_is_named_wherever_it_stands(app: &App) {
    let player = json!({"id": id(1), "participate": false});
    let path = format!("/v1/admin/players/{}", id(1));
    let scramble = json!({"server": "s", "players": []});
    for (method, path, body, field) in [
        (
            Method::POST,
            "/v1/update",
            with(good(), json!({"winer": "a"})),
            "/winer",
        ),
        (
            Method::POST,
            "/v1/update",
            with(good(), json!({"team_a": [player]})),
            "/team_a/0/participate",
        ),
        (
            Method::POST,
            "/v1/update",
            with(good(), json!({"a/b~c": 1})),
            "/a~1b~0c",
        ),
        (
            Method::POST,
            "/v1/scramble",
            with(scramble.clone(), json!({"pool": "arena"})),
            "/pool",
        ),
        (
            Method::POST,
            "/v1/scramble",
            with(
                scramble,
                json!({"current": {"a": [], "b": [], "spectators": []}}),
            ),
            "/current/spectators",
        ),
        (
            Method::PUT,
            &path,
            json!({"rating": 1500, "rounds": 5}),
            "/rounds",
        ),
        (
            Method::POST,
            &format!("{path}/reset"),
            json!({"rating": 1500}),
            "/rating",
        ),
    ] {
        let (_, problem) = refused(app.admin(method, path).json(&body), 422).await;
        assert_eq!(fields(&problem), [field], "{body} to {path}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains("is not a field here"),
            "{body} to {path}: {problem}"
        );
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

const LIMIT: usize = 256 * 1024;

/// A good round in exactly `length` bytes.
fn padded(length: usize) -> String {
    let round = good().to_string();
    let blanks = " ".repeat(length - round.len());
    round + &blanks
}

async fn a_body_of_256_kib_is_read_and_one_byte_more_is_a_413(app: &App) {
    refused(post(app, "/v1/update", padded(LIMIT + 1)), 413).await;
    refused(post(app, "/v1/scramble", vec![b'x'; LIMIT + 1]), 413).await;
    let reset = format!("/v1/admin/players/{}/reset", id(1));
    refused(app.admin(Method::POST, &reset).body(padded(LIMIT + 1)), 413).await;
    assert_nothing_stored(app).await;

    let (status, body) = send(post(app, "/v1/update", padded(LIMIT))).await;
    assert_eq!(status.as_u16(), 200, "{body}");
    assert_eq!(body["players"][0]["rounds"], 1);
}

async fn a_body_over_the_limit_is_a_413_when_it_comes_in_chunks(app: &App) {
    // The end of the body is never sent: the answer must not wait for it.
    let over = answer_to_chunks(app, LIMIT + 1, false).await;
    assert!(over.starts_with("HTTP/1.1 413 "), "{over}");
    assert!(over.contains("application/problem+json"), "{over}");
    assert!(over.contains("\"status\":413"), "{over}");
    assert_nothing_stored(app).await;

    let exact = answer_to_chunks(app, LIMIT, true).await;
    assert!(exact.starts_with("HTTP/1.1 200 "), "{exact}");
}

/// Sends a good round of `length` bytes in chunks, and reads all that comes back.
async fn answer_to_chunks(app: &App, length: usize, to_the_end: bool) -> String {
    let mut request = format!(
        "POST /v1/update HTTP/1.1\r\nhost: rbs\r\nauthorization: Bearer {SECRET}\r\n\
         content-type: application/json\r\ntransfer-encoding: chunked\r\n\
         connection: close\r\n\r\n"
    );
    for chunk in padded(length).as_bytes().chunks(64 * 1024) {
        let chunk = std::str::from_utf8(chunk).expect("nothing but ASCII");
        request.extend([&format!("{:x}\r\n", chunk.len()), chunk, "\r\n"]);
    }
    if to_the_end {
        request += "0\r\n\r\n";
    }
    raw(app, request).await
}

async fn a_body_that_is_not_said_to_be_json_is_a_415(app: &App) {
    let scramble = json!({"server": "s", "players": []}).to_string();
    let player = format!("/v1/admin/players/{}", id(1));
    let reset = format!("{player}/reset");
    for (method, path, body) in [
        (Method::POST, "/v1/update", good().to_string()),
        (Method::POST, "/v1/scramble", scramble),
        (Method::PUT, player.as_str(), "{\"rating\":1500}".to_owned()),
        (Method::POST, reset.as_str(), "{}".to_owned()),
    ] {
        let types = [
            None,
            Some("text/plain"),
            Some("application/x-www-form-urlencoded"),
            Some("application/jsonp"),
            Some(""),
            Some("\u{e4}"),
        ];
        for content_type in types {
            let request = app.admin(method.clone(), path).body(body.clone());
            let request = match content_type {
                Some(content_type) => request.header("content-type", content_type.as_bytes()),
                None => request,
            };
            let (_, problem) = refused(request, 415).await;
            let detail = problem["detail"].as_str().unwrap_or_default();
            assert!(detail.contains("Content-Type: application/json"), "{path}");
        }
    }
    assert_nothing_stored(app).await;
    for (number, content_type) in [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/vnd.api+json",
    ]
    .iter()
    .enumerate()
    {
        let round = round("s", &number.to_string(), "a", &[1], &[2]);
        let request = app.request(Method::POST, "/v1/update");
        let request = request.header("content-type", *content_type);
        let (status, body) = send(request.body(round.to_string())).await;
        assert_eq!(status.as_u16(), 200, "{content_type}: {body}");
    }
}

async fn a_path_that_is_not_there_is_a_404(app: &App) {
    for path in [
        "/assets",
        "/assets/",
        "/v1",
        "/v1/",
        "/v1/updated",
        "/v1/update/",
        "/v2/update",
        "/V1/update",
        "/v1//update",
        "/v1/players",
        "/v1/players/",
        "/v1/admin",
        "/v1/admin/",
        "/v1/admin/players",
        "/v1/admin/nothing",
        "/healthz/",
    ] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            refused(app.admin(method, path), 404).await;
        }
    }
}

async fn a_pool_that_is_not_configured_is_a_404(app: &App) {
    let player = id(1);
    for path in [
        format!("/v1/players/{player}?pool=duel"),
        format!("/v1/players/{player}?pool=duel&server=arena-1"),
        format!("/v1/admin/players/{player}?pool=duel"),
        "/v1/admin/quality?pool=duel".to_owned(),
    ] {
        let (_, problem) = refused(app.admin(Method::GET, &path), 404).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("\"duel\""), "{path}: {problem}");
    }
    let path = format!("/v1/admin/players/{player}?pool=duel");
    let set = app.admin(Method::PUT, &path);
    refused(set.json(&json!({"rating": 1500})), 404).await;
    let path = format!("/v1/admin/players/{player}/reset?pool=duel");
    refused(app.admin(Method::POST, &path), 404).await;
    let elsewhere = with(good(), json!({"pool": "duel"})).to_string();
    refused(post(app, "/v1/update", elsewhere), 404).await;
    assert_nothing_stored(app).await;
}

async fn a_method_that_a_path_does_not_take_is_a_405_with_those_that_it_takes(app: &App) {
    let player = format!("/v1/players/{}", id(1));
    let admin_player = format!("/v1/admin/players/{}", id(1));
    let reset = format!("{admin_player}/reset");
    let paths: [(&str, &[&str]); 9] = [
        ("/v1/update", &["POST"]),
        ("/v1/scramble", &["GET", "HEAD", "POST"]),
        (&player, &["GET", "HEAD"]),
        (&admin_player, &["GET", "HEAD", "PUT"]),
        (&reset, &["POST"]),
        ("/v1/admin/quality", &["GET", "HEAD"]),
        ("/", &["GET", "HEAD"]),
        ("/healthz", &["GET", "HEAD"]),
        ("/readyz", &["GET", "HEAD"]),
    ];
    for (path, taken) in paths {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"] {
            if taken.contains(&method) {
                continue;
            }
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let (headers, _) = refused(app.admin(method.clone(), path), 405).await;
            let allow = headers["allow"].to_str().expect("text").split(',');
            let mut allow: Vec<_> = allow.map(str::trim).collect();
            allow.sort_unstable();
            assert_eq!(allow, taken, "{method} {path}");
        }
    }
    assert_nothing_stored(app).await;
}

async fn a_round_id_of_another_round_is_a_409(app: &App) {
    let first = app.counted(&good()).await;
    for (other, says) in [
        (json!({"winner": "b"}), "(winner differs from it)"),
        (
            json!({"winner": "draw", "team_a": [id(3)]}),
            "(winner and team_a differ from it)",
        ),
        (
            json!({"map": "m", "ended_at": 5, "team_b": [id(3)]}),
            "(map, ended_at and team_b differ from it)",
        ),
    ] {
        let sent = with(good(), other);
        let request = app.request(Method::POST, "/v1/update").json(&sent);
        let (_, problem) = refused(request, 409).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        for part in ["\"1\"", "\"s\"", says] {
            assert!(detail.contains(part), "{part}: {problem}");
        }
    }
    assert_eq!(
        app.counted(&good()).await,
        with(first, json!({"duplicate": true}))
    );
}
