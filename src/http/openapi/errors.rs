use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};

use super::PROBLEM_JSON;

type Responses = BTreeMap<String, RefOr<Response>>;

/// How any request that needs a secret may be refused.
pub(crate) struct Refusals;

/// How one may be refused that needs no secret.
pub(crate) struct OpenRefusals;

/// How one with a body may be refused.
pub(crate) struct BodyRefusals;

const ANY: [(&str, &str); 7] = [
    ("400", "The path or the query string is malformed."),
    ("401", "No secret, or none that is in force."),
    (
        "403",
        "The secret is not for this: a game server's on an admin path, or one for other servers or pools.",
    ),
    (
        "422",
        "Well-formed but not acceptable; `errors` names the fields.",
    ),
    (
        "429",
        "Too many requests; `Retry-After` says when to come back.",
    ),
    (
        "500",
        "RBS failed; the log has the reason under this answer's `x-request-id`.",
    ),
    (
        "503",
        "The database does not answer, or not in time; `Retry-After` says when to send the same again.",
    ),
];

const WITH_BODY: [(&str, &str); 3] = [
    ("400", "Not JSON, or not an object."),
    ("413", "The body is over 256 KiB."),
    ("415", "The body is not sent as JSON."),
];

fn refusal(status: &str, description: &str) -> RefOr<Response> {
    let problem = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("ProblemAnswer")))
        .build();
    let mut response = ResponseBuilder::new()
        .description(description)
        .content(PROBLEM_JSON, problem);
    let mut header = |name: &str, kind: Type, description: &str| {
        let header = HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(kind)))
            .description(Some(description))
            .build();
        response = std::mem::take(&mut response).header(name, header);
    };
    match status {
        "401" => header("WWW-Authenticate", Type::String, "How to send a secret."),
        "429" | "503" => header("Retry-After", Type::Integer, "Seconds to wait."),
        _ => {}
    }
    response.build().into()
}

fn refusals(refusals: &[(&str, &str)]) -> Responses {
    let refusals = refusals.iter();
    refusals
        .map(|(status, description)| ((*status).to_owned(), refusal(status, description)))
        .collect()
}

impl IntoResponses for Refusals {
    fn responses() -> Responses {
        refusals(&ANY)
    }
}

impl IntoResponses for OpenRefusals {
    fn responses() -> Responses {
        let mut all = refusals(&ANY);
        all.retain(|status, _| !["401", "403"].contains(&status.as_str()));
        all
    }
}

impl IntoResponses for BodyRefusals {
    fn responses() -> Responses {
        let mut all = refusals(&ANY);
        all.append(&mut refusals(&WITH_BODY));
        all
    }
}
