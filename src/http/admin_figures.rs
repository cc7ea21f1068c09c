//! What the operators' page looks at beside the quality of a pool.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::description::{PROBLEM_JSON, Refusals};
use super::extract::{NoQuery, PathPlayer, QueryFields};
use super::page::Count;
use super::{App, Problem};
use crate::domain::PoolName;
use crate::service::{HistoryCause, HistoryPoint, PoolView, QualityPoint};
use crate::wire::schema::AnyPlayerId;
use crate::wire::{
    ActivityAnswer, PlayerHistoryAnswer, PlayerPointAnswer, PoolAnswer, PoolsAnswer, ProblemAnswer,
    QualityHistoryAnswer, QualityPointAnswer, ServerActivityAnswer,
};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pools))
        .routes(routes!(quality_history))
        .routes(routes!(activity))
        .routes(routes!(player_history))
}

/// The pools that are configured.
#[utoipa::path(
    get,
    path = "/v1/admin/pools",
    operation_id = "list_pools",
    tag = "Admin",
    responses(
        (status = 200, description = "The pools, by name.", body = PoolsAnswer),
        Refusals,
    ),
)]
async fn pools(State(app): State<App>, NoQuery: NoQuery) -> Result<Json<PoolsAnswer>, Problem> {
    let pools = app.service.list_pools().await?;
    Ok(Json(PoolsAnswer {
        pools: pools.into_iter().map(pool).collect(),
        version: env!("CARGO_PKG_VERSION"),
    }))
}

fn pool(view: PoolView) -> PoolAnswer {
    let parameters = &view.pool.settings.parameters;
    PoolAnswer {
        pool: view.pool.name.clone(),
        theta: parameters.theta,
        rounds: view.rounds,
        window: parameters.window,
        initial_rating: parameters.initial_rating,
        min_rating: parameters.min_rating,
        shadow_rounds: parameters.shadow_rounds,
        stale_days: parameters.stale_days,
        servers: view.servers,
        leaderboard_public: view.pool.settings.leaderboard.is_public(),
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WhichQuality {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// At how many rounds; 200 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    points: Count<2, 1000, 200>,
}

/// How the quality of the predictions went.
#[utoipa::path(
    get,
    path = "/v1/admin/quality/history",
    operation_id = "read_quality_history",
    tag = "Admin",
    params(WhichQuality),
    responses(
        (status = 200, description = "The figures, the oldest first.", body = QualityHistoryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn quality_history(
    State(app): State<App>,
    QueryFields(which): QueryFields<WhichQuality>,
) -> Result<Json<QualityHistoryAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(points) = which.points;
    let history = app.service.quality_history(&pool, points).await?;
    let point = |point: QualityPoint| QualityPointAnswer {
        rounds: point.rounds,
        ended_at: point.ended_at,
        brier: point.brier,
        coin_flip_brier: point.coin_flip_brier,
        log_loss: point.log_loss,
    };
    Ok(Json(QualityHistoryAnswer {
        pool: pool.name.clone(),
        window: pool.settings.parameters.window,
        points: history.into_iter().map(point).collect(),
    }))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WhichHours {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// How many hours back; 48 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    hours: Count<1, 336, 48>,
}

/// How much was played.
#[utoipa::path(
    get,
    path = "/v1/admin/activity",
    operation_id = "count_activity",
    tag = "Admin",
    params(WhichHours),
    responses(
        (status = 200, description = "The rounds of each hour, the oldest first; held for ten seconds, or for ten times as long as counting took where that is longer.", body = ActivityAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn activity(
    State(app): State<App>,
    QueryFields(which): QueryFields<WhichHours>,
) -> Result<Json<ActivityAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(hours) = which.hours;
    let activity = app.service.count_activity(&pool, hours).await?;
    let servers = activity.servers.into_iter();
    Ok(Json(ActivityAnswer {
        pool: pool.name.clone(),
        from: activity.from,
        hours,
        servers: servers
            .map(|(server, rounds)| ServerActivityAnswer { server, rounds })
            .collect(),
        others: activity.others,
        total: activity.total,
    }))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WhichPoints {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// How many points at most, sets and resets aside; 500 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    points: Count<2, 2000, 500>,
}

/// How a player's rating went.
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}/history",
    operation_id = "read_player_history",
    tag = "Admin",
    params(("id" = AnyPlayerId, Path, description = "The player."), WhichPoints),
    responses(
        (status = 200, description = "The ratings, the oldest first.", body = PlayerHistoryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn player_history(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<WhichPoints>,
) -> Result<Json<PlayerHistoryAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(points) = which.points;
    let history = app.service.player_history(&pool, id, points).await?;
    Ok(Json(PlayerHistoryAnswer {
        id,
        pool: pool.name.clone(),
        points: history.into_iter().map(player_point).collect(),
    }))
}

fn player_point(point: HistoryPoint) -> PlayerPointAnswer {
    let (change, round) = match point.cause {
        HistoryCause::Round(server, round_id) => ("round", Some((server, round_id))),
        HistoryCause::Set => ("set", None),
        HistoryCause::Reset => ("reset", None),
    };
    let (server, round_id) = round.unzip();
    PlayerPointAnswer {
        at: point.at,
        rating: point.rating,
        change,
        round_id,
        server,
    }
}
