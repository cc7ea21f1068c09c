use axum::Json;
use axum::extract::State;

use crate::api::{PlayerPowersAnswer, PlayerPowersQuery};
use crate::http::extract::{PathPlayer, QueryFields};
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};

/// Get a player's powers
///
/// Powers are numbers computed from the scoreboards of a player's last games. The answer includes these games.
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}/powers",
    tag = "Admin",
    params(PathPlayer, PlayerPowersQuery),
    responses(
        (
            status = 200,
            description = "The player's powers (numbers from scoreboards) by name, and the games used, latest first.",
            body = PlayerPowersAnswer,
        ),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_player_powers(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    QueryFields(query): QueryFields<PlayerPowersQuery>,
) -> Result<Json<PlayerPowersAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let powers = app.service.get_player_powers(&pool, id, query.mode).await?;
    Ok(Json(powers))
}
