use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::pagination::{Count, Cursor, Moment, PageSize, TimePlace};
use crate::api::{InterventionSummaryAnswer, InterventionsAnswer};
use crate::domain::{PoolName, ServerName};
use crate::http::extract::QueryFields;
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};

/// How many interventions a summary counts at most: all that a busy site has in a month.
const MAX_SUMMARIZED: u32 = 5000;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct InterventionsQuery {
    /// The pool; the server's, or `default`, where it is left out.
    pool: Option<PoolName>,
    /// Only matches of this server.
    server: Option<ServerName>,
    /// Only those first asked for then or later.
    from: Option<Moment>,
    /// Only those first asked for before.
    to: Option<Moment>,
    /// How many at most; 50 where it is left out.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<TimePlace>, inline)]
    after: Option<Cursor<TimePlace>>,
}

/// When matches of the pool named, or the server's, or of `default`, were found unbalanced in
/// mid-round, and what was answered.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions",
    tag = "Admin",
    params(InterventionsQuery),
    responses(
        (status = 200, description = "A page of interventions of the last 90 days, those first asked for last first.", body = InterventionsAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_interventions(
    State(app): State<App>,
    QueryFields(query): QueryFields<InterventionsQuery>,
) -> Result<Json<InterventionsAnswer>, Problem> {
    let service = &app.service;
    let pool = service.pool(query.pool.as_ref(), query.server.as_ref())?;
    let after = query.after.map(|Cursor(place)| place);
    let Count(limit) = query.limit;
    let [from, to] = [query.from, query.to].map(|moment| moment.map(|Moment(at)| at));
    let interventions = service
        .list_interventions(&pool, query.server, (from, to), after, limit)
        .await?;
    Ok(Json(interventions))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SummaryQuery {
    /// The pool; `default` where it is left out.
    pool: Option<PoolName>,
    /// How many days back, today included; 7 where it is left out.
    #[serde(default)]
    #[param(inline)]
    days: Count<1, 90, 7>,
}

/// How often matches were found unbalanced, why, whether the odds got better, and how the rounds
/// ended.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions/summary",
    tag = "Admin",
    params(SummaryQuery),
    responses(
        (status = 200, description = "What the interventions of these days come to.", body = InterventionSummaryAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn summarize_interventions(
    State(app): State<App>,
    QueryFields(query): QueryFields<SummaryQuery>,
) -> Result<Json<InterventionSummaryAnswer>, Problem> {
    let service = &app.service;
    let pool = service.pool(query.pool.as_ref(), None)?;
    let Count(days) = query.days;
    let summary = service
        .intervention_summary(&pool, days, MAX_SUMMARIZED)
        .await?;
    Ok(Json(summary))
}
