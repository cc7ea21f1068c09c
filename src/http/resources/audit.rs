use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{AuditAnswer, AuditedAnswer};
use crate::domain::PoolName;
use crate::http::extract::QueryFields;
use crate::http::openapi::Refusals;
use crate::http::pagination::{AuditCursor, Count, Cursor, PageSize};
use crate::http::{App, Problem};
use crate::service::{AuditPlace, Audited};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// The pool; left out, all of them.
    pool: Option<PoolName>,
    /// How many at most; 50 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<AuditCursor>, inline)]
    after: Option<Cursor<AuditPlace>>,
}

/// What admins did, in the pool named or in all.
#[utoipa::path(
    get,
    path = "/v1/admin/audit",
    operation_id = "read_audit",
    tag = "Admin",
    responses(
        (status = 200, description = "A page of what was done, the latest first.", body = AuditAnswer),
        Refusals,
    ),
)]
async fn read(
    State(app): State<App>,
    QueryFields(which): QueryFields<AuditQuery>,
) -> Result<Json<AuditAnswer>, Problem> {
    let after = which.after.map(|Cursor(place)| place);
    let Count(limit) = which.limit;
    let pool = which.pool.as_ref();
    let page = app.service.read_audit(pool, after.as_ref(), limit).await?;
    Ok(Json(AuditAnswer {
        entries: page.entries.into_iter().map(answer).collect(),
        next: page.next.map(|place| Cursor(place).to_string()),
    }))
}

fn answer(done: Audited) -> AuditedAnswer {
    let (server, round_id) = done.round.unzip();
    AuditedAnswer {
        at: done.made_at,
        secret: done.secret,
        action: done.action,
        pool: done.pool,
        player: done.player,
        server,
        round_id,
        reason: done.reason,
        before: done.before,
        after: done.after,
    }
}
