//! The OpenAPI 3.1 description of the API, generated from the handlers' own types.

pub(crate) mod errors;
pub(crate) mod examples;
pub(crate) mod strict;

use std::sync::LazyLock;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
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

const SECRET: &str = "secret";

const ABOUT: &str = "\
Ratings, balance and scramble for community game servers. Plugins report rounds, get every \
participant's new rating back, and ask for balanced teams.

Every request carries a secret, `Authorization: Bearer <secret>`. If there is a separate admin secret, \
`/v1/admin/…` needs it. Player ids are accepted in several forms and returned as decimal strings; times \
are accepted as RFC 3339 or Unix seconds and returned as RFC 3339. Every answer has all of its keys, \
`null` for those without a value, and integers fit 32 signed bits. Unknown fields and query keys \
are refused. A refusal is problem+json (RFC 9457).

F1 to F11 are formulas that docs/ratings.md explains.";

const TAGS: [(&str, &str); 7] = [
    ("Rounds", "Rounds that game servers report."),
    (
        "Splits",
        "Divide the available players into two teams of equal size.",
    ),
    (
        "Balance",
        "Balance a match mid-round, and place joining players.",
    ),
    (
        "Matches",
        "Form matches from a queue of waiting players, and choose their servers.",
    ),
    ("Players", "Ratings and names of players."),
    (
        "Admin",
        "For admins: change ratings and rounds, and check the quality of the predictions.",
    ),
    ("Operation", "Health, metrics and settings of the service."),
];

/// API description as OpenAPI text. Made once, because it never changes within a process.
static TEXT: LazyLock<String> = LazyLock::new(|| {
    let mut text = format!("{:#}", description());
    text.push('\n');
    text
});

/// Returns the OpenAPI description of every route, as JSON text.
#[must_use]
pub fn openapi_json() -> &'static str {
    &TEXT
}

pub(crate) fn description() -> Value {
    let mut api = routes().into_openapi();
    frame(&mut api);
    // The library's types always serialize to JSON.
    let mut described = serde_json::to_value(&api).unwrap_or_default();
    tag_admins(&mut described);
    strict::close_schemas(&mut described);
    examples::insert(&mut described);
    described["openapi"] = json!("3.1.0");
    described
}

/// Tags every operation below `/v1/admin` that names no tag.
fn tag_admins(described: &mut Value) {
    let paths = described["paths"].as_object_mut().into_iter().flatten();
    let for_admins = paths.filter(|(path, _)| path.starts_with("/v1/admin/"));
    let methods = for_admins.filter_map(|(_, methods)| methods.as_object_mut());
    let operations = methods
        .flatten()
        .filter_map(|(_, operation)| operation.as_object_mut());
    for operation in operations {
        operation.entry("tags").or_insert(json!(["Admin"]));
    }
}

/// Adds the title, the tags, the security scheme and the schemas that all routes share to the API description.
fn frame(api: &mut OpenApi) {
    api.info = InfoBuilder::new()
        .title("RBS")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(ABOUT))
        .build();
    api.servers = Some(vec![
        ServerBuilder::new()
            .url("/")
            .description(Some("The service that returned this description"))
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
            "A game server's secret, an admin's secret, which allows everything, or a read-only secret \
             for metrics and figures.",
        ))
        .build();
    let components = api.components.get_or_insert_with(Components::new);
    components.add_security_scheme(SECRET, SecurityScheme::Http(scheme));
    for (name, schema) in [
        ("ProblemAnswer", ProblemAnswer::schema()),
        ("FieldProblem", FieldProblem::schema()),
        // The library does not collect schemas that only a path refers to.
        ("ServerInPath", ServerInPath::schema()),
        ("RoundInPath", RoundInPath::schema()),
    ] {
        components.schemas.insert(name.to_owned(), schema);
    }
}

pub(crate) const DESCRIPTION: &str = "/openapi.json";
pub(crate) const PAGE: &str = "/docs";

/// Content security policy that lets the page of the API description load its own files and call its own service.
/// Swagger UI draws its icons from `data:` addresses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The OpenAPI description of this API.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1.", content_type = "application/json", body = Object)),
)]
pub(crate) async fn describe() -> Response {
    ([(CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

/// A page that shows the API description and sends trial requests.
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "The page.", content_type = "text/html", body = String)),
)]
pub(crate) async fn show_docs() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    let page = include_str!("../../dashboard/docs/index.html");
    (headers, page).into_response()
}
