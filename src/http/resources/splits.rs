use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::{
    KnownSplitsAnswer, ProblemAnswer, ScrambleAnswer, ScrambleRequest, Seats, ServerScramble,
    SplitsAnswer,
};
use crate::domain::{PoolName, ServerName};
use crate::http::extract::{JsonBody, NoQuery, PathRound, PathServer, QueryFields};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{PROBLEM_JSON, PoolBodyRefusals, Refusals, RoundRefusals};
use crate::http::{App, Problem};
use crate::service::ServiceError;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SplitsQuery {
    /// The server.
    server: ServerName,
    /// The pool that the table must be of; without it, any pool.
    pool: Option<PoolName>,
    /// How the teams are answered; as lists of ids where it is left out.
    seats: Option<Seats>,
}

/// Splits the eligible players into two teams of every size.
#[utoipa::path(
    post,
    path = "/v1/scramble",
    tag = "Splits",
    request_body = ScrambleRequest,
    responses(
        (status = 200, description = "The splits, by size; none below four players.", body = ScrambleAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn propose_splits(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(ServerScramble {
        server,
        pool,
        request,
    }): JsonBody<ServerScramble>,
) -> Result<Json<ScrambleAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool_of_server(&app, pool.as_ref(), &server)?;
    let proposing = app
        .service
        .propose_splits(&pool, &server, &request, caller.client);
    // On the heap: with all that is wished the future is large.
    let table = Box::pin(proposing).await?;
    caller.keep_names(&app, request.names()).await;
    let notices = app.service.notices(&server, &[]).await;
    Ok(Json(ScrambleAnswer::new(table, notices)))
}

/// Splits players as `POST /v1/scramble` does, to see what that would give: the table does not become the server's
/// last, and is kept nowhere.
#[utoipa::path(
    post,
    path = "/v1/admin/scramble",
    tag = "Admin",
    request_body = ScrambleRequest,
    responses(
        (status = 200, description = "The splits, by size; none below four players.", body = SplitsAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn try_splits(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(ServerScramble {
        server,
        pool,
        request,
    }): JsonBody<ServerScramble>,
) -> Result<Json<SplitsAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool(&app, pool.as_ref(), Some(&server))?;
    let trying = app
        .service
        .try_splits(&pool, &server, &request, caller.client);
    // On the heap: with all that is wished the future is large.
    Ok(Json(Box::pin(trying).await?))
}

/// The table by which the teams of a round were made: the last that was computed for its server between the end of
/// the round before and the end of this one.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds/{server}/{round_id}/scramble",
    tag = "Admin",
    params(PathRound),
    responses(
        (status = 200, description = "The table, where one is known; whether ratings have changed since is not answered of it.", body = KnownSplitsAnswer),
        RoundRefusals,
    ),
)]
pub(crate) async fn splits_of_round(
    State(app): State<App>,
    PathRound { server, round_id }: PathRound,
    NoQuery: NoQuery,
) -> Result<Json<KnownSplitsAnswer>, Problem> {
    let table = app.service.splits_of_round(server, round_id).await?;
    let table = table.map(|table| table.answer(Seats::default()));
    Ok(Json(KnownSplitsAnswer { table }))
}

/// The last table computed for a server, or `null` where there is none, which is no error here.
#[utoipa::path(
    get,
    path = "/v1/admin/servers/{server}/scramble",
    tag = "Admin",
    params(PathServer),
    responses(
        (status = 200, description = "The table, where one is known, and how it has aged.", body = KnownSplitsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn splits_of_server(
    State(app): State<App>,
    PathServer { server }: PathServer,
    NoQuery: NoQuery,
) -> Result<Json<KnownSplitsAnswer>, Problem> {
    let table = match app.service.last_splits(&server).await {
        Ok(table) => Some(table.answer(Seats::default())),
        Err(ServiceError::NoSplitTable(_)) => None,
        Err(error) => return Err(error.into()),
    };
    Ok(Json(KnownSplitsAnswer { table }))
}

/// The last table computed for a server.
#[utoipa::path(
    get,
    path = "/v1/scramble",
    tag = "Splits",
    params(SplitsQuery),
    responses(
        (status = 200, description = "The table, and how it has aged.", body = SplitsAnswer),
        (status = 404, description = "No splits have been computed for that server yet.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
pub(crate) async fn last_splits(
    State(app): State<App>,
    caller: Caller,
    QueryFields(which): QueryFields<SplitsQuery>,
) -> Result<Json<SplitsAnswer>, Problem> {
    caller.check_server(&which.server)?;
    let last = app.service.last_splits(&which.server).await?;
    caller.check_pool(last.pool())?;
    if let Some(pool) = &which.pool
        && caller.pool(&app, Some(pool), None)?.name != *last.pool()
    {
        return Err(ServiceError::NoSplitTable(which.server).into());
    }
    Ok(Json(last.answer(which.seats.unwrap_or_default())))
}
