use super::App;
use axum::Router;
pub(super) fn router() -> Router<App> {
    Router::new()
}
