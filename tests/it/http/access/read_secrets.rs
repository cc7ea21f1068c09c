//! Read-only secrets, and the paths that they open.

use rbs::http::openapi_json;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, id, round};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, settings_from};

same_on_both_databases!(
    a_secret_for_reading_opens_what_its_scopes_name_and_nothing_else,
    any_of_several_secrets_for_reading_opens_until_it_is_removed,
    a_secret_for_reading_is_good_for_no_more_where_no_admin_secret_is_set,
    a_secret_for_reading_that_asks_too_often_is_refused_with_when_to_come_back,
);

const READ: &str = "the-dashboards-read-secret";

const METRICS: [&str; 1] = ["/metrics"];
const FIGURES: [&str; 7] = [
    "/v1/leaderboard",
    "/v1/admin/quality",
    "/v1/admin/quality/history",
    "/v1/admin/models",
    "/v1/admin/pools",
    "/v1/admin/activity",
    "/v1/admin/interventions/summary",
];

async fn start(app: &App, configuration: &str, read: &str, admin: Option<&str>) -> Instance {
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", admin),
        ("RBS_READ_SECRET", Some(read)),
    ];
    let settings = settings_from(app.settings.database.clone(), configuration, &variables);
    Instance::start(&settings, app.clock.clone()).await
}

/// Method and path of every operation that requires a secret, with all parameters filled in.
fn operations() -> Vec<(Method, String)> {
    let description: Value = serde_json::from_str(openapi_json()).expect("JSON");
    let mut found = Vec::new();
    for (path, methods) in description["paths"].as_object().expect("paths") {
        let filled = path
            .replace("{id}", &id(1))
            .replace("{server}", "s")
            .replace("{round_id}", "1");
        for (method, operation) in methods.as_object().expect("operations") {
            if !operation["security"].is_array() {
                let method = method.to_uppercase().parse().expect("a method");
                found.push((method, filled.clone()));
            }
        }
    }
    found
}

async fn status(app: &App, to: &Instance, secret: &str, path: &str) -> StatusCode {
    let request = app
        .bare_to(&to.address, Method::GET, path)
        .bearer_auth(secret);
    request.send().await.expect("an answer").status()
}

async fn a_secret_for_reading_opens_what_its_scopes_name_and_nothing_else(app: &App) {
    let both: Vec<&str> = METRICS.into_iter().chain(FIGURES).collect();
    for (configuration, open) in [
        ("", both.as_slice()),
        ("read_scopes = [\"metrics\"]", &METRICS),
        ("read_scopes = [\"figures\"]", &FIGURES),
    ] {
        let instance = start(app, configuration, READ, Some(ADMIN_SECRET)).await;
        let ask = |method: &Method, path: &str| {
            let request = app.bare_to(&instance.address, method.clone(), path);
            request.bearer_auth(READ)
        };
        let mut opened = 0;
        let mut others: Vec<(Method, String)> = operations();
        for (method, path) in [
            (Method::GET, "/nothing/here"),
            (Method::GET, "/v1/admin"),
            (Method::GET, "/v1/admin/quality/"),
            (Method::POST, "/metrics"),
            (Method::DELETE, "/v1/leaderboard"),
        ] {
            others.push((method, path.to_owned()));
        }
        for (method, path) in others {
            if method == Method::GET && open.contains(&path.as_str()) {
                for method in [Method::GET, Method::HEAD] {
                    let answer = ask(&method, &path).send().await.expect("an answer");
                    assert_eq!(answer.status(), StatusCode::OK, "{method} {path}");
                }
                opened += 1;
                continue;
            }
            let body = round("s", "1", "a", &[1], &[2]);
            let (_, problem) = refused(ask(&method, &path).json(&body), 403).await;
            let detail = problem["detail"].as_str().expect("a sentence");
            for named in open.iter().chain(&["read-only", "read_scopes"]) {
                assert!(detail.contains(named), "{method} {path}: {problem}");
            }
        }
        assert_eq!(opened, open.len());
        assert_eq!(
            status(app, &instance, READ, "/readyz").await,
            StatusCode::OK
        );
        instance.stop().await;
    }
    assert_nothing_stored(app).await;
}

async fn any_of_several_secrets_for_reading_opens_until_it_is_removed(app: &App) {
    for (secrets, statuses) in [
        ("the-old-read-secret", [200, 401]),
        ("the-old-read-secret,the-new-read-secret", [200, 200]),
        ("the-new-read-secret", [401, 200]),
    ] {
        let instance = start(app, "", secrets, Some(ADMIN_SECRET)).await;
        for (secret, expected) in ["the-old-read-secret", "the-new-read-secret"]
            .into_iter()
            .zip(statuses)
        {
            let status = status(app, &instance, secret, "/metrics").await;
            assert_eq!(status, expected, "{secret} of {secrets}");
        }
        instance.stop().await;
    }
}

async fn a_secret_for_reading_is_good_for_no_more_where_no_admin_secret_is_set(app: &App) {
    let instance = start(app, "", READ, None).await;
    let quality = "/v1/admin/quality";
    for secret in [READ, SECRET] {
        let status = status(app, &instance, secret, quality).await;
        assert_eq!(status, StatusCode::OK, "{secret}");
    }
    let player = format!("/v1/admin/players/{}", id(1));
    let set = app.bare_to(&instance.address, Method::PUT, &player);
    let set = set.bearer_auth(READ).json(&json!({"rating": 1500}));
    refused(set, 403).await;
    instance.stop().await;
    refused(app.bare(Method::GET, quality).bearer_auth(READ), 401).await;
    assert_nothing_stored(app).await;
}

async fn a_secret_for_reading_that_asks_too_often_is_refused_with_when_to_come_back(app: &App) {
    let limit = "requests_per_second = 0.001\nburst = 2";
    let instance = start(app, limit, READ, Some(ADMIN_SECRET)).await;
    for expected in [200, 200, 429] {
        assert_eq!(status(app, &instance, READ, "/metrics").await, expected);
    }
    assert_eq!(status(app, &instance, SECRET, "/metrics").await, 200);
    instance.stop().await;
}
