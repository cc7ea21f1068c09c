use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse as _, Response};
use tokio::time::Instant;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{
    AgedSplitTableAnswer, OneAnswer, OneBody, PairAnswer, ProblemAnswer, RatedPlayerAnswer,
    ScrambleRequest, UpdateAnswer, UpdateRequest, UpdatesAnswer, UpdatesRequest,
};
use crate::domain::{PoolName, Probability, Round};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{BodyRefusals, PROBLEM_JSON};
use crate::http::{App, Problem};
use crate::service::{Pool, Recorded, RecordedRound, ServiceError};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(update))
        .routes(routes!(updates))
}

/// Counts a round and answers every participant's new rating, and the splits that they make where
/// those are asked for.
#[utoipa::path(
    post,
    path = "/v1/update",
    operation_id = "update",
    tag = "Rounds",
    request_body = UpdateRequest,
    responses(
        (status = 200, description = "The round counts.", body = UpdateAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The `round_id` was used for another round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
async fn update(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    request: Result<JsonBody<UpdateRequest>, Problem>,
) -> Result<Json<UpdateAnswer>, Problem> {
    let deadline = splits_deadline(&app);
    let counting = async {
        let JsonBody(request) = request?;
        let Accepted {
            pool,
            round,
            scramble,
        } = accept(&app, &caller, request)?;
        let name = pool.name.clone();
        let recorded = app.service.record_round(round).await;
        let recorded = recorded.map_err(|error| refusal(&caller, error))?;
        Ok((recorded, name, scramble))
    };
    let (recorded, pool, scramble) = counting
        .await
        .inspect_err(|problem| reject(&app, problem))?;
    let answer = tell(&app, &caller, recorded, pool, scramble, deadline).await?;
    Ok(Json(answer))
}

/// Counts a round that is not.
pub(crate) fn reject(app: &App, problem: &Problem) {
    app.service.metrics().round_rejected(problem.reason());
}

/// A round that can be counted, and the splits that are asked for with it.
#[derive(Debug)]
pub(crate) struct Accepted {
    pub(crate) pool: Arc<Pool>,
    pub(crate) round: Round,
    pub(crate) scramble: Option<ScrambleRequest>,
}

/// Checks everything of a request that can be checked without the database.
pub(crate) fn accept(
    app: &App,
    caller: &Caller,
    request: UpdateRequest,
) -> Result<Accepted, Problem> {
    let (round, scramble) = request.checked().map_err(Problem::invalid)?;
    let parts = round.parts();
    let pool = caller.pool(app, parts.pool.as_ref(), Some(&parts.server))?;
    Ok(Accepted {
        pool,
        round,
        scramble,
    })
}

/// Until when splits may take, lest the round's answer be lost too.
pub(crate) fn splits_deadline(app: &App) -> Instant {
    Instant::now() + app.time_to_answer()
}

/// What to answer where a round is not counted: of a pool that the caller's secret is not for, nothing
/// but that.
pub(crate) fn refusal(caller: &Caller, error: ServiceError) -> Problem {
    if let ServiceError::RoundIdTaken { pool, .. } = &error
        && let Err(problem) = caller.check_pool(pool)
    {
        return problem;
    }
    Problem::from(error)
}

/// What to answer for a round that counts in `pool`: its figures, and the splits asked for with it,
/// if they are there before `deadline`.
pub(crate) async fn tell(
    app: &App,
    caller: &Caller,
    recorded: Recorded,
    pool: PoolName,
    scramble: Option<ScrambleRequest>,
    deadline: Instant,
) -> Result<UpdateAnswer, Problem> {
    let mut answer = answer(recorded, pool);
    // A retry may name a round that was counted in a pool which the secret is not for.
    caller.check_pool(&answer.pool)?;
    // The round counts, whatever becomes of the splits.
    // On the heap: with all that is wished the future is large.
    match Box::pin(splits(app, &answer, scramble, deadline)).await {
        Ok(splits) => answer.splits = splits,
        Err(problem) => answer.splits_error = Some(problem.into_answer()),
    }
    Ok(answer)
}

/// The splits that were asked for with a round that is counted, by the ratings after it.
async fn splits(
    app: &App,
    counted: &UpdateAnswer,
    scramble: Option<ScrambleRequest>,
    deadline: Instant,
) -> Result<Option<AgedSplitTableAnswer>, Problem> {
    let Some(scramble) = scramble else {
        return Ok(None);
    };
    let pool = app.service.pool(Some(&counted.pool), None)?;
    let proposing = app
        .service
        .propose_splits(&pool, &counted.server, &scramble);
    match tokio::time::timeout_at(deadline, proposing).await {
        Ok(proposed) => Ok(Some(proposed?)),
        Err(_) => Err(Problem::unavailable(
            "the round is counted, but its splits took too long; ask for them later",
        )),
    }
}

fn answer(recorded: Recorded, pool: PoolName) -> UpdateAnswer {
    let Recorded { round, duplicate } = recorded;
    let RecordedRound { logged, result } = &round;
    let parts = logged.round.parts();
    UpdateAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        pool: parts.pool.clone().unwrap_or(pool),
        duplicate,
        win_probability: odds(result.win_probability),
        theta: result.theta,
        players: rated_players(&round).collect(),
        splits: None,
        splits_error: None,
    }
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
    answer_all(answers)
}

fn answer_all(answers: Vec<Result<UpdateAnswer, Problem>>) -> Result<Response, Problem> {
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

/// The odds of both teams, where `for_a` is team a's win probability.
pub(crate) fn odds(for_a: Probability) -> PairAnswer<Probability> {
    PairAnswer {
        a: for_a,
        b: for_a.complement(),
    }
}

/// What a round made of its participants: team a's, then team b's, each in the order sent.
pub(crate) fn rated_players(
    recorded: &RecordedRound,
) -> impl Iterator<Item = RatedPlayerAnswer> + '_ {
    let RecordedRound { logged, result } = recorded;
    let participants = logged.round.participants();
    participants
        .zip(&result.players)
        .map(|((team, entry), rated)| RatedPlayerAnswer {
            id: entry.id,
            team,
            before: rated.before,
            rating: rated.after,
            delta: rated.after.points() - rated.before.points(),
            k: rated.k,
            rounds: rated.rounds,
            visible: rated.visible,
        })
}
