//! Recent refusals, by which operators find servers that lose rounds.

use rbs::config::Secrets;
use reqwest::Method;
use serde_json::{Value, json};

use crate::http::service::metrics::{assert_value, metrics};
use crate::http::{ids, round, with};
use crate::support::{App, SECRET, answered, refused};

same_on_both_databases!(
    a_refused_round_names_its_server_the_field_and_the_sentence_that_the_client_got,
    refused_secrets_are_counted_and_never_shown,
    of_a_queue_each_refused_round_is_named,
);

async fn refusals(app: &App) -> Vec<Value> {
    let answer = app.get("/v1/admin/refusals").await;
    assert_eq!(answer["since"], "2026-11-20T12:00:00Z");
    assert_eq!(answer["forgotten"], 0);
    answer["refusals"].as_array().expect("a list").clone()
}

async fn a_refused_round_names_its_server_the_field_and_the_sentence_that_the_client_got(
    app: &App,
) {
    let update = || {
        let request = app.request(Method::POST, "/v1/update");
        let request = request.header("x-request-id", "my-own");
        request.header("x-forwarded-for", "198.51.100.7, 203.0.113.9")
    };
    let odd = round("eu-2", "1", "red", &[1], &[2]);
    let (_, problem) = refused(update().json(&odd), 422).await;
    let found = refusals(app).await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0],
        json!({
            "server": "eu-2", "field": "/winner", "method": "POST", "route": "/v1/update", "status": 422, "count": 1,
            "address": "127.0.0.1", "forwarded_for": "203.0.113.9", "request_id": "my-own",
            "first_at": "2026-11-20T12:00:00Z", "last_at": "2026-11-20T12:00:00Z",
            "secret": Secrets::fingerprint(SECRET), "detail": problem["detail"],
        })
    );

    for (body, status) in [
        (r#"{"round_id": "2", "server": "eu-3", "team_a": ["#, 400),
        (r#"{"server": "eu-3", "pool": "nowhere"}"#, 422),
    ] {
        let sent = update().header("content-type", "application/json");
        refused(sent.body(body), status).await;
        let found = refusals(app).await;
        assert_eq!(found[0]["server"], "eu-3", "{body}: {found:?}");
        assert_eq!(found[0]["status"], status);
    }
    let lobby = json!({"server": "eu-4", "players": ids([1]), "odd": 1});
    refused(app.request(Method::POST, "/v1/scramble").json(&lobby), 422).await;
    assert_eq!(refusals(app).await[0]["server"], "eu-4");
}

async fn refused_secrets_are_counted_and_never_shown(app: &App) {
    let before = metrics(app).await;
    for reason in ["missing", "unknown", "not_allowed"] {
        let series = format!("rbs_secrets_refused_total{{reason=\"{reason}\"}}");
        assert_value(&before, &series, 0.0);
    }
    let body = round("eu-2", "1", "a", &[1], &[2]);
    let update = || app.bare(Method::POST, "/v1/update").json(&body);
    let left_behind = update().bearer_auth("the-secret-of-last-year");
    refused(left_behind.header("x-rbs-server", "eu-2"), 401).await;
    refused(update().header("x-rbs-server", "no server's name"), 401).await;
    refused(app.request(Method::GET, "/v1/admin/pools"), 403).await;
    let found = refusals(app).await;
    let texts = format!("{found:?}");
    assert!(
        !texts.contains("last-year") && !texts.contains(SECRET),
        "{texts}"
    );
    let statuses: Vec<&Value> = found.iter().map(|refusal| &refusal["status"]).collect();
    assert_eq!(statuses, [&json!(403), &json!(401), &json!(401)], "{texts}");
    assert_eq!(found[0]["route"], "/v1/admin/pools");
    let who = |index: usize| json!([found[index]["server"], found[index]["secret"]]);
    let unknown = Secrets::fingerprint("the-secret-of-last-year");
    assert_eq!(who(1), json!([null, null]));
    assert_eq!(who(2), json!(["eu-2", unknown]));
    let after = metrics(app).await;
    for (series, value) in [
        ("rbs_secrets_refused_total{reason=\"missing\"}", 1.0),
        ("rbs_secrets_refused_total{reason=\"unknown\"}", 1.0),
        ("rbs_secrets_refused_total{reason=\"not_allowed\"}", 1.0),
        ("rbs_rounds_rejected_total{reason=\"no_secret\"}", 2.0),
        ("rbs_rounds_rejected_total{reason=\"not_allowed\"}", 0.0),
    ] {
        assert_value(&after, series, value);
    }
}

async fn of_a_queue_each_refused_round_is_named(app: &App) {
    let good = round("eu-1", "1", "a", &[1], &[2]);
    let rounds = json!({"rounds": [
        good,
        with(round("eu-2", "1", "a", &[1], &[2]), json!({"pool": "nowhere"})),
        with(round("eu-3", "1", "a", &[1], &[2]), json!({"team_a": []})),
        with(good.clone(), json!({"winner": "b"})),
    ]});
    let queue = app.request(Method::POST, "/v1/updates").json(&rounds);
    answered(queue).await;
    let found: Vec<Value> = refusals(app)
        .await
        .iter()
        .map(|refusal| json!([refusal["server"], refusal["status"], refusal["field"]]))
        .collect();
    assert_eq!(
        json!(found),
        json!([
            ["eu-1", 409, null],
            ["eu-3", 422, "/team_a"],
            ["eu-2", 404, null]
        ])
    );
    let after = metrics(app).await;
    let lost = "rbs_rounds_rejected_total{reason=\"no_such_pool\"}";
    assert_value(&after, lost, 1.0);
}
