use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::pagination::{Count, Cursor, InterventionPlace, PageSize, PlaceCursor};
use crate::api::{
    InterventionAnswer, InterventionMoveAnswer, InterventionReasonAnswer, InterventionRoundAnswer,
    InterventionSummaryAnswer, InterventionTeamsAnswer, InterventionsAnswer, PairAnswer,
    ProblemAnswer,
};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::http::extract::QueryFields;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};
use crate::service::{InterventionView, RoundEnd, TeamsRecord};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(sum_up))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct InterventionsQuery {
    /// The pool; the server's, or `default`, where nothing is said.
    pool: Option<PoolName>,
    /// Only matches of this server.
    server: Option<ServerName>,
    /// How many at most; 50 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<PlaceCursor>, inline)]
    after: Option<Cursor<InterventionPlace>>,
}

/// When matches of the pool named, or the server's, or of `default`, were found unbalanced in
/// mid-round, and what was answered.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions",
    operation_id = "list_interventions",
    tag = "Admin",
    params(InterventionsQuery),
    responses(
        (status = 200, description = "A page of interventions of the last 90 days, those first asked for last first.", body = InterventionsAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn list(
    State(app): State<App>,
    QueryFields(which): QueryFields<InterventionsQuery>,
) -> Result<Json<InterventionsAnswer>, Problem> {
    let pool = app
        .service
        .pool(which.pool.as_ref(), which.server.as_ref())?;
    let after = which.after.map(|Cursor(place)| place);
    let Count(limit) = which.limit;
    let page = app
        .service
        .list_interventions(&pool, which.server, after, limit)
        .await?;
    Ok(Json(InterventionsAnswer {
        pool: pool.name.clone(),
        interventions: page.interventions.into_iter().map(answer).collect(),
        next: page.next.map(|place| Cursor(place).to_string()),
    }))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SummaryQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// How many days back, today included; 7 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    days: Count<1, 90, 7>,
}

/// How often matches were found unbalanced, why, whether the odds got better, and how the rounds
/// ended.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions/summary",
    operation_id = "sum_up_interventions",
    tag = "Admin",
    params(SummaryQuery),
    responses(
        (status = 200, description = "What the interventions of these days come to.", body = InterventionSummaryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn sum_up(
    State(app): State<App>,
    QueryFields(which): QueryFields<SummaryQuery>,
) -> Result<Json<InterventionSummaryAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(days) = which.days;
    let summary = app.service.intervention_summary(&pool, days).await?;
    Ok(Json(summary))
}

fn answer(view: InterventionView) -> InterventionAnswer {
    let answered = view.kept.answered;
    let first_asked_at = answered.asked_at;
    let reasons = answered.reasons.into_iter();
    let moves = answered.moves.into_iter();
    InterventionAnswer {
        server: answered.server,
        first_asked_at,
        last_asked_at: view.kept.last_asked_at,
        asked: view.kept.asked,
        policy: view.policy,
        result: view.result,
        reasons: reasons
            .map(|reason| InterventionReasonAnswer {
                rule: reason.rule,
                value: reason.value,
                limit: reason.limit,
                detail: reason.detail,
            })
            .collect(),
        moves: moves
            .map(|one| InterventionMoveAnswer {
                id: one.id,
                from: one.from,
                to: one.to,
                with: one.with,
            })
            .collect(),
        before: teams(answered.before),
        after: teams(answered.after),
        balanced_after: answered.balanced_after,
        round: view.round.map(|end| round(first_asked_at, end)),
    }
}

fn teams(teams: TeamsRecord) -> InterventionTeamsAnswer {
    InterventionTeamsAnswer {
        size_a: teams.size_a,
        size_b: teams.size_b,
        bots_a: teams.bots_a,
        bots_b: teams.bots_b,
        sum_a: teams.sum_a,
        sum_b: teams.sum_b,
        win_probability_a: teams.win_probability_a,
    }
}

fn round(asked_at: Timestamp, end: RoundEnd) -> InterventionRoundAnswer {
    // It ended later, by some hours at most.
    let seconds = end.ended_at.whole_seconds_since(asked_at);
    InterventionRoundAnswer {
        round_id: end.round_id,
        ended_at: end.ended_at,
        seconds_after: u32::try_from(seconds).unwrap_or_default(),
        winner: end.winner,
        win_probability: PairAnswer::odds(end.win_probability),
    }
}
