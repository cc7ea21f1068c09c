use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::auth::Asker;
use super::description::{BodyRefusals, PROBLEM_JSON, Refusals};
use super::extract::{JsonBody, OptionalJsonBody, PathPlayer, QueryFields};
use super::told::told;
use super::{App, Problem, players};
use crate::domain::{PlayerId, PoolName};
use crate::service::{PlayerDetails, Pool, RecordedRound};
use crate::wire::schema::AnyPlayerId;
use crate::wire::{
    AdminPlayerAnswer, LastRoundAnswer, ProblemAnswer, ResetRequest, SetRequest, WindowAnswer,
};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(look_into, set))
        .routes(routes!(reset))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
}

/// Who a player is, and what the next round's K-factor comes from.
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}",
    operation_id = "look_into_player",
    tag = "Admin",
    params(("id" = AnyPlayerId, Path, description = "The player."), Which),
    responses(
        (status = 200, description = "The player; somebody unknown is a new player.", body = AdminPlayerAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn look_into(
    State(app): State<App>,
    PathPlayer(id): PathPlayer,
    QueryFields(which): QueryFields<Which>,
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
    params(("id" = AnyPlayerId, Path, description = "The player."), Which),
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
    QueryFields(which): QueryFields<Which>,
    Asker(by): Asker,
    JsonBody(request): JsonBody<SetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let told = told(request.reason, request.change_id);
    app.service
        .set_rating(&pool, id, request.rating, told, by)
        .await?;
    details(&app, &pool, id).await
}

/// Makes the player new again, and answers who the player is now.
#[utoipa::path(
    post,
    path = "/v1/admin/players/{id}/reset",
    operation_id = "reset_player",
    tag = "Admin",
    params(("id" = AnyPlayerId, Path, description = "The player."), Which),
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
    QueryFields(which): QueryFields<Which>,
    Asker(by): Asker,
    OptionalJsonBody(request): OptionalJsonBody<ResetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    app.service
        .reset_player(&pool, id, told(request.reason, request.change_id), by)
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
    } = app.service.look_into_player(pool, id).await?;
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
