use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::description::{PROBLEM_JSON, Refusals};
use super::extract::QueryFields;
use super::page::{Count, Cursor, InterventionCursor, PageSize};
use super::rated_players::odds;
use super::{App, Problem};
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::service::{
    InterventionDay, InterventionPlace, InterventionSummary, InterventionView, RoundEnd, Service,
    TeamsRecord,
};
use crate::wire::{
    AheadAnswer, InterventionAnswer, InterventionDayAnswer, InterventionMoveAnswer,
    InterventionOddsAnswer, InterventionReasonAnswer, InterventionRoundAnswer,
    InterventionRoundsAnswer, InterventionSummaryAnswer, InterventionTeamsAnswer,
    InterventionsAnswer, PolicyCountAnswer, ProblemAnswer, RuleCountAnswer,
};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(sum_up))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The pool; the server's, or `default`, where nothing is said.
    pool: Option<PoolName>,
    /// Only matches of this server.
    server: Option<ServerName>,
    /// How many at most; 50 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<InterventionCursor>, inline)]
    after: Option<Cursor<InterventionPlace>>,
}

/// When matches of the pool named, or the server's, or of `default`, were found unbalanced in
/// mid-round, and what was answered.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions",
    operation_id = "list_interventions",
    tag = "Admin",
    params(Which),
    responses(
        (status = 200, description = "A page of interventions of the last 90 days, those first asked for last first.", body = InterventionsAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn list(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
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
struct WhichDays {
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
    params(WhichDays),
    responses(
        (status = 200, description = "What the interventions of these days come to.", body = InterventionSummaryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn sum_up(
    State(app): State<App>,
    QueryFields(which): QueryFields<WhichDays>,
) -> Result<Json<InterventionSummaryAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(days) = which.days;
    let summary = app.service.sum_up_interventions(&pool, days).await?;
    Ok(Json(summary_answer(&pool.name, days, summary)))
}

fn answer(view: InterventionView) -> InterventionAnswer {
    let first_asked_at = view.first_asked_at;
    let reasons = view.reasons.into_iter();
    let moves = view.moves.into_iter();
    InterventionAnswer {
        server: view.server,
        first_asked_at,
        last_asked_at: view.last_asked_at,
        asked: view.asked,
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
        before: teams(view.before),
        after: teams(view.after),
        balanced_after: view.balanced_after,
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
        win_probability: odds(end.win_probability),
    }
}

fn summary_answer(
    pool: &PoolName,
    days: u32,
    summary: InterventionSummary,
) -> InterventionSummaryAnswer {
    let (rules, policies) = (summary.rules.into_iter(), summary.policies.into_iter());
    let counts = summary.counts;
    let ahead = summary.rounds.ahead;
    InterventionSummaryAnswer {
        pool: pool.clone(),
        from: summary.from,
        days,
        complete: summary.complete,
        at_most: Service::MOST_SUMMED_UP,
        interventions: counts.interventions,
        moved: counts.moved,
        filled: counts.filled,
        nothing_helps: counts.nothing_helps,
        moved_players: summary.moved_players,
        by_day: summary.days.into_iter().map(day).collect(),
        by_rule: rules
            .map(|(rule, interventions)| RuleCountAnswer {
                rule,
                interventions,
            })
            .collect(),
        by_policy: policies
            .map(|(policy, interventions)| PolicyCountAnswer {
                policy,
                interventions,
            })
            .collect(),
        odds: InterventionOddsAnswer {
            before: summary.odds.before,
            after: summary.odds.after,
        },
        rounds: InterventionRoundsAnswer {
            known: summary.rounds.known,
            close: summary.rounds.close,
            close_before: summary.rounds.close_before,
            ahead: AheadAnswer {
                interventions: ahead.interventions,
                score: ahead.score,
                predicted_before: ahead.predicted_before,
                predicted_after: ahead.predicted_after,
            },
        },
    }
}

fn day(day: InterventionDay) -> InterventionDayAnswer {
    InterventionDayAnswer {
        from: day.from,
        interventions: day.interventions,
        moved: day.moved,
        filled: day.filled,
        nothing_helps: day.nothing_helps,
    }
}
