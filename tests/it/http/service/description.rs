//! The OpenAPI description: complete, public, and with correct examples.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rbs::domain::Timestamp;
use rbs::http::{openapi_json, router};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{App, LIMITS, parts, refused, refused_saying, send};

same_on_both_databases!(
    every_route_and_method_is_described,
    the_description_and_the_page_need_no_secret_and_no_other_host,
    every_example_is_what_really_comes_back,
);

/// Routes outside the API: pages, files and fallbacks.
const UNDESCRIBED: [&str; 6] = [
    "/",
    "/favicon.ico",
    "/robots.txt",
    "/session",
    "/assets/{*path}",
    "/{*__private__axum_fallback}",
];

pub(in crate::http) fn description() -> Value {
    serde_json::from_str(openapi_json()).expect("JSON")
}

/// A path with all parameters filled in.
pub(in crate::http) fn filled(path: &str) -> String {
    let path = path.replace("{id}", "76561197960265729");
    path.replace("{server}", "s").replace("{round_id}", "1")
}

pub(in crate::http) fn operations(description: &Value) -> Vec<(String, String, &Value)> {
    let paths = description["paths"].as_object().expect("paths");
    let all = paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().expect("operations").iter();
        operations.map(|(method, operation)| (path.clone(), method.to_uppercase(), operation))
    });
    all.collect()
}

fn in_the_project(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn the_committed_description_is_the_one_that_is_served() {
    let committed = std::fs::read_to_string(in_the_project("docs/openapi.json"));
    let committed: Value = serde_json::from_str(&committed.expect("a file")).expect("JSON");
    assert!(
        committed == description(),
        "docs/openapi.json is not what the service says of itself; renew it with\n  cargo run -- \
         openapi >docs/openapi.json"
    );
}

#[test]
fn every_operation_says_what_it_is() {
    let description = description();
    let mut ids = BTreeSet::new();
    let tags = description["tags"].as_array().expect("tags");
    for (path, method, operation) in operations(&description) {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(ids.insert(id.to_owned()), "{id} stands twice");
        assert!(
            operation["summary"].is_string(),
            "{method} {path} has no summary"
        );
        let known = |tag: &Value| tag["name"] == operation["tags"][0];
        assert!(tags.iter().any(known), "{method} {path} has an unknown tag");
        let responses = operation["responses"].as_object().expect("responses");
        let open = operation["security"].is_array();
        assert_eq!(responses.contains_key("401"), !open, "{method} {path}");
        for (status, response) in responses {
            let mut kinds = response["content"].as_object().expect("a body").keys();
            let is_problem = kinds.any(|kind| kind == "application/problem+json");
            assert_eq!(
                is_problem,
                status.starts_with(['4', '5']),
                "{method} {path}: {status}"
            );
        }
    }
}

/// Reads the sources, because the parameters of a handler are unavailable at run time.
#[test]
fn every_query_is_described_where_it_is_read() {
    let folders = ["src/http/resources", "src/http/resources/admin"].map(in_the_project);
    let mut found = 0;
    for file in folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder"))
    {
        let path = file.expect("an entry").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        for operation in text.split("#[utoipa::path(").skip(1) {
            let (described, handler) = operation.split_once("async fn").expect("a handler");
            let Some((_, query)) = handler.split_once(": QueryFields<") else {
                continue;
            };
            let (query, _) = query.split_once('>').expect("a type");
            found += 1;
            let (_, params) = described.split_once("params(").unwrap_or_default();
            let words = params.split(|character: char| !character.is_alphanumeric());
            assert!(
                words.into_iter().any(|word| word == query),
                "{}: {query} is read and not described; name it among the `params`",
                path.display()
            );
        }
    }
    assert!(found > 10, "only {found} queries were found");
}

async fn every_route_and_method_is_described(app: &App) {
    let description = description();
    let described: BTreeSet<String> = operations(&description)
        .into_iter()
        .map(|(path, _, _)| path)
        .collect();
    let whole = router(parts(app.first.service.clone(), &app.settings, LIMITS));
    let output = format!("{whole:?}");
    let routed: BTreeSet<String> = output
        .split('"')
        .filter(|text| text.starts_with('/') && !UNDESCRIBED.contains(text))
        .map(str::to_owned)
        .collect();
    assert_eq!(
        routed, described,
        "a route is not described; add it with `routes!`, and #[utoipa::path] on its handler"
    );
    let odd = Method::from_bytes(b"BREW").expect("a method");
    for path in described {
        let (headers, problem) = refused(app.admin(odd.clone(), &filled(&path)), 405).await;
        let methods = headers["allow"].to_str().expect("a text").split(',');
        let allowed: BTreeSet<&str> = methods.filter(|method| *method != "HEAD").collect();
        let all = operations(&description);
        let of_path = all.iter().filter(|(of, _, _)| *of == path);
        let listed: BTreeSet<&str> = of_path.map(|(_, method, _)| method.as_str()).collect();
        assert_eq!(allowed, listed, "{path}");
        let detail = problem["detail"].as_str().expect("a detail");
        let (_, named) = detail.split_once("; use ").expect("the methods");
        let named: BTreeSet<&str> = named.split(" or ").collect();
        assert_eq!(named, listed, "{path}");
    }
    let slip = app.admin(Method::POST, "/v1/update/");
    refused_saying(slip, 404, "; did you mean /v1/update? /docs lists").await;
}

async fn the_description_and_the_page_need_no_secret_and_no_other_host(app: &App) {
    let get = async |path: &str, kind: &str| {
        let answer = app.bare(Method::GET, path).send().await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()["content-type"], kind, "{path}");
        answer
    };
    let served = get("/openapi.json", "application/json").await;
    let served: Value = served.json().await.expect("JSON");
    assert!(served == description(), "another description is served");
    let page = get("/docs", "text/html; charset=utf-8").await;
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .expect("a text");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    let page = page.text().await.expect("a text");
    assert!(!page.contains("://"), "{page}");
}

