use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};

use super::PROBLEM_JSON;

type Responses = BTreeMap<String, RefOr<Response>>;

/// A status, and when it is answered.
type Refusal = (&'static str, &'static str);

const ANY: [Refusal; 5] = [
    ("400", "The path or the query string is malformed."),
    (
        "422",
        "Well-formed but not acceptable; `errors` names the fields.",
    ),
    (
        "429",
        "Too many requests; `Retry-After` states when to come back.",
    ),
    (
        "500",
        "RBS failed; the log has the reason under this answer's `x-request-id`.",
    ),
    (
        "503",
        "The database does not answer, or not in time; `Retry-After` states when to send the same again.",
    ),
];

const SECRET: [Refusal; 2] = [
    ("401", "No secret, or none that is accepted."),
    (
        "403",
        "The secret is not for this: a game server's on an admin path, one for other servers or pools, or one that only reads.",
    ),
];

const POOL: [Refusal; 1] = [("404", "There is no such pool.")];

const BODY: [Refusal; 3] = [
    ("400", "Not JSON, or not an object."),
    ("413", "The body is over 256 KiB."),
    ("415", "The body is not sent as JSON."),
];

const ROUND: [Refusal; 2] = [
    ("404", "There is no such round."),
    (
        "410",
        "The round is pruned: a file has it, and it counts as it did.",
    ),
];

const CHANGE: [Refusal; 1] = [("409", "The `change_id` was used for another change.")];

const RECOMPUTATION: [Refusal; 1] = [(
    "409",
    "The ratings of the pool are being computed again already, this was called off, what it undoes is pruned, or the `change_id` was used for another change.",
)];

/// Declares sets of refusals that handlers name among their responses. Where two parts have the same
/// status, the later one describes it.
macro_rules! refusal_sets {
    ($($(#[$doc:meta])* $name:ident: $($part:ident)+;)+) => {$(
        $(#[$doc])*
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
    /// How a request that needs no secret may be refused.
    OpenRefusals: ANY;
    /// How one that needs a secret may be refused.
    Refusals: ANY SECRET;
    /// How one about a pool may be refused.
    PoolRefusals: ANY SECRET POOL;
    /// How one with a body may be refused.
    BodyRefusals: ANY SECRET BODY;
    /// How one with a body about a pool may be refused.
    PoolBodyRefusals: ANY SECRET POOL BODY;
    /// How one for a round may be refused.
    RoundRefusals: ANY SECRET ROUND;
    /// How the change of a round may be refused.
    RoundChangeRefusals: ANY SECRET BODY ROUND RECOMPUTATION;
    /// How a change in a pool may be refused.
    ChangeRefusals: ANY SECRET POOL BODY CHANGE;
    /// How a change in a pool that computes ratings again may be refused.
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
