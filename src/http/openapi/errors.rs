use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};

use super::PROBLEM_JSON;

type Responses = BTreeMap<String, RefOr<Response>>;

/// HTTP status of an error response, and the sentence that says when the response is sent.
type Refusal = (&'static str, &'static str);

const ANY: [Refusal; 5] = [
    ("400", "The path or the query string is malformed."),
    (
        "422",
        "The request has invalid fields; `errors` names them.",
    ),
    (
        "429",
        "Too many requests; send the request again after `Retry-After`.",
    ),
    (
        "500",
        "RBS failed; the log has the reason under this answer's `x-request-id`.",
    ),
    (
        "503",
        "The database does not answer, or not in time; send the same request again after `Retry-After`.",
    ),
];

const SECRET: [Refusal; 2] = [
    ("401", "The request has no secret, or an unknown one."),
    (
        "403",
        "The secret does not allow this request: it is a game server's secret on an admin path, is bound to other servers or pools, or is read-only.",
    ),
];

const POOL: [Refusal; 1] = [("404", "There is no such pool.")];

const BODY: [Refusal; 3] = [
    ("400", "The body is not JSON, or not a JSON object."),
    ("413", "The body is over 256 KiB."),
    ("415", "The body is not sent as JSON, or is compressed."),
];

const ROUND: [Refusal; 2] = [
    ("404", "There is no such round."),
    (
        "410",
        "The round is pruned: it still counts, but only the file that `rbs prune` wrote contains it.",
    ),
];

const CHANGE: [Refusal; 1] = [("409", "The `change_id` was used for another change.")];

const RECOMPUTATION: [Refusal; 1] = [(
    "409",
    "The pool's ratings are already being recomputed, the recomputation for this request was cancelled, the change to undo is pruned, or the `change_id` was used for another change.",
)];

/// Declares types that list the error responses of handlers for the API description. Each type joins lists such as
/// `ANY`; of two responses with one status, the later is used.
macro_rules! refusal_sets {
    ($($name:ident: $($part:ident)+;)+) => {$(
        pub(crate) struct $name;

        impl IntoResponses for $name {
            fn responses() -> Responses {
                let parts = [$(&$part[..]),+].concat().into_iter();
                parts
                    .map(|(status, description)| (status.to_owned(), refusal(status, description)))
                    .collect()
            }
        }
    )+};
}

refusal_sets! {
    OpenRefusals: ANY;
    Refusals: ANY SECRET;
    PoolRefusals: ANY SECRET POOL;
    BodyRefusals: ANY SECRET BODY;
    PoolBodyRefusals: ANY SECRET POOL BODY;
    RoundRefusals: ANY SECRET ROUND;
    RoundChangeRefusals: ANY SECRET BODY ROUND RECOMPUTATION;
    ChangeRefusals: ANY SECRET POOL BODY CHANGE;
    RecomputationRefusals: ANY SECRET POOL BODY RECOMPUTATION;
}

fn refusal(status: &str, description: &str) -> RefOr<Response> {
    let problem = Ref::from_schema_name("ProblemAnswer");
    let problem = ContentBuilder::new().schema(Some(problem)).build();
    let response = ResponseBuilder::new()
        .description(description)
        .content(PROBLEM_JSON, problem);
    let (name, kind, description) = match status {
        "401" => ("WWW-Authenticate", Type::String, "How to send a secret."),
        "429" | "503" => ("Retry-After", Type::Integer, "Seconds to wait."),
        _ => return response.build().into(),
    };
    let header = HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(kind)))
        .description(Some(description))
        .build();
    response.header(name, header).build().into()
}
