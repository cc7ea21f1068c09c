use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::{
    ProblemAnswer, ResetRequest, RoundsAnswer, RoundsQuery, UnderWayAnswer, VoidRequest,
    WholeRoundAnswer, path_part,
};
use crate::domain::VoidAction;
use crate::http::extract::{
    JsonBody, NoQuery, OptionalJsonBody, PathRound, QueryFields, change_note,
};
use crate::http::middleware::auth::Actor;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{BodyRefusals, PROBLEM_JSON, PoolRefusals, Refusals};
use crate::http::{App, Problem};
use crate::service::{Author, ChangeNote, Reading, Service, VoidCommand, VoidOutcome};

/// The rounds of the pool named, or the server's, or of `default`.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds",
    tag = "Admin",
    params(RoundsQuery),
    responses(
        (status = 200, description = "A page of rounds, those that ended last first.", body = RoundsAnswer, headers(("rbs-standby-lag" = f64))),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_rounds(
    State(app): State<App>,
    QueryFields(query): QueryFields<RoundsQuery>,
) -> Result<Reading<RoundsAnswer>, Problem> {
    let pool = app
        .service
        .pool(query.pool.as_ref(), query.server.as_ref())?;
    let read = async |reader: Service| reader.list_rounds(&pool, query.clone()).await;
    Ok(app.service.read(read).await?)
}

/// One round whole: what was sent, and what it made of everybody.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds/{server}/{round_id}",
    tag = "Admin",
    params(PathRound),
    responses(
        (status = 200, description = "The round.", body = WholeRoundAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 410, description = "The round is pruned: a file has it, and it counts as it did.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
pub(crate) async fn get_round(
    State(app): State<App>,
    PathRound { server, round_id }: PathRound,
    NoQuery: NoQuery,
) -> Result<Json<WholeRoundAnswer>, Problem> {
    Ok(Json(app.service.get_round(server, round_id).await?))
}

/// Voids the round, and answers what it is now.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/void",
    tag = "Admin",
    params(PathRound),
    request_body = VoidRequest,
    responses(
        (status = 200, description = "The round, which does not count any more.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = UnderWayAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The ratings of the pool are being computed again already, this was called off, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 410, description = "The round is pruned: a file has it, and it counts as it did.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
pub(crate) async fn void_round(
    State(app): State<App>,
    round: PathRound,
    NoQuery: NoQuery,
    Actor(by): Actor,
    JsonBody(request): JsonBody<VoidRequest>,
) -> Result<Response, Problem> {
    let note = change_note(Some(request.reason), request.change_id);
    void_or_restore(&app, round, VoidAction::Void, note, by).await
}

/// Voids a round of the game server's own that arrived lately, as far as the setting `void_own_minutes` lets it; an
/// admin's secret is not needed.
#[utoipa::path(
    post,
    path = "/v1/rounds/{server}/{round_id}/void",
    tag = "Rounds",
    params(PathRound),
    request_body = VoidRequest,
    responses(
        (status = 200, description = "The round, which does not count any more.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being computed again; sent once more, it answers 200 when that is done.", body = UnderWayAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The ratings of the pool are being computed again already, this was called off, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 410, description = "The round is pruned: a file has it, and it counts as it did.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
pub(crate) async fn void_own_round(
    State(app): State<App>,
    caller: Caller,
    round: PathRound,
    NoQuery: NoQuery,
    Actor(by): Actor,
    JsonBody(request): JsonBody<VoidRequest>,
) -> Result<Response, Problem> {
    caller.check_server(&round.server)?;
    let found = app
        .service
        .pool_of_own_round(&round.server, &round.round_id);
    caller.check_pool(&found.await?)?;
    let note = change_note(Some(request.reason), request.change_id);
    void_or_restore(&app, round, VoidAction::Void, note, by).await
}

/// Lets the round count again, and answers what it is now.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/unvoid",
    tag = "Admin",
    params(PathRound),
    request_body = Option<ResetRequest>,
    responses(
        (status = 200, description = "The round, which counts again.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = UnderWayAnswer),
        (status = 404, description = "There is no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The ratings of the pool are being computed again already, this was called off, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 410, description = "The round is pruned: a file has it, and it counts as it did.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
pub(crate) async fn unvoid_round(
    State(app): State<App>,
    round: PathRound,
    NoQuery: NoQuery,
    Actor(by): Actor,
    OptionalJsonBody(request): OptionalJsonBody<ResetRequest>,
) -> Result<Response, Problem> {
    let note = change_note(request.reason, request.change_id);
    void_or_restore(&app, round, VoidAction::Unvoid, note, by).await
}

async fn void_or_restore(
    app: &App,
    round: PathRound,
    action: VoidAction,
    note: ChangeNote,
    by: Author,
) -> Result<Response, Problem> {
    let PathRound { server, round_id } = round;
    let command = VoidCommand {
        server: server.clone(),
        round_id: round_id.clone(),
        action,
        note,
    };
    let timeout = app.time_to_answer();
    match app.service.void_round(command, by, timeout).await? {
        VoidOutcome::Done => {
            let round = app.service.get_round(server, round_id).await?;
            Ok(Json(round).into_response())
        }
        VoidOutcome::UnderWay => {
            let [server_part, round_part] = [server.as_str(), round_id.as_str()].map(path_part);
            let location = format!("/v1/admin/rounds/{server_part}/{round_part}");
            let round = app.service.get_round(server.clone(), round_id.clone());
            let progress = round.await?.progress;
            let answer = UnderWayAnswer {
                server,
                round_id,
                detail: "the ratings are being computed again while everything else goes on; look at the \
                         location: \"under_way\" is null there once it is done, was called off, or has \
                         failed",
                progress,
                location: location.clone(),
            };
            let location = [(header::LOCATION, location)];
            Ok((StatusCode::ACCEPTED, location, Json(answer)).into_response())
        }
    }
}
