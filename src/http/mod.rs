//! The HTTP API: one file for each resource, and the middleware that all of them share.

mod accept;
mod connection;
mod diagnostics;
mod extract;
mod middleware;
mod openapi;
mod pages;
mod paths;
mod problem;
mod refused;
mod reload;
mod resources;

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath};
use axum::http::{StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use connection::serve;
use middleware::arrival::Arrivals;
pub use middleware::auth::{AuthConfig, Authenticator};
use middleware::observe::FailedRequests;
use middleware::refusal_log::RefusalLog;
use middleware::request_slots::RequestSlots;
pub use openapi::openapi_json;
use problem::Problem;
pub use reload::{Loaded, Reloader};
use resources::admin::{
    audit, interventions, login_links, pools, quality, rebuild, seasons, settings,
};
use resources::{
    balance, dashboard, leaderboard, matches, metrics, players, rounds, servers, session, splits,
    update,
};

use crate::service::Service;

/// Maximum size of a request body, in bytes.
const MAX_BODY: usize = 256 * 1024;

/// State that all HTTP handlers share.
#[derive(Clone)]
pub struct App {
    /// Service behind the HTTP handlers, which does the work of each request.
    pub service: Service,
    /// Authenticator of every HTTP request, by its secret or session.
    pub authenticator: Authenticator,
    /// Settings in force, and the means to reload them.
    pub reloader: Reloader,
    /// Maximum duration of a request.
    pub request_timeout: Duration,
    /// Limits on the connections and requests of clients.
    pub limits: Limits,
}

impl App {
    /// Returns the time that a request may spend on optional parts of its answer. The rest of the request timeout is
    /// for the answer itself, which tells the client where to find a missing part.
    fn time_to_answer(&self) -> Duration {
        self.request_timeout * 3 / 4
    }
}

/// Limits on the connections and requests of clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum time for sending a request, and maximum time without reading the answer. An idle connection is closed
    /// after this time, or at most twice as long.
    pub timeout: Duration,
    /// Maximum number of open client connections. Further ones wait in the operating system's queue.
    pub connections: usize,
    /// Maximum number of running requests whose bodies have arrived. One client may run at most as many as may still
    /// begin. Further requests get status 429.
    pub requests: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            connections: 16 * 1024,
            requests: 512,
        }
    }
}

/// Returns the routes that count towards [`Limits::requests`].
fn limited() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(update::update))
        .routes(routes!(update::updates))
        .routes(routes!(splits::propose_splits, splits::last_splits))
        .routes(routes!(splits::try_splits))
        .routes(routes!(splits::splits_of_round))
        .routes(routes!(splits::splits_of_server))
        .routes(routes!(balance::balance))
        .routes(routes!(balance::place))
        .routes(routes!(matches::make_matches))
        .routes(routes!(servers::greet))
        .routes(routes!(players::get_players))
        .routes(routes!(players::get_player))
        .routes(routes!(players::list_players))
        .routes(routes!(players::get_player_profile))
        .routes(routes!(players::get_player_details, players::set_rating))
        .routes(routes!(players::reset_player))
        .routes(routes!(players::undo_change))
        .routes(routes!(players::set_player_alias))
        .routes(routes!(players::forget_player))
        .routes(routes!(players::get_player_history))
        .routes(routes!(players::get_player_powers))
        .routes(routes!(rounds::list_rounds))
        .routes(routes!(rounds::get_round))
        .routes(routes!(rounds::void_round))
        .routes(routes!(rounds::void_own_round))
        .routes(routes!(rounds::unvoid_round))
        .routes(routes!(rounds::correct_round))
        .routes(routes!(rounds::void_rounds))
        .routes(routes!(servers::list_servers))
        .routes(routes!(servers::list_live))
        .routes(routes!(seasons::list_seasons, seasons::start_season))
        .routes(routes!(seasons::try_season))
        .routes(routes!(seasons::undo_season))
        .routes(routes!(servers::request_scramble))
        .routes(routes!(audit::list_audit))
        .routes(routes!(interventions::list_interventions))
        .routes(routes!(interventions::summarize_interventions))
        .routes(routes!(audit::list_refusals))
        .routes(routes!(quality::get_quality))
        .routes(routes!(quality::get_quality_history))
        .routes(routes!(quality::compare_models))
        .routes(routes!(pools::list_pools))
        .routes(routes!(settings::get_settings))
        .routes(routes!(settings::reload_settings))
        .routes(routes!(settings::get_diagnostics))
        .routes(routes!(login_links::make_login_link))
        .routes(routes!(rebuild::get_rebuild, rebuild::cancel_rebuild))
        .routes(routes!(rebuild::list_imports))
        .routes(routes!(pools::get_activity))
        .routes(routes!(leaderboard::list_leaderboard))
        .routes(routes!(leaderboard::show_leaderboard))
        .routes(routes!(players::show_player))
        .routes(routes!(rounds::show_match))
}

/// Returns the routes without a limit on running requests.
fn unlimited() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(metrics::health))
        .routes(routes!(metrics::readiness))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::describe))
        .routes(routes!(openapi::show_docs))
}

/// Returns every route of the HTTP API's description.
fn routes() -> OpenApiRouter<App> {
    limited().merge(unlimited())
}

/// Returns every route, with authentication, limits and logging around it. Refusals are kept in memory alone.
pub fn router(app: App) -> Router {
    let refusals = RefusalLog::new(app.service.now());
    router_with(app, refusals)
}

fn router_with(app: App, refusals: RefusalLog) -> Router {
    let failed = FailedRequests::default();
    let metrics = app.service.metrics();
    metrics.begin_rejections(Problem::reasons(), Problem::secret_reasons());
    Router::from(limited())
        .merge(session::router())
        .layer(from_fn_with_state(
            RequestSlots::new(app.limits.requests),
            middleware::request_slots::enter,
        ))
        .layer(from_fn_with_state(
            Arrivals::default(),
            middleware::arrival::await_body,
        ))
        .merge(Router::from(unlimited()))
        // Browsers fetch the dashboard's files once per version.
        .merge(dashboard::router().layer(compression(CompressionLevel::Best)))
        .fallback(async |uri: Uri| Problem::no_such_path(paths::nearest(uri.path())))
        .method_not_allowed_fallback(async |route: MatchedPath| {
            let allowed = paths::methods(route.as_str());
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                format!("this path does not support this HTTP method; use {allowed}"),
            )
        })
        // The fastest level shrinks a table of splits to a seventh in a fraction of a millisecond; higher levels gain
        // little more.
        .layer(compression(CompressionLevel::Fastest))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(from_fn_with_state(
            app.clone(),
            middleware::observe::enforce_timeout,
        ))
        .layer(from_fn_with_state(app.clone(), middleware::auth::check))
        .layer(CatchPanicLayer::custom(middleware::observe::after_panic))
        .layer(from_fn_with_state(
            (app.clone(), failed, refusals),
            middleware::observe::measure,
        ))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(middleware::observe::span)
                .on_request(())
                .on_response(middleware::observe::log_answer)
                .on_failure(()),
        )
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(from_fn(middleware::observe::drop_odd_request_id))
        .with_state(app)
}

/// Returns a layer that compresses response bodies with gzip. A body of a few packets gains nothing from compression.
fn compression(level: CompressionLevel) -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .gzip(true)
        .quality(level)
        .compress_when(SizeAbove::new(4096))
}
