use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

use crate::api::pagination::Count;
use crate::api::{
    AdminPlayerAnswer, AliasRequest, ForgetRequest, PlayerAnswer, PlayerHistoryAnswer,
    PlayerHistoryQuery, PlayerListAnswer, PlayerListQuery, PlayerPowersAnswer, PlayerPowersQuery,
    PlayerQuery, PlayersAnswer, PlayersRequest, PoolInProgressAnswer, PoolQuery, ProblemAnswer,
    ProfileAnswer, ResetRequest, SetRequest, UndoRequest,
};
use crate::http::extract::{
    InPool, JsonBody, NoQuery, OptionalJsonBody, PathPlayer, QueryFields, change_note,
};
use crate::http::middleware::auth::Actor;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{
    ChangeRefusals, OpenRefusals, PROBLEM_JSON, PoolBodyRefusals, PoolRefusals,
    RecomputationRefusals,
};
use crate::http::pages::player::player_page;
use crate::http::resources::rounds::pools_in_progress;
use crate::http::{App, Problem, pages};
use crate::service::RoundOutcome;

/// Get a player
///
/// Unknown players are returned as new players.
#[utoipa::path(
    get,
    path = "/v1/players/{id}",
    tag = "Players",
    params(PathPlayer, PlayerQuery),
    responses(
        (status = 200, description = "The player.", body = PlayerAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_player(
    State(app): State<App>,
    caller: Caller,
    PathPlayer { id }: PathPlayer,
    QueryFields(query): QueryFields<PlayerQuery>,
) -> Result<Json<PlayerAnswer>, Problem> {
    let pool = caller.pool(&app, query.pool.as_ref(), query.server.as_ref())?;
    Ok(Json(app.service.get_player(&pool, id).await?))
}

/// Get a player's profile
///
/// Compares the player with the others of the pool, and lists results. Unknown players are returned as new players.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/profile",
    tag = "Players",
    params(PathPlayer, PlayerQuery),
    responses(
        (status = 200, description = "The player, with record, streaks, maps, partners and opponents.", body = ProfileAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_player_profile(
    State(app): State<App>,
    caller: Caller,
    PathPlayer { id }: PathPlayer,
    QueryFields(query): QueryFields<PlayerQuery>,
) -> Result<Json<ProfileAnswer>, Problem> {
    let pool = caller.pool(&app, query.pool.as_ref(), query.server.as_ref())?;
    Ok(Json(app.service.player_profile(&pool, id).await?))
}

/// Get several players at once
///
/// Unknown players are returned as new players. The names in the request are stored; nothing else is written.
#[utoipa::path(
    post,
    path = "/v1/players",
    tag = "Players",
    request_body = PlayersRequest,
    responses(
        (status = 200, description = "The players, in the order sent.", body = PlayersAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn get_players(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<PlayersRequest>,
) -> Result<Json<PlayersAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool_of_server(&app, request.pool.as_ref(), &request.server)?;
    caller.keep_names(&app, request.names()).await;
    let players = request.player_ids();
    let found = app
        .service
        .get_players(&pool, request.server, &players)
        .await?;
    Ok(Json(found))
}

/// List the players of a pool
///
/// The list can be searched, filtered and sorted. The service caches the players of a pool for ten seconds, or for ten
/// times as long as reading them takes if this is longer.
#[utoipa::path(
    get,
    path = "/v1/admin/players",
    params(PlayerListQuery),
    responses(
        (status = 200, description = "The players.", body = PlayerListAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_players(
    State(app): State<App>,
    QueryFields(query): QueryFields<PlayerListQuery>,
) -> Result<Json<PlayerListAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    Ok(Json(
        Box::pin(app.service.list_players(&pool, &query)).await?,
    ))
}

/// Get a player with the inputs of the next round's K-factor
///
/// Unknown players are returned as new players.
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}",
    params(PathPlayer, PoolQuery),
    responses(
        (status = 200, description = "The player. An unknown player is returned as a new player.", body = AdminPlayerAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_player_details(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    InPool(pool): InPool,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    Ok(Json(app.service.get_player_details(&pool, id).await?))
}

/// Set a player's rating
///
/// Returns the player after the change.
#[utoipa::path(
    put,
    path = "/v1/admin/players/{id}",
    params(PathPlayer, PoolQuery),
    request_body = SetRequest,
    responses(
        (status = 200, description = "The player after the change.", body = AdminPlayerAnswer),
        ChangeRefusals,
    ),
)]
pub(crate) async fn set_rating(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    InPool(pool): InPool,
    Actor(by): Actor,
    JsonBody(request): JsonBody<SetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let note = change_note(request.reason, request.change_id);
    let points = request.rating;
    let player = app.service.set_rating(&pool, id, points, note, by).await?;
    Ok(Json(player))
}

/// Reset a player to a new player
///
/// Returns the player after the reset.
#[utoipa::path(
    post,
    path = "/v1/admin/players/{id}/reset",
    params(PathPlayer, PoolQuery),
    request_body = Option<ResetRequest>,
    responses(
        (status = 200, description = "The player after the change.", body = AdminPlayerAnswer),
        ChangeRefusals,
    ),
)]
pub(crate) async fn reset_player(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    InPool(pool): InPool,
    Actor(by): Actor,
    OptionalJsonBody(request): OptionalJsonBody<ResetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let note = change_note(request.reason, request.change_id);
    Ok(Json(app.service.reset_player(&pool, id, note, by).await?))
}

/// Undo a change of a player
///
/// Every rating becomes as if the change had never been made. Returns the player after the undo.
#[utoipa::path(
    post,
    path = "/v1/admin/players/{id}/undo",
    params(PathPlayer, PoolQuery),
    request_body = UndoRequest,
    responses(
        (status = 200, description = "The player after the change.", body = AdminPlayerAnswer),
        (status = 202, description = "The ratings are being recomputed; poll `Location` until that is done.", body = PoolInProgressAnswer),
        RecomputationRefusals,
    ),
)]
pub(crate) async fn undo_change(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    InPool(pool): InPool,
    Actor(by): Actor,
    JsonBody(request): JsonBody<UndoRequest>,
) -> Result<Response, Problem> {
    let note = change_note(request.reason, request.change_id);
    let timeout = app.time_to_answer();
    let undoing = app
        .service
        .undo_change(&pool, id, request.undoes, note, by, timeout);
    match undoing.await? {
        RoundOutcome::Done => {
            let player = app.service.get_player_details(&pool, id).await?;
            Ok(Json(player).into_response())
        }
        RoundOutcome::InProgress => pools_in_progress(&app, &pool.name, &[]).await,
    }
}

/// Set or clear a player's alias
///
/// The alias replaces the name sent by game servers, in every pool. Returns the player after the change.
#[utoipa::path(
    post,
    path = "/v1/admin/players/{id}/alias",
    params(PathPlayer, PoolQuery),
    request_body = AliasRequest,
    responses(
        (status = 200, description = "The player after the change.", body = AdminPlayerAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn set_player_alias(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    InPool(pool): InPool,
    Actor(by): Actor,
    JsonBody(request): JsonBody<AliasRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let player = app.service.set_player_alias(&pool, id, request, by).await?;
    Ok(Json(player))
}

/// Forget a player's names
///
/// Deletes the names of the player in every pool, and stores no new ones. Ratings and rounds stay, including the
/// id. Returns the player after the change.
#[utoipa::path(
    post,
    path = "/v1/admin/players/{id}/forget",
    params(PathPlayer, PoolQuery),
    request_body = Option<ForgetRequest>,
    responses(
        (status = 200, description = "The player after the change.", body = AdminPlayerAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn forget_player(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    InPool(pool): InPool,
    Actor(by): Actor,
    OptionalJsonBody(request): OptionalJsonBody<ForgetRequest>,
) -> Result<Json<AdminPlayerAnswer>, Problem> {
    let player = app.service.forget_player(&pool, id, request, by).await?;
    Ok(Json(player))
}

/// Get the course of a player's rating
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}/history",
    params(PathPlayer, PlayerHistoryQuery),
    responses(
        (status = 200, description = "The ratings, oldest first.", body = PlayerHistoryAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_player_history(
    State(app): State<App>,
    PathPlayer { id }: PathPlayer,
    QueryFields(query): QueryFields<PlayerHistoryQuery>,
) -> Result<Json<PlayerHistoryAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let Count(points) = query.points;
    let season = query.season.map(|Count(number)| number);
    let history = app.service.get_player_history(&pool, id, season, points);
    Ok(Json(history.await?))
}

/// Get a player's powers
///
/// Powers are numbers computed from the scoreboards of a player's last games. The answer includes these games.
#[utoipa::path(
    get,
    path = "/v1/admin/players/{id}/powers",
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

/// Show a player's public page
///
/// Clients that ask for HTML get errors as HTML too.
#[utoipa::path(
    get,
    path = "/players/{id}",
    tag = "Players",
    params(PathPlayer, PoolQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "No pool of this name has public player pages, or the player has no rounds in it.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
pub(crate) async fn show_player(
    State(app): State<App>,
    headers: HeaderMap,
    player: Result<PathPlayer, Problem>,
    query: Result<QueryFields<PoolQuery>, Problem>,
) -> Response {
    pages::answer(&headers, async {
        let (PathPlayer { id }, QueryFields(query)) = (player?, query?);
        let pool = app.service.public_pool(query.pool.as_ref())?;
        let player = app.service.public_player(&pool, id).await?;
        Ok(player_page(&pool, &player))
    })
    .await
}
