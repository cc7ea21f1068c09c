//! Access of each secret.

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::json;

use crate::http::{assert_nothing_stored, id, ids, raw, round};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, send, settings_with_secrets};

same_on_both_databases!(
    nothing_is_told_or_done_without_a_secret,
    a_wrong_or_malformed_secret_opens_nothing,
    the_schemes_name_is_read_in_any_case,
    a_game_servers_secret_opens_no_admin_path,
    no_spelling_of_an_admin_path_lets_a_game_servers_secret_in,
    the_admin_secret_opens_everything,
    any_of_several_secrets_opens,
    without_an_admin_secret_the_game_servers_opens_everything,
    health_needs_no_secret,
);

/// One valid request for every operation.
fn every_request(app: &App) -> Vec<RequestBuilder> {
    let player = id(1);
    let scramble = json!({"server": "s", "players": ids(1..=4)});
    let update = round("s", "1", "a", &[1], &[2]);
    let bare = |method, path: &str| app.bare(method, path);
    vec![
        bare(Method::POST, "/v1/update").json(&update),
        bare(Method::POST, "/v1/scramble").json(&scramble),
        bare(Method::GET, "/v1/scramble?server=s"),
        bare(Method::GET, &format!("/v1/players/{player}")),
        bare(Method::GET, "/nothing/here"),
        bare(Method::DELETE, "/v1/update"),
    ]
}

fn every_admin_request(app: &App) -> Vec<RequestBuilder> {
    let path = format!("/v1/admin/players/{}", id(1));
    vec![
        app.bare(Method::GET, "/v1/admin/quality"),
        app.bare(Method::GET, &path),
        app.bare(Method::PUT, &path).json(&json!({"rating": 1500})),
        app.bare(Method::POST, &format!("{path}/reset")),
    ]
}

async fn nothing_is_told_or_done_without_a_secret(app: &App) {
    for request in every_request(app)
        .into_iter()
        .chain(every_admin_request(app))
    {
        let (headers, problem) = refused(request, 401).await;
        assert_eq!(headers["www-authenticate"], "Bearer realm=\"rbs\"");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains("\"Authorization: Bearer <secret>\""),
            "{problem}"
        );
    }
    assert_nothing_stored(app).await;
    refused(app.request(Method::GET, "/v1/scramble?server=s"), 404).await;
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
    for value in &values {
        for request in every_request(app)
            .into_iter()
            .chain(every_admin_request(app))
        {
            let request = request.header("authorization", value.as_bytes());
            refused(request, 401).await;
        }
    }
    for name in ["x-secret", "cookie", "proxy-authorization"] {
        let request = app.bare(Method::GET, "/v1/scramble?server=s");
        refused(request.header(name, format!("Bearer {SECRET}")), 401).await;
    }
    refused(
        app.bare(
            Method::GET,
            &format!("/v1/players/{}?secret={SECRET}", id(1)),
        ),
        401,
    )
    .await;
    assert_nothing_stored(app).await;
}

async fn the_schemes_name_is_read_in_any_case(app: &App) {
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        let request = app
            .bare(Method::GET, &format!("/v1/players/{}", id(1)))
            .header("authorization", format!("{scheme} {SECRET}"));
        let (status, body) = send(request).await;
        assert_eq!(status, StatusCode::OK, "{scheme}: {body}");
    }
}

async fn a_game_servers_secret_opens_no_admin_path(app: &App) {
    for request in every_admin_request(app) {
        let (_, problem) = refused(request.bearer_auth(SECRET), 403).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("admin secret"), "{problem}");
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

async fn the_admin_secret_opens_everything(app: &App) {
    for request in every_admin_request(app) {
        let (status, body) = send(request.bearer_auth(ADMIN_SECRET)).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let statuses = [200, 200, 200, 200, 404, 405];
    for (request, expected) in every_request(app).into_iter().zip(statuses) {
        let (status, body) = send(request.bearer_auth(ADMIN_SECRET)).await;
        assert_eq!(status.as_u16(), expected, "{body}");
    }
}

async fn instance(app: &App, secret: &str, admin_secret: Option<&str>) -> Instance {
    let database = app.settings.database.clone();
    let settings = settings_with_secrets(database, secret, admin_secret);
    Instance::start(&settings, app.clock.clone()).await
}

/// Statuses for `secret` on a game server's path and on an admin's path.
async fn statuses(app: &App, instance: &Instance, secret: &str) -> (u16, u16) {
    let player = format!("/v1/players/{}", id(1));
    let get = async |path: &str| {
        let request = app.bare_to(&instance.address, Method::GET, path);
        send(request.bearer_auth(secret)).await.0.as_u16()
    };
    (get(&player).await, get("/v1/admin/quality").await)
}

async fn any_of_several_secrets_opens(app: &App) {
    let several = instance(app, "old-one,new-one", Some("old-admin, new-admin")).await;
    for secret in ["old-one", "new-one"] {
        assert_eq!(
            statuses(app, &several, secret).await,
            (200, 403),
            "{secret}"
        );
    }
    for secret in ["old-admin", "new-admin"] {
        assert_eq!(
            statuses(app, &several, secret).await,
            (200, 200),
            "{secret}"
        );
    }
    for secret in ["old-one,new-one", "old", SECRET, ADMIN_SECRET, ","] {
        assert_eq!(
            statuses(app, &several, secret).await,
            (401, 401),
            "{secret}"
        );
    }
    several.stop().await;
}

async fn without_an_admin_secret_the_game_servers_opens_everything(app: &App) {
    let one = instance(app, SECRET, None).await;
    assert_eq!(statuses(app, &one, SECRET).await, (200, 200));
    assert_eq!(statuses(app, &one, ADMIN_SECRET).await, (401, 401));
    one.stop().await;
}

async fn health_needs_no_secret(app: &App) {
    for (path, expected) in [
        ("/healthz", json!({"status": "ok"})),
        ("/readyz", json!({"status": "ready"})),
    ] {
        for request in [
            app.bare(Method::GET, path),
            app.request(Method::GET, path),
            app.bare(Method::GET, path).bearer_auth("wrong"),
        ] {
            let (status, body) = send(request).await;
            assert_eq!(status, StatusCode::OK, "{body}");
            assert_eq!(body, expected);
        }
    }
}
