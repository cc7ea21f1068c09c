//! Access of each secret.

use reqwest::Method;
use serde_json::json;

use super::operations;
use crate::http::{assert_nothing_stored, id, raw, round};
use crate::support::{
    ADMIN_SECRET, App, Instance, SECRET, answered, refused, refused_saying, send,
    settings_with_secrets,
};

same_on_both_databases!(
    nothing_is_told_or_done_without_a_secret,
    a_wrong_or_malformed_secret_opens_nothing,
    a_game_servers_secret_opens_no_admin_path,
    no_spelling_of_an_admin_path_lets_a_game_servers_secret_in,
    any_of_several_secrets_opens_and_without_admins_the_game_servers_opens_everything,
);

async fn nothing_is_told_or_done_without_a_secret(app: &App) {
    let others = [
        (Method::GET, "/nothing/here"),
        (Method::DELETE, "/v1/update"),
    ]
    .map(|(method, path)| (method, path.to_owned()));
    let body = round("s", "1", "a", &[1], &[2]);
    for (method, path) in operations().into_iter().chain(others) {
        let wrong = app.bare(method.clone(), &path).bearer_auth("wrong");
        refused(wrong.json(&body), 401).await;
        let (headers, problem) = refused(app.bare(method, &path), 401).await;
        assert_eq!(headers["www-authenticate"], "Bearer realm=\"rbs\"");
        let says = "send the secret in the header \"Authorization: Bearer <secret>\"";
        assert_eq!(problem["detail"], says);
    }
    assert_nothing_stored(app).await;
    refused(app.request(Method::GET, "/v1/scramble?server=s"), 404).await;
    let quality = "/v1/admin/quality";
    for (head, status) in [
        (app.bare(Method::HEAD, quality), 401),
        (app.request(Method::HEAD, quality), 403),
    ] {
        let answer = head.send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), status);
    }
}

async fn a_wrong_or_malformed_secret_opens_nothing(app: &App) {
    let values = [
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        "Bearer wrong".to_owned(),
        format!("Bearer {}", &SECRET[1..]),
        format!("Bearer {SECRET}x"),
        format!("Bearer {}", SECRET.to_uppercase()),
        format!("Bearer {SECRET},{ADMIN_SECRET}"),
        format!("Bearer {SECRET} {SECRET}"),
        format!("Bearer \"{SECRET}\""),
        format!("Basic {SECRET}"),
        format!("Bearer:{SECRET}"),
        format!("Token {ADMIN_SECRET}"),
        SECRET.to_owned(),
        ADMIN_SECRET.to_owned(),
        "Bearer \u{e4}".to_owned(),
    ];
    let body = round("s", "1", "a", &[1], &[2]);
    let player = format!("/v1/players/{}", id(1));
    for value in &values {
        for (method, path) in [
            (Method::POST, "/v1/update"),
            (Method::GET, player.as_str()),
            (Method::GET, "/v1/admin/quality"),
        ] {
            let request = app.bare(method, path).json(&body);
            refused(request.header("authorization", value.as_bytes()), 401).await;
        }
    }
    for name in ["x-secret", "cookie", "proxy-authorization"] {
        let request = app.bare(Method::GET, &player);
        refused(request.header(name, format!("Bearer {SECRET}")), 401).await;
    }
    let in_query = format!("{player}?secret={SECRET}");
    refused(app.bare(Method::GET, &in_query), 401).await;
    for scheme in ["bearer", "BEARER"] {
        let request = app.bare(Method::GET, &player);
        answered(request.header("authorization", format!("{scheme} {SECRET}"))).await;
    }
    assert_nothing_stored(app).await;
}

async fn a_game_servers_secret_opens_no_admin_path(app: &App) {
    let mut all = operations();
    all.retain(|(_, path)| path.starts_with("/v1/admin/"));
    for (method, path) in all {
        let request = app.request(method, &path);
        refused_saying(request.json(&json!({"rating": 1500})), 403, "admin secret").await;
    }
    // Refusals do not reveal the existence of a resource.
    for path in [
        "/v1/admin",
        "/v1/admin/",
        "/v1/admin/nothing",
        "/v1/admin//quality",
        "/v1/admin/quality/",
        "/v1/admin/quality?pool=nowhere",
        "/v1/admin/players/BOT",
    ] {
        for method in [Method::GET, Method::POST, Method::DELETE] {
            refused(app.request(method, path), 403).await;
        }
    }
    assert_nothing_stored(app).await;
}

async fn no_spelling_of_an_admin_path_lets_a_game_servers_secret_in(app: &App) {
    for path in [
        "/v1/%61dmin/quality",
        "/v1/admi%6E/quality",
        "/v1%2Fadmin%2Fquality",
        "/v1/admin%2Fquality",
        "/v1%2Fadmin/quality",
        "/%76%31/admin/quality",
        "//v1/admin/quality",
        "/v1//admin/quality",
        "/./v1/admin/quality",
        "/v1/ADMIN/quality",
        "/V1/admin/quality",
        "/v1/admin;x/quality",
        "/v1/admin%00/quality",
        "/v1/players/%2E%2E/admin/quality",
        "/v1/players/..%2Fadmin%2Fquality",
        "/healthz/../v1/admin/quality",
        "/healthz%2F..%2Fv1/admin/quality",
        "/v1/players/../admin/quality",
        "/v1/admin/../admin/quality",
        "/v1/admin/./quality",
        "http://rbs/v1/admin/quality",
        "http://rbs/healthz/../v1/admin/quality",
    ] {
        // Raw requests, because ordinary clients normalize paths.
        let ask = async |secret: &str| {
            let head = format!("GET {path} HTTP/1.1\r\nhost: rbs\r\nconnection: close\r\n");
            raw(app, format!("{head}authorization: Bearer {secret}\r\n\r\n")).await
        };
        let answer = ask(SECRET).await;
        let status = answer.get(9..12).unwrap_or_default();
        assert!(
            ["403", "404", "422"].contains(&status) && !answer.contains("brier"),
            "{path} lets a game server in: {answer}"
        );
        let answer = ask("wrong").await;
        assert!(answer.starts_with("HTTP/1.1 401 "), "{path}: {answer}");
    }
}

async fn any_of_several_secrets_opens_and_without_admins_the_game_servers_opens_everything(
    app: &App,
) {
    let player = format!("/v1/players/{}", id(1));
    let (game, admin, nothing) = ([200, 403], [200, 200], [401, 401]);
    let several = [
        ("old-one", game),
        ("new-one", game),
        ("old-admin", admin),
        ("new-admin", admin),
        ("old-one,new-one", nothing),
        ("old", nothing),
        (SECRET, nothing),
        (",", nothing),
    ];
    let one = [(SECRET, admin), (ADMIN_SECRET, nothing)];
    for (secrets, admin_secrets, expected) in [
        (
            "old-one,new-one",
            Some("old-admin, new-admin"),
            several.as_slice(),
        ),
        (SECRET, None, &one),
    ] {
        let database = app.settings.database.clone();
        let settings = settings_with_secrets(database, secrets, admin_secrets);
        let instance = Instance::start(&settings, app.clock.clone()).await;
        for (secret, statuses) in expected {
            for (path, status) in [player.as_str(), "/v1/admin/quality"].iter().zip(statuses) {
                let request = app.bare_to(&instance.address, Method::GET, path);
                let (found, body) = send(request.bearer_auth(secret)).await;
                assert_eq!(found.as_u16(), *status, "{secret} for {path}: {body}");
            }
        }
        instance.stop().await;
    }
}
