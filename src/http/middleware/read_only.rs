use std::collections::BTreeSet;

use axum::http::Method;

use crate::config::ReadScope;
use crate::http::Problem;
use crate::http::resources::metrics;

/// Returns the paths that a scope of a read-only secret opens. The scope of figures includes no round, and no player
/// except those on the leaderboard.
fn paths(scope: ReadScope) -> &'static [&'static str] {
    match scope {
        ReadScope::Metrics => &[metrics::PATH],
        ReadScope::Figures => &[
            "/v1/leaderboard",
            "/v1/admin/quality",
            "/v1/admin/quality/history",
            "/v1/admin/models",
            "/v1/admin/pools",
            "/v1/admin/activity",
            "/v1/admin/interventions/summary",
        ],
    }
}

/// Returns an error for a request that the `scopes` of a read-only secret do not cover.
pub(crate) fn check(
    scopes: &BTreeSet<ReadScope>,
    method: &Method,
    path: &str,
) -> Result<(), Problem> {
    let open: Vec<&str> = scopes
        .iter()
        .flat_map(|scope| paths(*scope))
        .copied()
        .collect();
    let reads = [Method::GET, Method::HEAD].contains(method);
    if reads && open.contains(&path) {
        Ok(())
    } else {
        Err(Problem::read_only(&open.join(", ")))
    }
}
