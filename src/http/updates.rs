use axum::Json;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse as _, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::description::BodyRefusals;
use super::extract::{JsonBody, NoQuery};
use super::update::{accept, refusal, reject, splits_deadline, tell};
use super::{App, Problem};
use crate::wire::{OneAnswer, OneBody, UpdateAnswer, UpdatesAnswer, UpdatesRequest};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(updates))
}

/// Counts rounds one after another, and answers for each what `/v1/update` would have.
///
/// Each has a status of its own, and that of the whole is 200, unless all are to be sent again: then
/// it is what a round alone would have been answered. Where any is, `Retry-After` says when.
#[utoipa::path(
    post,
    path = "/v1/updates",
    operation_id = "updates",
    tag = "Rounds",
    request_body = UpdatesRequest,
    responses(
        (status = 200, description = "What became of each round.", body = UpdatesAnswer),
        BodyRefusals,
    ),
)]
async fn updates(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<UpdatesRequest>,
) -> Result<Response, Problem> {
    let deadline = splits_deadline(&app);
    let mut rounds = Vec::new();
    let mut accepted = Vec::new();
    for request in request.checked().map_err(Problem::invalid)? {
        let one = request
            .map_err(Problem::from)
            .and_then(|request| accept(&app, &caller, request))
            .inspect_err(|problem| reject(&app, problem));
        accepted.push(one.map(|one| {
            let name = one.pool.name.clone();
            rounds.push((one.pool, one.round));
            (name, one.scramble)
        }));
    }
    let mut outcomes = app.service.record_in_order(rounds).await.into_iter();

    let mut answers = Vec::with_capacity(accepted.len());
    for one in accepted {
        answers.push(match one {
            Err(problem) => Err(problem),
            Ok((pool, scramble)) => match outcomes.next() {
                Some(Ok(recorded)) => tell(&app, &caller, recorded, pool, scramble, deadline).await,
                Some(Err(error)) => {
                    Err(refusal(&caller, error)).inspect_err(|problem| reject(&app, problem))
                }
                None => Err(Problem::internal()),
            },
        });
    }
    answer(answers)
}

fn answer(answers: Vec<Result<UpdateAnswer, Problem>>) -> Result<Response, Problem> {
    let waits = answers.iter().map(|one| one.as_ref().err()?.retry_after());
    let retry_after = waits.clone().flatten().max();
    if retry_after.is_some() && waits.into_iter().all(|wait| wait.is_some()) {
        return answers
            .into_iter()
            .find_map(Result::err)
            .map_or_else(|| Err(Problem::internal()), Err);
    }
    let answers = answers.into_iter().map(one_answer).collect();
    let mut response = Json(UpdatesAnswer { answers }).into_response();
    if let Some(seconds) = retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    Ok(response)
}

fn one_answer(counted: Result<UpdateAnswer, Problem>) -> OneAnswer {
    match counted {
        Ok(answer) => OneAnswer {
            status: 200,
            retry_after: None,
            body: OneBody::Counted(Box::new(answer)),
        },
        Err(problem) => OneAnswer {
            status: problem.status().as_u16(),
            retry_after: problem.retry_after(),
            body: OneBody::Refused(problem.into_answer()),
        },
    }
}
