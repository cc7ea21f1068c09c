//! Read-only secrets, and the paths that they open.

use reqwest::{Method, StatusCode};
use serde_json::json;

use super::operations;
use crate::http::{assert_nothing_stored, id, round};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, settings_from};

same_on_both_databases!(
    a_secret_for_reading_opens_what_its_scopes_name_and_nothing_else,
    a_secret_for_reading_is_good_for_no_more_where_no_admin_secret_is_set,
);

pub(super) const READ: &str = "the-dashboards-read-secret";

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

async fn start(app: &App, configuration: &str, admin: Option<&str>) -> Instance {
    let read = format!("the-old-read-secret,{READ}");
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", admin),
        ("RBS_READ_SECRET", Some(&read)),
    ];
    let settings = settings_from(app.settings.database.clone(), configuration, &variables);
    Instance::start(&settings, app.clock.clone()).await
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
        let instance = start(app, configuration, Some(ADMIN_SECRET)).await;
        let ask = |method: &Method, path: &str| {
            let request = app.bare_to(&instance.address, method.clone(), path);
            request.bearer_auth(READ)
        };
        let mut opened = 0;
        let others = [
            (Method::GET, "/nothing/here"),
            (Method::GET, "/v1/admin/quality/"),
            (Method::POST, "/metrics"),
            (Method::DELETE, "/v1/leaderboard"),
        ]
        .map(|(method, path)| (method, path.to_owned()));
        for (method, path) in operations().into_iter().chain(others) {
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
        instance.stop().await;
    }
    assert_nothing_stored(app).await;
}

async fn a_secret_for_reading_is_good_for_no_more_where_no_admin_secret_is_set(app: &App) {
    let instance = start(app, "", None).await;
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
