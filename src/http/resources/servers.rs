use axum::Json;
use axum::extract::State;

use crate::api::{NoticeAnswer, ReasonText, ScrambleWishRequest};
use crate::http::extract::{NoQuery, OptionalJsonBody, PathServer};
use crate::http::middleware::auth::Actor;
use crate::http::openapi::BodyRefusals;
use crate::http::{App, Problem};

/// Asks the server for a scramble: its plugin learns of it by the next answer that it gets.
#[utoipa::path(
    post,
    path = "/v1/admin/servers/{server}/scramble",
    tag = "Admin",
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
    let reason = request.reason.as_ref().map(ReasonText::as_str);
    let reason = reason.map(str::to_owned);
    let notice = app
        .service
        .request_scramble(&pool, server, reason, by)
        .await?;
    Ok(Json(notice))
}
