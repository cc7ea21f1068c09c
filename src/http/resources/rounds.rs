use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::api::{
    CorrectRequest, PoolUnderWayAnswer, ResetRequest, RoundsAnswer, RoundsQuery, UnderWayAnswer,
    VoidRequest, VoidRoundsAnswer, VoidRoundsRequest, VoidedPoolAnswer, WholeRoundAnswer,
    path_part,
};
use crate::domain::{PoolName, RoundAction};
use crate::http::extract::{
    JsonBody, NoQuery, OptionalJsonBody, PathRound, QueryFields, change_note,
};
use crate::http::middleware::auth::Actor;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{
    PoolRefusals, RecomputationRefusals, RoundChangeRefusals, RoundRefusals,
};
use crate::http::{App, Problem};
use crate::service::{Author, ChangeNote, Pool, RoundCommand, RoundOutcome, VoidRounds};

/// The rounds of the pool named, or the server's, or of `default`.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds",
    tag = "Admin",
    params(RoundsQuery),
    responses(
        (status = 200, description = "A page of rounds, those that ended last first.", body = RoundsAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_rounds(
    State(app): State<App>,
    QueryFields(query): QueryFields<RoundsQuery>,
) -> Result<Json<RoundsAnswer>, Problem> {
    let pool = app
        .service
        .pool(query.pool.as_ref(), query.server.as_ref())?;
    Ok(Json(app.service.list_rounds(&pool, query).await?))
}

/// One round whole: what was sent, and what it made of everybody.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds/{server}/{round_id}",
    tag = "Admin",
    params(PathRound),
    responses(
        (status = 200, description = "The round.", body = WholeRoundAnswer),
        RoundRefusals,
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
        RoundChangeRefusals,
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
    change_round(&app, round, RoundAction::Void, note, by).await
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
        RoundChangeRefusals,
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
    change_round(&app, round, RoundAction::Void, note, by).await
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
        RoundChangeRefusals,
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
    change_round(&app, round, RoundAction::Unvoid, note, by).await
}

/// Corrects how the round ended, and answers what it is now.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/correct",
    tag = "Admin",
    params(PathRound),
    request_body = CorrectRequest,
    responses(
        (status = 200, description = "The round, which counts as ended so.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = UnderWayAnswer),
        RoundChangeRefusals,
    ),
)]
pub(crate) async fn correct_round(
    State(app): State<App>,
    round: PathRound,
    NoQuery: NoQuery,
    Actor(by): Actor,
    JsonBody(request): JsonBody<CorrectRequest>,
) -> Result<Response, Problem> {
    let note = change_note(Some(request.reason), request.change_id);
    let winner = request.winner;
    change_round(&app, round, RoundAction::Correct { winner }, note, by).await
}

/// Voids all rounds of a secret, a server or a pool in a range of time, or says what that would do. The rounds of one pool stop
/// counting at the same moment. The names that the secret set are deleted.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/void",
    tag = "Admin",
    request_body = VoidRoundsRequest,
    responses(
        (status = 200, description = "How many rounds do not count any more, or would.", body = VoidRoundsAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = PoolUnderWayAnswer),
        RecomputationRefusals,
    ),
)]
pub(crate) async fn void_rounds(
    State(app): State<App>,
    NoQuery: NoQuery,
    Actor(by): Actor,
    JsonBody(request): JsonBody<VoidRoundsRequest>,
) -> Result<Response, Problem> {
    let deadline = Instant::now() + app.time_to_answer();
    let (pools, which) = rounds_to_void(&app, &request)?;
    let note = change_note(Some(request.reason), request.change_id);
    let mut answer = VoidRoundsAnswer {
        rounds: 0,
        names: 0,
        dry_run: request.dry_run,
        pools: Vec::new(),
    };
    let mut under_way = Vec::new();
    for pool in pools {
        let timeout = deadline.saturating_duration_since(Instant::now());
        let (rounds, moved) = if request.dry_run {
            app.service.preview_void(&pool, &which, timeout).await?
        } else {
            let (which, note) = (which.clone(), note.clone());
            let voiding = app.service.void_rounds(&pool, which, note, by, timeout);
            let (rounds, outcome) = voiding.await?;
            if outcome == RoundOutcome::UnderWay {
                under_way.push(pool.name.clone());
            }
            (rounds, None)
        };
        if rounds > 0 {
            answer.rounds += rounds;
            answer.pools.push(VoidedPoolAnswer {
                pool: pool.name.clone(),
                rounds,
                moved,
            });
        }
    }
    if which.server.is_none() && request.pool.is_none() {
        let author = (!request.dry_run).then_some(by);
        answer.names = app.service.take_back_names(&which, note, author).await?;
    }
    match under_way.split_first() {
        Some((first, others)) => pools_under_way(&app, first, others).await,
        None => Ok(Json(answer).into_response()),
    }
}

/// Returns the pools of the request, and the filter of their rounds.
fn rounds_to_void(
    app: &App,
    request: &VoidRoundsRequest,
) -> Result<(Vec<Arc<Pool>>, VoidRounds), Problem> {
    if request.secret.is_none() && request.server.is_none() && request.pool.is_none() {
        let detail = "is missing; send it, a secret or a pool";
        return Err(Problem::invalid_field("/server", detail));
    }
    if request.since.is_none() && request.received_since.is_none() {
        let detail = "is missing; send it, or since when the rounds arrived as received_since";
        return Err(Problem::invalid_field("/since", detail));
    }
    let pools = match &request.pool {
        Some(pool) => vec![app.service.pool(Some(pool), None)?],
        None => app.service.all_pools(),
    };
    let which = VoidRounds {
        secret: request.secret,
        server: request.server.clone(),
        since: request.since,
        until: request.until,
        received_since: request.received_since,
        received_until: request.received_until,
    };
    Ok((pools, which))
}

/// The answer where a change of the log takes longer than a request may take.
pub(crate) async fn pool_under_way(app: &App, pool: &PoolName) -> Result<Response, Problem> {
    pools_under_way(app, pool, &[]).await
}

/// Answers 202 with the location of the first pool's rebuild, and names the other pools.
async fn pools_under_way(
    app: &App,
    pool: &PoolName,
    others: &[PoolName],
) -> Result<Response, Problem> {
    let location = format!("/v1/admin/rebuild?pool={pool}");
    let running = app.service.get_rebuild(pool).await?.rebuild;
    let answer = PoolUnderWayAnswer {
        pool: pool.clone(),
        others: others.to_vec(),
        detail: "the ratings are being computed again while everything else goes on; look at the location: \
                 \"rebuild\" is null there once it is done, was called off, or has failed"
            .to_owned(),
        progress: running.and_then(|running| running.progress),
        location: location.clone(),
    };
    let location = [(header::LOCATION, location)];
    Ok((StatusCode::ACCEPTED, location, Json(answer)).into_response())
}

async fn change_round(
    app: &App,
    round: PathRound,
    action: RoundAction,
    note: ChangeNote,
    by: Author,
) -> Result<Response, Problem> {
    let PathRound { server, round_id } = round;
    let command = RoundCommand {
        server: server.clone(),
        round_id: round_id.clone(),
        action,
        note,
    };
    let timeout = app.time_to_answer();
    match app.service.change_round(command, by, timeout).await? {
        RoundOutcome::Done => {
            let round = app.service.get_round(server, round_id).await?;
            Ok(Json(round).into_response())
        }
        RoundOutcome::UnderWay => {
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
