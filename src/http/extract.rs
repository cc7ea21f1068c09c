//! Extractors of bodies, queries and paths. Invalid input becomes a [`Problem`].

use std::str::FromStr;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::IntoParams;

use super::{App, MAX_BODY, Problem};
use crate::api;
use crate::api::schema::{AnyPlayerId, RoundInPath, ServerInPath};
use crate::api::{PoolQuery, ReasonText};
use crate::domain::{ChangeId, InvalidName, InvalidPlayerId, PlayerId, RoundId, ServerName};
use crate::service::{ChangeNote, Pool};

pub(super) struct JsonBody<T>(pub(super) T);

/// JSON body of type `T`, or `T::default()` if the body is empty.
pub(super) struct OptionalJsonBody<T>(pub(super) T);

pub(super) struct QueryFields<T>(pub(super) T);

/// Extractor that refuses a request with query parameters, because its fields belong in the body.
pub(super) struct NoQuery;

/// Server and id of a round in the path of a request, each encoded by [`api::path_part`].
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct PathRound {
    /// Server of the round. Send `.~` and `..~` for the names `.` and `..`.
    #[param(value_type = ServerInPath)]
    pub(super) server: ServerName,
    /// Id of the round. Send `.~` and `..~` for the ids `.` and `..`.
    #[param(value_type = RoundInPath)]
    pub(super) round_id: RoundId,
}

#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct PathServer {
    /// Name of the server. Send `.~` and `..~` for the names `.` and `..`.
    #[param(value_type = ServerInPath)]
    pub(super) server: ServerName,
}

#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct PathPlayer {
    /// Steam id of the player.
    #[param(value_type = AnyPlayerId)]
    pub(super) id: PlayerId,
}

/// Pool named in the query of a request, or the pool `default`. Other query parameters are refused.
pub(super) struct InPool(pub(super) Arc<Pool>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        read_json(request, state, None).await.map(Self)
    }
}

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        read_json(request, state, Some(T::default)).await.map(Self)
    }
}

/// Reads the body of a request as JSON, or returns `default()` if a default is given and the body is empty.
async fn read_json<T: DeserializeOwned, S: Send + Sync>(
    request: Request,
    state: &S,
    default: Option<fn() -> T>,
) -> Result<T, Problem> {
    if let Some(encoding) = encoding(request.headers()) {
        let detail = format!(
            "the body is encoded (\"Content-Encoding: {encoding}\"); send plain JSON without that header"
        );
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let is_json = is_json(request.headers());
    let body = read_body(request, state).await?;
    match default {
        Some(default) if body.is_empty() => Ok(default()),
        _ if is_json && body.trim_ascii().is_empty() => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            "the body is empty; send a JSON object, as /docs shows it for this path",
        )),
        _ if is_json => Ok(api::read(&body)?),
        _ => Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "send the body as JSON, with the header \"Content-Type: application/json\"",
        )),
    }
}

async fn read_body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    let body = Bytes::from_request(request, state).await;
    body.map_err(|rejection| match rejection.status() {
        status @ StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
            status,
            format!("the body is over {MAX_BODY} bytes; send a smaller body"),
        ),
        _ => Problem::broken_off(),
    })
}

/// Returns the content encoding of a request body as printable text, or `None` if the body is not encoded.
fn encoding(headers: &HeaderMap) -> Option<String> {
    let encoding = headers
        .get(header::CONTENT_ENCODING)?
        .as_bytes()
        .escape_ascii()
        .to_string();
    (!encoding.eq_ignore_ascii_case("identity")).then_some(encoding)
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    let essence = content_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| {
        let essence = essence.trim().to_ascii_lowercase();
        essence == "application/json"
            || (essence.starts_with("application/") && essence.ends_with("+json"))
    })
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryFields<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(pairs) = Query::<Vec<(String, String)>>::from_request_parts(parts, state)
            .await
            .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, "the query string is malformed"))?;
        let mut fields = Map::new();
        for (name, value) in pairs {
            if fields.contains_key(&name) {
                return Err(Problem::invalid_field(
                    &format!("/{name}"),
                    "is in the query twice; send it once",
                ));
            }
            fields.insert(name, Value::String(value));
        }
        Ok(Self(api::read(
            Value::Object(fields).to_string().as_bytes(),
        )?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for NoQuery {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Nothing {}

        let QueryFields(Nothing {}) = QueryFields::from_request_parts(parts, state).await?;
        Ok(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathPlayer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let id = Path::<String>::from_request_parts(parts, state)
            .await
            .map_err(|_| InvalidPlayerId::NoAccount);
        id.and_then(|Path(id)| id.parse())
            .map(|id| Self { id })
            .map_err(|error| Problem::invalid_field("/id", error.to_string()))
    }
}

impl FromRequestParts<App> for InPool {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let QueryFields(PoolQuery { pool }) = QueryFields::from_request_parts(parts, app).await?;
        Ok(Self(app.service.pool(pool.as_ref(), None)?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathServer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        let Path(server) = name.map_err(|_| malformed_path())?;
        Ok(Self {
            server: named("/server", &server)?,
        })
    }
}

fn malformed_path() -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        "the path is malformed; encode it as UTF-8",
    )
}

impl<S: Send + Sync> FromRequestParts<S> for PathRound {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((server, round_id)) = names.map_err(|_| malformed_path())?;
        Ok(Self {
            server: named("/server", &server)?,
            round_id: named("/round_id", &round_id)?,
        })
    }
}

/// Parses a name from the path of a request. Its error calls the name `field`.
fn named<Name: FromStr<Err = InvalidName>>(field: &str, part: &str) -> Result<Name, Problem> {
    api::name_of_path_part(part)
        .parse()
        .map_err(|error: InvalidName| Problem::invalid_field(field, error.to_string()))
}

pub(crate) fn change_note(reason: Option<ReasonText>, change_id: Option<ChangeId>) -> ChangeNote {
    ChangeNote {
        reason: reason.map(String::from),
        change_id,
    }
}
