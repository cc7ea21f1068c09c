use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use tokio::time::Instant;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::description::{BodyRefusals, PROBLEM_JSON};
use super::extract::{JsonBody, NoQuery};
use super::rated_players::{odds, rated_players};
use super::{App, Problem};
use crate::domain::{PoolName, Round};
use crate::service::{Pool, Recorded, RecordedRound, ServiceError};
use crate::wire::{
    AgedSplitTableAnswer, ProblemAnswer, ScrambleRequest, UpdateAnswer, UpdateRequest,
};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(update))
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
pub(super) fn reject(app: &App, problem: &Problem) {
    app.service.metrics().round_rejected(problem.reason());
}

/// A round that can be counted, and the splits that are asked for with it.
#[derive(Debug)]
pub(super) struct Accepted {
    pub(super) pool: Arc<Pool>,
    pub(super) round: Round,
    pub(super) scramble: Option<ScrambleRequest>,
}

/// Checks everything of a request that can be checked without the database.
pub(super) fn accept(
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
pub(super) fn splits_deadline(app: &App) -> Instant {
    Instant::now() + app.time_to_answer()
}

/// What to answer where a round is not counted: of a pool that the caller's secret is not for, nothing
/// but that.
pub(super) fn refusal(caller: &Caller, error: ServiceError) -> Problem {
    if let ServiceError::RoundIdTaken { pool, .. } = &error
        && let Err(problem) = caller.check_pool(pool)
    {
        return problem;
    }
    Problem::from(error)
}

/// What to answer for a round that counts in `pool`: its figures, and the splits asked for with it,
/// if they are there before `deadline`.
pub(super) async fn tell(
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