async fn play(app: &App, description: &Value, example: &Value) -> (StatusCode, Value) {
    let all = operations(description);
    let found = all
        .iter()
        .find(|(_, _, operation)| operation["operationId"] == example["operation"]);
    let (path, method, operation) = found.unwrap_or_else(|| panic!("no operation: {example}"));
    let mut path = path.clone();
    let mut query = Vec::new();
    for (name, value) in example["parameters"].as_object().into_iter().flatten() {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let template = format!("{{{name}}}");
        if path.contains(&template) {
            path = path.replace(&template, &value);
        } else {
            query.push(format!("{name}={value}"));
        }
    }
    let mark = if query.is_empty() { "" } else { "?" };
    let target = format!("{path}{mark}{}", query.join("&"));
    let method: Method = method.parse().expect("a method");
    let mut request = if operation["security"].is_array() {
        app.bare(method, &target)
    } else if path.starts_with("/v1/admin/") {
        app.admin(method, &target)
    } else {
        app.request(method, &target)
    };
    if let Some(body) = example.get("request") {
        request = request.json(body);
    }
    send(request).await
}

/// Removes request times, request ids, notice names and log-in links.
fn without_chance(mut answer: Value) -> Value {
    if answer.get("made_at").is_some() && answer.get("kind").is_some() {
        answer["name"] = json!("drawn by lot");
    }
    let secrets = answer.get_mut("secrets").and_then(Value::as_array_mut);
    for secret in secrets.into_iter().flatten() {
        (secret["requests"], secret["last_used"]) = (json!("as many as there are"), json!("then"));
    }
    if answer.get("qr").is_some() {
        (answer["url"], answer["qr"]) = (json!("drawn by lot"), json!([]));
    }
    if let Some(text) = answer.get_mut("text") {
        *text = json!("sizes and versions");
    }
    let refusals = answer.get_mut("refusals").and_then(Value::as_array_mut);
    for refusal in refusals.into_iter().flatten() {
        refusal["request_id"] = json!("drawn by lot");
    }
    answer
}

async fn every_example_is_what_really_comes_back(app: &App) {
    /// Start of the test clock.
    const NOON: i64 = 1_795_176_000;
    const FILE: &str = "src/http/openapi/examples.json";
    let text = std::fs::read_to_string(in_the_project(FILE)).expect("the examples");
    let mut examples: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let renew = std::env::var_os("RBS_RENEW_EXAMPLES").is_some();
    let description = description();
    let mut shown = BTreeSet::new();
    let mut seconds = 0;
    for example in &mut examples {
        seconds += 1;
        let now = Timestamp::from_unix_seconds(NOON + seconds).expect("a moment");
        app.clock.set(now);
        let (status, answer) = play(app, &description, example).await;
        assert_eq!(
            json!(status.as_u16()),
            example["status"],
            "{example}: {answer}"
        );
        if status.is_success() {
            shown.insert(example["operation"].as_str().expect("an id").to_owned());
        }
        if renew {
            example["answer"] = answer;
            continue;
        }
        let expected = without_chance(example["answer"].clone());
        assert!(
            without_chance(answer.clone()) == expected,
            "{} {} in {FILE} is not what comes back; renew it with RBS_RENEW_EXAMPLES=1 scripts/test.sh \
             --test it every_example, then docs/openapi.json\n  actual: {answer}\nexpected: {expected}",
            example["operation"],
            example["name"]
        );
    }
    if renew {
        let text = format!("{:#}\n", Value::Array(examples));
        std::fs::write(in_the_project(FILE), text).expect("the examples are written");
    }
    for (path, method, operation) in operations(&description) {
        let id = operation["operationId"].as_str().expect("an id");
        let is_json = operation["responses"]["200"]["content"]["application/json"].is_object();
        assert!(
            shown.contains(id) || !is_json || id == "describe",
            "{method} {path} has no example that works; add one to {FILE}"
        );
    }
}
