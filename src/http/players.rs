use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::caller::Caller;
use super::extract::{PathPlayer, QueryFields};
use super::{App, Problem};
use crate::domain::{PoolName, ServerName};
use crate::service::{PlayerView, Pool};
use crate::wire::PlayerAnswer;

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/players/{id}", get(look_up))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    server: Option<ServerName>,
    pool: Option<PoolName>,
}

/// Who a player is; somebody unknown is answered as a new player.
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
