use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse as _, Response};
use tokio::time::Instant;

use crate::api::{
    AnswerLength, BriefUpdateAnswer, CheckedUpdate, OneAnswer, OneBody, ProblemAnswer,
    ScrambleRequest, SplitsAnswer, UpdateAnswer, UpdateRequest, UpdatesAnswer, UpdatesRequest,
};
use crate::domain::{NoticeName, ServerName};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{BodyRefusals, PROBLEM_JSON, PoolBodyRefusals};
use crate::http::{App, Problem, refused};
use crate::service::{Pool, ServiceError};

/// Record a round
///
/// Counts the round and returns the new ratings of all rated players. Adds splits by the new ratings, if requested.
#[utoipa::path(
    post,
    path = "/v1/update",
    tag = "Rounds",
    request_body = UpdateRequest,
    responses(
        (status = 200, description = "The round is counted.", body = UpdateAnswer),
        (status = 409, description = "The `round_id` was already used for a different round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 410, description = "The round was counted and has been pruned since; it still counts.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn update(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    request: Result<JsonBody<UpdateRequest>, Problem>,
) -> Result<Json<UpdateAnswer>, Problem> {
    let request = request.map(|JsonBody(request)| request);
    let mut answers = record(&app, &caller, [request]).await;
    let answer = answers.pop().unwrap_or_else(|| Err(Problem::internal()));
    Ok(Json(answer?))
}

/// Counts the valid rounds of the requests in their order, and returns an answer for each request.
async fn record(
    app: &App,
    caller: &Caller,
    requests: impl IntoIterator<Item = Result<UpdateRequest, Problem>>,
) -> Vec<Result<UpdateAnswer, Problem>> {
    // Splits must end before this time, so that the answer about the round is sent within the request timeout.
    let deadline = Instant::now() + app.time_to_answer();
    let mut rounds = Vec::new();
    let mut names = Vec::new();
    let mut accepted = Vec::new();
    let mut notices: BTreeMap<ServerName, NoticesOf> = BTreeMap::new();
    for request in requests {
        let one = request.and_then(|request| accept(app, caller, request));
        accepted.push(one.map(|(pool, update)| {
            let server = update.round.parts().server.clone();
            let of_server = notices.entry(server).or_default();
            of_server.seen.extend(update.notices_seen);
            rounds.push((pool, update.round));
            names.push(update.names);
            update.scramble
        }));
    }
    let outcomes = app
        .service
        .record_in_order(rounds, Some(caller.client))
        .await;
    // Store names after the rounds: a failure here must not delay or lose a round. Names of refused rounds are ignored.
    let names = names
        .into_iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| outcome.is_ok())
        .flat_map(|(names, _)| names)
        .collect();
    caller.keep_names(app, names).await;
    let mut outcomes = outcomes.into_iter();
    let mut answers = Vec::with_capacity(accepted.len());
    for one in accepted {
        answers.push(match one {
            Err(problem) => Err(problem),
            Ok(scramble) => match outcomes.next() {
                Some(Ok(recorded)) => {
                    let has_notices = recorded.has_notices;
                    let answer = UpdateAnswer::from(recorded);
                    if let Some(of_server) = notices.get_mut(&answer.server) {
                        of_server.are_stored |= has_notices;
                    }
                    with_splits(app, caller, answer, scramble, deadline).await
                }
                Some(Err(error)) => Err(refusal(caller, error)),
                None => Err(Problem::internal()),
            },
        });
    }
    // Notices of a server go with the last of its rounds.
    for answer in answers.iter_mut().rev().flatten() {
        if let Some(NoticesOf { seen, are_stored }) = notices.remove(&answer.server) {
            let service = &app.service;
            answer.notices = service
                .notices_if_any(&answer.server, &seen, are_stored)
                .await;
        }
    }
    answers
}

/// Notices for a game server: the names that it confirmed, and if the database may contain further ones.
#[derive(Default)]
struct NoticesOf {
    seen: Vec<NoticeName>,
    are_stored: bool,
}

/// Returns a round of a request with its pool, after all checks that need no database.
fn accept(
    app: &App,
    caller: &Caller,
    request: UpdateRequest,
) -> Result<(Arc<Pool>, CheckedUpdate), Problem> {
    let update = request.checked().map_err(Problem::invalid)?;
    let parts = update.round.parts();
    let pool = caller.pool_of_server(app, parts.pool.as_ref(), &parts.server)?;
    let by = update
        .scramble
        .as_ref()
        .and_then(|wished| wished.by.as_ref());
    if let Some(problem) = pool.refuses_power(by, "/scramble/by") {
        return Err(Problem::invalid(vec![problem]));
    }
    Ok((pool, update))
}

/// Returns the problem of a round that was not counted. If the caller's secret is not valid for
/// the round's pool, reveals nothing else.
fn refusal(caller: &Caller, error: ServiceError) -> Problem {
    let pool = match &error {
        ServiceError::RoundIdTaken { pool, .. } => Some(pool),
        ServiceError::RoundPruned(pruned) => Some(&pruned.pool),
        _ => None,
    };
    if let Some(pool) = pool
        && let Err(problem) = caller.check_pool(pool)
    {
        return problem;
    }
    Problem::from(error)
}

/// Adds the requested splits to the answer of a counted round, if they are computed before `deadline`.
async fn with_splits(
    app: &App,
    caller: &Caller,
    mut answer: UpdateAnswer,
    scramble: Option<ScrambleRequest>,
    deadline: Instant,
) -> Result<UpdateAnswer, Problem> {
    // A retry may name a round that was counted in a pool that the secret is not valid for.
    caller.check_pool(&answer.pool)?;
    // The round counts, whether or not the splits succeed. Boxed, because a future with all wishes is large.
    match Box::pin(splits(app, caller, &answer, scramble, deadline)).await {
        Ok(splits) => answer.splits = splits,
        Err(problem) => answer.splits_error = Some(problem.into_answer()),
    }
    Ok(answer)
}

/// Computes the splits requested with a counted round, by the ratings after the round.
async fn splits(
    app: &App,
    caller: &Caller,
    counted: &UpdateAnswer,
    scramble: Option<ScrambleRequest>,
    deadline: Instant,
) -> Result<Option<SplitsAnswer>, Problem> {
    let Some(scramble) = scramble else {
        return Ok(None);
    };
    let pool = app.service.pool(Some(&counted.pool), None)?;
    let proposing = app
        .service
        .propose_splits(&pool, &counted.server, &scramble, caller.client);
    match tokio::time::timeout_at(deadline, proposing).await {
        Ok(proposed) => Ok(Some(proposed?)),
        Err(_) => Err(Problem::unavailable(
            "the round is counted, but computing its splits took too long; request them later",
        )),
    }
}

/// Record several rounds
///
/// Counts the rounds one after another, and returns for each round the answer of `POST /v1/update`. Each round has its
/// own status; the status of the answer is 200. If every round must be sent again, the answer is that of a single round
/// instead. `Retry-After` states when to send rounds again.
#[utoipa::path(
    post,
    path = "/v1/updates",
    tag = "Rounds",
    request_body = UpdatesRequest,
    responses(
        (status = 200, description = "For each round, whether it was counted, and if not, why.", body = UpdatesAnswer),
        BodyRefusals,
    ),
)]
pub(crate) async fn updates(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<UpdatesRequest>,
) -> Result<Response, Problem> {
    let length = request.answers.unwrap_or_default();
    let requests = request
        .checked()
        .map_err(Problem::invalid)?
        .map(|request| request.map_err(Problem::from));
    let answers = record(&app, &caller, requests).await;
    Ok(answer_all(answers, length))
}

