use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::players;
use crate::api::schema::AnyPlayerId;
use crate::api::{
    AdminPlayerAnswer, LastRoundAnswer, PlayerAnswer, PlayerHistoryAnswer, PlayerPointAnswer,
    ProblemAnswer, ResetRequest, SetRequest, WindowAnswer,
};
use crate::domain::{PlayerId, PoolName, ServerName};
use crate::http::extract::{JsonBody, OptionalJsonBody, PathPlayer, QueryFields, change_note};
use crate::http::middleware::auth::Actor;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{BodyRefusals, PROBLEM_JSON, Refusals};
use crate::http::pagination::Count;
use crate::http::{App, Problem};
use crate::service::{HistoryCause, HistoryPoint, PlayerDetails, PlayerView, Pool, RecordedRound};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(look_up))
        .routes(routes!(look_into, set))
        .routes(routes!(reset))
        .routes(routes!(player_history))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PlayerQuery {
    /// The server whose pool is meant.
    server: Option<ServerName>,
    /// The pool; the server's, or `default`, where nothing is said.
    pool: Option<PoolName>,
}

/// Who a player is; somebody unknown is answered as a new player.
#[utoipa::path(
    get,
    path = "/v1/players/{id}",
    operation_id = "look_up_player",
    tag = "Players",
    params(("id" = AnyPlayerId, Path, description = "The player."), PlayerQuery),
    responses(
        (status = 200, description = "The player.", body = PlayerAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn look_up(
    State(app): State<App>,
    caller: Caller,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<PlayerQuery>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let pool = caller.pool(&app, which.pool.as_ref(), which.server.as_ref())?;
    let view = app.service.get_player(&pool, id).await?;
    Ok(Json(answer(&pool, &view)))
}

pub(crate) fn answer(pool: &Pool, view: &PlayerView) -> PlayerAnswer {
    PlayerAnswer {
        id: view.id,
        pool: pool.name.clone(),
        rating: view.rating,
        visible: view.visible,
        rounds: view.rounds,
        stale: view.stale,
        last_played: view.last_played,
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PoolQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
}

/// Who a player is, and what the next round's K-factor comes from.
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}",
    operation_id = "look_into_player",
    tag = "Admin",
    params(("id" = AnyPlayerId, Path, description = "The player."), PoolQuery),
    responses(
        (status = 200, description = "The player; somebody unknown is a new player.", body = AdminPlayerAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn look_into(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<PoolQuery>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    details(&app, &pool, id).await
}

/// Gives the player a rating, and answers who the player is now.
#[utoipa::path(
    put,
    path = "/v1/admin/players/{id}",
    operation_id = "set_rating",
    tag = "Admin",
    params(("id" = AnyPlayerId, Path, description = "The player."), PoolQuery),
    request_body = SetRequest,
    responses(
        (status = 200, description = "The player as it is now.", body = AdminPlayerAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
async fn set(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<PoolQuery>,
    Actor(by): Actor,
    JsonBody(request): JsonBody<SetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let change_note = change_note(request.reason, request.change_id);
    app.service
        .set_rating(&pool, id, request.rating, change_note, by)
        .await?;
    details(&app, &pool, id).await
}

/// Makes the player new again, and answers who the player is now.
#[utoipa::path(
    post,
    path = "/v1/admin/players/{id}/reset",
    operation_id = "reset_player",
    tag = "Admin",
    params(("id" = AnyPlayerId, Path, description = "The player."), PoolQuery),
    request_body = Option<ResetRequest>,
    responses(
        (status = 200, description = "The player as it is now.", body = AdminPlayerAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        (status = 409, description = "The `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        BodyRefusals,
    ),
)]
async fn reset(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<PoolQuery>,
    Actor(by): Actor,
    OptionalJsonBody(request): OptionalJsonBody<ResetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    app.service
        .reset_player(
            &pool,
            id,
            change_note(request.reason, request.change_id),
            by,
        )
        .await?;
    details(&app, &pool, id).await
}

async fn details(app: &App, pool: &Pool, id: PlayerId) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let PlayerDetails {
        view,
        convergence,
        k,
        window_length,
        last_rounds,
    } = app.service.get_player_details(pool, id).await?;
    Ok(Json(AdminPlayerAnswer {
        player: players::answer(pool, &view),
        convergence: convergence.score,
        k,
        window: WindowAnswer {
            n: window_length,
            velocity: convergence.velocity,
            win_rate_excess: convergence.win_rate_excess,
            volatility: convergence.volatility,
        },
        last_rounds: last_rounds
            .iter()
            .filter_map(|round| last_round(round, id))
            .collect(),
    }))
}

/// A round as it was for the player `id`; `None` where `id` was not rated in it.
fn last_round(recorded: &RecordedRound, id: PlayerId) -> Option<LastRoundAnswer> {
    let RecordedRound { logged, result } = recorded;
    let participants = logged.round.participants();
    let ((team, _), rated) = participants
        .zip(&result.players)
        .find(|((_, entry), _)| entry.id == id)?;
    let parts = logged.round.parts();
    Some(LastRoundAnswer {
        round_id: parts.round_id.clone(),
        server: parts.server.clone(),
        map: parts.map.clone(),
        ended_at: logged.ended_at,
        winner: parts.winner,
        team,
        win_probability: result.win_probability.of(team),
        before: rated.before,
        rating: rated.after,
        delta: rated.after.points() - rated.before.points(),
        k: rated.k,
    })
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PlayerHistoryQuery {
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
    params(("id" = AnyPlayerId, Path, description = "The player."), PlayerHistoryQuery),
    responses(
        (status = 200, description = "The ratings, the oldest first.", body = PlayerHistoryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn player_history(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<PlayerHistoryQuery>,
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
