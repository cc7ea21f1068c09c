use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::api::{
    CorrectRequest, InProgressAnswer, PoolInProgressAnswer, PoolQuery, ProblemAnswer, ResetRequest,
    RoundsAnswer, RoundsQuery, VoidRequest, VoidRoundsAnswer, VoidRoundsRequest, VoidedPoolAnswer,
    WholeRoundAnswer, path_part,
};
use crate::domain::{PoolName, RoundAction};
use crate::http::extract::{
    JsonBody, NoQuery, OptionalJsonBody, PathRound, QueryFields, change_note,
};
use crate::http::middleware::auth::Actor;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{
    OpenRefusals, PROBLEM_JSON, PoolRefusals, RecomputationRefusals, RoundChangeRefusals,
    RoundRefusals,
};
use crate::http::pages::match_page::match_page;
use crate::http::{App, Problem, pages};
use crate::service::{Author, ChangeNote, Pool, RoundCommand, RoundOutcome, VoidRounds};

/// List the rounds of a pool
#[utoipa::path(
    get,
    path = "/v1/admin/rounds",
    params(RoundsQuery),
    responses(
        (status = 200, description = "A page of rounds, most recently ended first.", body = RoundsAnswer),
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

/// Get a round
///
/// Returns the round as reported, and its result for every rated player.
#[utoipa::path(
    get,
    path = "/v1/admin/rounds/{server}/{round_id}",
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

/// Void a round
///
/// A voided round stays in the log but does not count. Returns the round after the change.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/void",
    params(PathRound),
    request_body = VoidRequest,
    responses(
        (status = 200, description = "The round, which no longer counts.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being recomputed; poll `Location` until that is done.", body = InProgressAnswer),
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

/// Void a game server's own recent round
///
/// Allowed with a game server's secret, for rounds that arrived within the setting `void_own_minutes`.
#[utoipa::path(
    post,
    path = "/v1/rounds/{server}/{round_id}/void",
    tag = "Rounds",
    params(PathRound),
    request_body = VoidRequest,
    responses(
        (status = 200, description = "The round, which no longer counts.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being recomputed. Repeat the same request until the answer is 200.", body = InProgressAnswer),
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

/// Restore a voided round
///
/// The round counts again. Returns the round after the change.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/unvoid",
    params(PathRound),
    request_body = Option<ResetRequest>,
    responses(
        (status = 200, description = "The round, which counts again.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being recomputed; poll `Location` until that is done.", body = InProgressAnswer),
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

/// Correct the winner of a round
///
/// Returns the round after the correction.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/{server}/{round_id}/correct",
    params(PathRound),
    request_body = CorrectRequest,
    responses(
        (status = 200, description = "The round, which now counts with the corrected winner.", body = WholeRoundAnswer),
        (status = 202, description = "The ratings are being recomputed; poll `Location` until that is done.", body = InProgressAnswer),
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

/// Void all rounds of a secret, server or pool
///
/// Voids the rounds within a range of time, or previews the effect. The rounds of one pool stop counting at the same
/// moment. Names that were set with the secret are deleted.
#[utoipa::path(
    post,
    path = "/v1/admin/rounds/void",
    request_body = VoidRoundsRequest,
    responses(
        (status = 200, description = "Number of rounds that were voided or, with `dry_run`, would be voided.", body = VoidRoundsAnswer),
        (status = 202, description = "The ratings are being recomputed; poll `Location` until that is done.", body = PoolInProgressAnswer),
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
    let mut in_progress = Vec::new();
    for pool in pools {
        let timeout = deadline.saturating_duration_since(Instant::now());
        let (rounds, moved) = if request.dry_run {
            app.service.preview_void(&pool, &which, timeout).await?
        } else {
            let (which, note) = (which.clone(), note.clone());
            let voiding = app.service.void_rounds(&pool, which, note, by, timeout);
            let (rounds, outcome) = voiding.await?;
            if outcome == RoundOutcome::InProgress {
                in_progress.push(pool.name.clone());
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
    if which.server.is_none() && request.pool.is_none() && !which.copies {
        let author = (!request.dry_run).then_some(by);
        answer.names = app.service.take_back_names(&which, note, author).await?;
    }
    match in_progress.split_first() {
        Some((first, others)) => pools_in_progress(&app, first, others).await,
        None => Ok(Json(answer).into_response()),
    }
}

/// Show a round's public page
///
/// Clients that ask for HTML get errors as HTML too.
#[utoipa::path(
    get,
    path = "/matches/{server}/{round_id}",
    tag = "Rounds",
    params(PathRound, PoolQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "No pool of this name has public pages of its rounds, or the pool has no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
pub(crate) async fn show_match(
    State(app): State<App>,
    headers: HeaderMap,
    round: Result<PathRound, Problem>,
    query: Result<QueryFields<PoolQuery>, Problem>,
) -> Response {
    pages::answer(&headers, async {
        let (PathRound { server, round_id }, QueryFields(query)) = (round?, query?);
        let pool = app.service.public_pool(query.pool.as_ref())?;
        let shown = app.service.public_match(&pool, server, round_id).await?;
        Ok(match_page(&pool, &shown))
    })
    .await
}

/// Returns the pools of a request to void many rounds, and the filter that selects the rounds.
fn rounds_to_void(
    app: &App,
    request: &VoidRoundsRequest,
) -> Result<(Vec<Arc<Pool>>, VoidRounds), Problem> {
    if request.secret.is_none() && request.server.is_none() && request.pool.is_none() {
        let detail = "is missing; choose the rounds to void by at least one of \"server\", \"secret\" and \"pool\"";
        return Err(Problem::invalid_field("/server", detail));
    }
    if request.since.is_none() && request.received_since.is_none() {
        let detail = "is missing; send it, or send \"received_since\" to select the rounds that arrived since then";
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
        copies: request.copies,
    };
    Ok((pools, which))
}

/// Returns the answer with status 202 for a recomputation of ratings that exceeds the request timeout: the location of
/// the first pool's rebuild, and the names of the other pools.
pub(crate) async fn pools_in_progress(
    app: &App,
    pool: &PoolName,
    others: &[PoolName],
) -> Result<Response, Problem> {
    let location = format!("/v1/admin/rebuild?pool={pool}");
    let running = app.service.get_rebuild(pool).await?.rebuild;
    let answer = PoolInProgressAnswer {
        pool: pool.clone(),
        others: others.to_vec(),
        detail: "the ratings are being recomputed in the background; poll `location` until \
                 \"rebuild\" is null there: the work is then done, was cancelled or has failed"
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
        RoundOutcome::InProgress => {
            let [server_part, round_part] = [server.as_str(), round_id.as_str()].map(path_part);
            let location = format!("/v1/admin/rounds/{server_part}/{round_part}");
            let round = app.service.get_round(server.clone(), round_id.clone());
            let progress = round.await?.progress;
            let answer = InProgressAnswer {
                server,
                round_id,
                detail: "the ratings are being recomputed in the background; \
                         poll `location` until \"in_progress\" is null there: the work is then done, was \
                         cancelled or has failed",
                progress,
                location: location.clone(),
            };
            let location = [(header::LOCATION, location)];
            Ok((StatusCode::ACCEPTED, location, Json(answer)).into_response())
        }
    }
}