fn answer_all(answers: Vec<Result<UpdateAnswer, Problem>>, length: AnswerLength) -> Response {
    let waits = answers.iter().map(|one| one.as_ref().err()?.retry_after);
    let retry_after = waits.clone().flatten().max();
    let refusals = answers
        .iter()
        .enumerate()
        .filter_map(|(index, one)| Some(one.as_ref().err()?.refusal(Some(index))))
        .collect();
    if retry_after.is_some() && waits.into_iter().all(|wait| wait.is_some()) {
        let first = answers.into_iter().find_map(Result::err);
        let mut response = first.unwrap_or_else(Problem::internal).into_response();
        refused::attach(&mut response, refusals);
        return response;
    }
    let answers = answers
        .into_iter()
        .map(|one| one_answer(one, length))
        .collect();
    let mut response = Json(UpdatesAnswer { answers }).into_response();
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    refused::attach(&mut response, refusals);
    response
}

fn one_answer(counted: Result<UpdateAnswer, Problem>, length: AnswerLength) -> OneAnswer {
    match counted {
        Ok(answer) => OneAnswer {
            status: 200,
            retry_after: None,
            body: match length {
                AnswerLength::Full => OneBody::Counted(Box::new(answer)),
                AnswerLength::Brief => OneBody::Brief(BriefUpdateAnswer {
                    duplicate: answer.duplicate,
                    splits: answer.splits,
                    splits_error: answer.splits_error,
                    notices: answer.notices,
                }),
            },
        },
        Err(problem) => OneAnswer {
            status: problem.status.as_u16(),
            retry_after: problem.retry_after,
            body: OneBody::Refused(problem.into_answer()),
        },
    }
}
