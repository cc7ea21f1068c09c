use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::extract::QueryFields;
use super::page::{Count, Cursor, PageSize};
use super::{App, Problem};
use crate::domain::PoolName;
use crate::service::{AuditPlace, Audited};
use crate::wire::{AuditAnswer, AuditedAnswer};

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/admin/audit", get(read))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    pool: Option<PoolName>,
    #[serde(default)]
    limit: PageSize,
    after: Option<Cursor<AuditPlace>>,
}

/// What admins did, in the pool named or in all.
async fn read(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
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
