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
    /// Name of the server that requested the splits.
    server: ServerName,
    /// Name of the pool that the table must belong to. Default: any pool.
    pool: Option<PoolName>,
    /// Form of the teams in the answer. Default: `lists`.
    seats: Option<Seats>,
}

/// Split players into two teams
///
/// Returns the best split for every requested team size.
#[utoipa::path(
    post,
    path = "/v1/scramble",
    tag = "Splits",
    request_body = ScrambleRequest,
    responses(
        (status = 200, description = "The splits by team size; none for fewer than four players.", body = ScrambleAnswer),
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
    // Boxed, because a future with all wishes is large.
    let table = Box::pin(proposing).await?;
    caller.keep_names(&app, request.names()).await;
    let notices = app.service.notices(&server, &[]).await;
    Ok(Json(ScrambleAnswer::new(table, notices)))
}

/// Preview splits
///
/// Splits players as `POST /v1/scramble` does, but stores nothing: the table does not become the server's last table.
#[utoipa::path(
    post,
    path = "/v1/admin/scramble",
    request_body = ScrambleRequest,
    responses(
        (status = 200, description = "The splits by team size; none for fewer than four players.", body = SplitsAnswer),
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
    // Boxed, because a future with all wishes is large.
    Ok(Json(Box::pin(trying).await?))
}

/// Get the splits of a round
///
/// Returns the last table computed for the server between the end of the round before and the end of this round.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds/{server}/{round_id}/scramble",
    params(PathRound),
    responses(
        (status = 200, description = "The stored table of splits, or `null`. It does not say whether ratings have changed since it was computed.", body = KnownSplitsAnswer),
        RoundRefusals,
    ),
)]
pub(crate) async fn splits_of_round(
    State(app): State<App>,
    PathRound { server, round_id }: PathRound,
    NoQuery: NoQuery,
) -> Result<Json<KnownSplitsAnswer>, Problem> {
    let found = app.service.splits_of_round(server, round_id).await?;
    let table = found.map(|table| table.answer(Seats::default()));
    Ok(Json(KnownSplitsAnswer { table }))
}

/// Get a server's last splits as an admin
///
/// Returns a `table` of `null`, not an error, if there are none.
#[utoipa::path(
    get,
    path = "/v1/admin/servers/{server}/scramble",
    params(PathServer),
    responses(
        (status = 200, description = "The stored table of splits, or `null`, and which of its ratings have changed since it was computed.", body = KnownSplitsAnswer),
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

/// Get a server's last splits
#[utoipa::path(
    get,
    path = "/v1/scramble",
    tag = "Splits",
    params(SplitsQuery),
    responses(
        (status = 200, description = "The stored table of splits, and which of its ratings have changed since it was computed.", body = SplitsAnswer),
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
