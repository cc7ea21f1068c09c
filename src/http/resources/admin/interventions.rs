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

/// Maximum number of interventions that a summary counts: about a month of a busy site.
const MAX_SUMMARIZED: u32 = 5000;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct InterventionsQuery {
    /// Name of the pool. Default: the pool of `server`, or else `default`.
    pool: Option<PoolName>,
    /// Filter: interventions in matches of this server.
    server: Option<ServerName>,
    /// Filter: interventions first requested at this time or later.
    from: Option<Moment>,
    /// Filter: interventions first requested before this time.
    to: Option<Moment>,
    /// Maximum number of interventions per page. Default: 50.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// Cursor from `next` of the previous page.
    #[param(value_type = Option<TimePlace>, inline)]
    after: Option<Cursor<TimePlace>>,
}

/// List interventions
///
/// An intervention is an answer of `POST /v1/balance` about two teams that were unbalanced during a round.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions",
    params(InterventionsQuery),
    responses(
        (status = 200, description = "A page of the interventions of the last 90 days, latest first.", body = InterventionsAnswer),
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
    /// Name of the pool. Default: `default`.
    pool: Option<PoolName>,
    /// Number of days whose interventions (moments in which RBS found a running match unbalanced) are counted,
    /// including today. Default: 7.
    #[serde(default)]
    #[param(inline)]
    days: Count<1, 90, 7>,
}

/// Summarize interventions
///
/// Counts the interventions of the last days by result, rule and policy, with the odds before and after
/// the moves, and the results of the rounds.
#[utoipa::path(
    get,
    path = "/v1/admin/interventions/summary",
    params(SummaryQuery),
    responses(
        (status = 200, description = "Totals of the interventions in the requested days.", body = InterventionSummaryAnswer),
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
