use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

use super::app::{ADMIN_SECRET, SECRET};

/// Sends a request and reads the JSON answer, which must satisfy the rules for all answers.
pub async fn send(request: RequestBuilder) -> (StatusCode, Value) {
    let (status, _, body) = send_for_headers(request).await;
    (status, body)
}

pub async fn send_for_headers(request: RequestBuilder) -> (StatusCode, HeaderMap, Value) {
    read(request.send().await.expect("an answer")).await
}

/// Sends a request that must be refused with `status` as documented. Returns the headers and the body of the refusal.
pub async fn refused(request: RequestBuilder, status: u16) -> (HeaderMap, Value) {
    let (actual, headers, body) = send_for_headers(request).await;
    assert_eq!(actual.as_u16(), status, "{body}");
    assert_problem(actual, &headers, &body);
    (headers, body)
}

/// Sends a request that must be answered with 200. Returns the body.
pub async fn answered(request: RequestBuilder) -> Value {
    let response = request.send().await.expect("an answer");
    let url = response.url().clone();
    let (status, _, body) = read(response).await;
    assert_eq!(status, StatusCode::OK, "{url}: {body}");
    body
}

/// Like `refused`, and the detail must contain `says`. Returns the body.
pub async fn refused_saying(request: RequestBuilder, status: u16, says: &str) -> Value {
    let (_, problem) = refused(request, status).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(detail.contains(says), "\"{says}\" is not in {problem}");
    problem
}

/// Pointers of the fields that a refusal names.
pub fn fields(problem: &Value) -> Vec<&str> {
    let errors = problem["errors"].as_array();
    let errors = errors.unwrap_or_else(|| panic!("names no field: {problem}"));
    let field = |error: &'_ Value| error["field"].as_str().is_some();
    assert!(errors.iter().all(field), "{problem}");
    errors
        .iter()
        .filter_map(|error| error["field"].as_str())
        .collect()
}

async fn read(response: Response) -> (StatusCode, HeaderMap, Value) {
    let status = response.status();
    let headers = response.headers().clone();
    let text = response.text().await.expect("a body");
    let body = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{status} has a body that is no JSON: {error}: {text}"));
    for secret in [SECRET, ADMIN_SECRET] {
        assert!(
            !text.contains(secret) && !format!("{headers:?}").contains(secret),
            "an answer reveals a secret: {headers:?} {text}"
        );
    }
    assert_readable_by_plugins(&body, "");
    if status.is_success() {
        assert_eq!(headers[CONTENT_TYPE], "application/json", "{text}");
    } else {
        assert_problem(status, &headers, &body);
    }
    (status, headers, body)
}

/// Plugins read signed 32-bit integers, and ids as text.
fn assert_readable_by_plugins(value: &Value, place: &str) {
    match value {
        Value::Number(number) if number.is_f64() => {}
        Value::Number(number) => assert!(
            number.as_i64().is_some_and(|n| i32::try_from(n).is_ok()),
            "{place} is {number}, which does not fit 32 signed bits"
        ),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                assert_readable_by_plugins(item, &format!("{place}/{index}"));
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                if key == "id" {
                    let id = member.as_str().unwrap_or_default();
                    assert!(
                        id.len() == 17 && id.bytes().all(|byte| byte.is_ascii_digit()),
                        "{place}/id is {member}, not a decimal string"
                    );
                }
                assert_readable_by_plugins(member, &format!("{place}/{key}"));
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Checks the rules of every refusal: RFC 9457 members, and headers that depend on the status.
fn assert_problem(status: StatusCode, headers: &HeaderMap, body: &Value) {
    assert_eq!(
        headers[CONTENT_TYPE], "application/problem+json",
        "{status}: {body}"
    );
    let mut keys: Vec<&str> = body
        .as_object()
        .unwrap_or_else(|| panic!("{status}: {body}"))
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        ["detail", "errors", "status", "title", "type"],
        "{body}"
    );
    assert_eq!(body["type"], "about:blank", "{body}");
    assert_eq!(body["status"], json!(status.as_u16()), "{body}");
    assert_eq!(
        body["title"],
        json!(status.canonical_reason().expect("a known status")),
        "{body}"
    );
    let detail = body["detail"].as_str().expect("a detail");
    assert!(!detail.is_empty(), "{body}");
    if status == StatusCode::UNPROCESSABLE_ENTITY {
        let errors = body["errors"].as_array().expect("a list of errors");
        assert!(!errors.is_empty(), "{body}");
        for error in errors {
            let member = |key| error[key].as_str().unwrap_or_default();
            assert!(member("field").starts_with('/'), "{body}");
            assert!(!member("detail").is_empty(), "{body}");
            assert_eq!(error.as_object().map(serde_json::Map::len), Some(2));
        }
    } else {
        assert_eq!(body["errors"], Value::Null, "{body}");
    }
    let wanted = match status {
        StatusCode::UNAUTHORIZED => Some("www-authenticate"),
        StatusCode::METHOD_NOT_ALLOWED => Some("allow"),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            let seconds = headers.get(RETRY_AFTER).map(|value| value.to_str());
            let seconds = seconds.and_then(|text| text.ok()?.parse::<u32>().ok());
            assert!(
                seconds.is_some_and(|seconds| seconds >= 1),
                "{status} does not say when to come back: {headers:?}"
            );
            None
        }
        _ => None,
    };
    if let Some(name) = wanted {
        assert!(headers.contains_key(name), "{status} without {name}");
    }
}
