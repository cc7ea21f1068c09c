//! The API as OpenAPI 3.1 describes it, made from the handlers' own types.

pub(crate) mod docs;
pub(crate) mod errors;
pub(crate) mod examples;
pub(crate) mod strict;

use std::sync::LazyLock;

use serde_json::{Value, json};
use utoipa::PartialSchema as _;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{Components, InfoBuilder, OpenApi, SecurityRequirement, ServerBuilder};

use super::routes;
use crate::api::ProblemAnswer;
use crate::api::schema::{RoundInPath, ServerInPath};
use crate::domain::FieldProblem;

pub(crate) use super::problem::PROBLEM_JSON;
pub(crate) use errors::{
    BodyRefusals, ChangeRefusals, OpenRefusals, PoolBodyRefusals, PoolRefusals,
    RecomputationRefusals, Refusals, RoundChangeRefusals, RoundRefusals,
};

/// The name of the security scheme.
const SECRET: &str = "secret";

const ABOUT: &str = "\
Ratings, balance and scramble for community game servers: plugins report rounds and get every \
participant's new rating back, and ask for balanced teams.

Every request carries a secret, `Authorization: Bearer <secret>`. Where an admin secret is set apart, \
`/v1/admin/…` needs it. Player ids are read in several forms and written as decimal texts; times are \
read as RFC 3339 or unix seconds and written as RFC 3339. Every key of an answer is always there, \
`null` where there is nothing, and integers fit 32 signed bits. Unknown fields and query keys are \
refused. A refusal is problem+json (RFC 9457).

F1 to F11 are the formulas of docs/ratings.md, where they are explained.";

const TAGS: [(&str, &str); 7] = [
    ("Rounds", "What game servers report."),
    (
        "Splits",
        "Two teams of equal size out of those who may play.",
    ),
    ("Balance", "A match in mid-round, and who joins it."),
    (
        "Matches",
        "Who of those who wait in a queue plays whom, and where.",
    ),
    ("Players", "Who a player is."),
    (
        "Admin",
        "For admins: ratings, rounds, and whether the predictions are honest.",
    ),
    ("Operation", "Whether and how the service runs."),
];

/// The description, as text. It is made once, since nothing of it ever changes in a process.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = format!("{:#}", description());
    text.push('\n');
    text
});

/// The OpenAPI description of every route, as JSON text.
#[must_use]
pub fn openapi_json() -> &'static str {
    &TEXT
}

/// The OpenAPI description of every route.
pub(crate) fn description() -> Value {
    let mut api = routes().into_openapi();
    frame(&mut api);
    // The types of the library can always be written as JSON.
    let mut described = serde_json::to_value(&api).unwrap_or_default();
    strict::close_schemas(&mut described);
    examples::insert(&mut described);
    described["openapi"] = json!("3.1.0");
    described
}

/// What is described once for all routes.
fn frame(api: &mut OpenApi) {
    api.info = InfoBuilder::new()
        .title("RBS")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .build();
    api.servers = Some(vec![
        ServerBuilder::new()
            .url("/")
            .description(Some("Where this description came from"))
            .build(),
    ]);
    api.tags = Some(
        TAGS.map(|(name, description)| {
            TagBuilder::new()
                .name(name)
                .description(Some(description))
                .build()
        })
        .to_vec(),
    );
    api.security = Some(vec![SecurityRequirement::new(SECRET, Vec::<String>::new())]);
    let scheme = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(
            "A game server's secret, or for everything an admin's, or for metrics and figures alone one that \
             only reads.",
        ))
        .build();
    let components = api.components.get_or_insert_with(Components::new);
    components.add_security_scheme(SECRET, SecurityScheme::Http(scheme));
    for (name, schema) in [
        ("ProblemAnswer", ProblemAnswer::schema()),
        ("FieldProblem", FieldProblem::schema()),
        // What stands in a path alone is not found by itself.
        ("ServerInPath", ServerInPath::schema()),
        ("RoundInPath", RoundInPath::schema()),
    ] {
        components.schemas.insert(name.to_owned(), schema);
    }
}
