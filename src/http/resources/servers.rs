use axum::Json;
use axum::extract::State;

use crate::api::{
    HelloAnswer, HelloRequest, LiveAnswer, NoticeAnswer, ScrambleWishRequest, ServersAnswer,
    ServersQuery,
};
use crate::http::extract::{JsonBody, NoQuery, OptionalJsonBody, PathServer, QueryFields};
use crate::http::middleware::auth::Actor;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{BodyRefusals, PoolBodyRefusals, PoolRefusals};
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
    if caller.is_game_server {
        app.service
            .keep_greeting(&request.server, request.plugin, caller.client)
            .await;
        app.service.note_map(&request.server, request.map.as_ref());
    }
    Ok(Json(app.service.greet(&pool, &request).await?))
}

/// List game servers
///
/// Returns the game servers of one pool or of all pools, with the times of their last activity and last round, and
/// their numbers of rounds today, in 24 hours and in total. Servers that need attention come first.
#[utoipa::path(
    get,
    path = "/v1/admin/servers",
    params(ServersQuery),
    responses(
        (status = 200, description = "The servers. Their round counts may be a few seconds old, as in `/v1/admin/activity`.", body = ServersAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_servers(
    State(app): State<App>,
    QueryFields(query): QueryFields<ServersQuery>,
) -> Result<Json<ServersAnswer>, Problem> {
    let name_of = |secret| app.authenticator.secret_name(secret);
    let servers = app
        .service
        .list_servers(query.pool.as_ref(), name_of)
        .await?;
    Ok(Json(servers))
}

/// List live matches
///
/// Returns who is on which team, the odds now, and why the teams are as they are. The teams are the latest ones that
/// are known: from requests of the server to this instance since its start, or from rounds and scrambles. Matches of
/// more than two teams are left out.
#[utoipa::path(
    get,
    path = "/v1/admin/live",
    params(ServersQuery),
    responses(
        (status = 200, description = "The matches of one pool or of all pools.", body = LiveAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_live(
    State(app): State<App>,
    QueryFields(query): QueryFields<ServersQuery>,
) -> Result<Json<LiveAnswer>, Problem> {
    Ok(Json(app.service.list_live(query.pool.as_ref()).await?))
}

/// Ask a game server for a scramble
///
/// The next answer to the server's plugin carries a notice that an admin asks for new teams.
#[utoipa::path(
    post,
    path = "/v1/admin/servers/{server}/scramble",
    params(PathServer),
    request_body = Option<ScrambleWishRequest>,
    responses(
        (status = 200, description = "The notice that the server will get.", body = NoticeAnswer),
        BodyRefusals,
    ),
)]
pub(crate) async fn request_scramble(
    State(app): State<App>,
    PathServer { server }: PathServer,
    NoQuery: NoQuery,
    Actor(by): Actor,
    OptionalJsonBody(request): OptionalJsonBody<ScrambleWishRequest>,
) -> Result<Json<NoticeAnswer>, Problem> {
    app.service.check_known(&server)?;
    let pool = app.service.pool(None, Some(&server))?;
    let reason = request.reason.map(String::from);
    let notice = app
        .service
        .request_scramble(&pool, server, reason, by)
        .await?;
    Ok(Json(notice))
}
