use axum::Json;
use axum::extract::State;

use crate::api::{HelloAnswer, HelloRequest};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::PoolBodyRefusals;
use crate::http::{App, Problem};

/// Greet a game server at the start of a map
///
/// A successful answer proves that address, secret and server name are right. Stores the names of the
/// players, and the plugin's version for admins.
#[utoipa::path(
    post,
    path = "/v1/hello",
    tag = "Rounds",
    request_body = HelloRequest,
    responses(
        (status = 200, description = "The server's pool and settings, its players, and its notices.", body = HelloAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn greet(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<HelloRequest>,
) -> Result<Json<HelloAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool_of_server(&app, request.pool.as_ref(), &request.server)?;
    caller.keep_names(&app, request.names()).await;
    if caller.is_game_server() {
        app.service
            .keep_greeting(&request.server, request.plugin, caller.client)
            .await;
        app.service.note_map(&request.server, request.map.as_ref());
    }
    Ok(Json(app.service.greet(&pool, &request).await?))
}
