use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::description::{PROBLEM_JSON, Refusals};
use super::extract::{PathPlayer, QueryFields};
use super::{App, Problem};
use crate::domain::{PoolName, ServerName};
use crate::service::{PlayerView, Pool};
use crate::wire::schema::AnyPlayerId;
use crate::wire::{PlayerAnswer, ProblemAnswer};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(look_up))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
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
    params(("id" = AnyPlayerId, Path, description = "The player."), Which),
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
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let pool = caller.pool(&app, which.pool.as_ref(), which.server.as_ref())?;
    let view = app.service.look_up_player(&pool, id).await?;
    Ok(Json(answer(&pool, &view)))
}

pub(super) fn answer(pool: &Pool, view: &PlayerView) -> PlayerAnswer {
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
