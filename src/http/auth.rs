use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{App, Problem};
use crate::config::Secrets;

/// What answers without a secret; none of it holds data.
const OPEN_PATHS: [&str; 2] = ["/healthz", "/readyz"];

/// Who may pass where.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Opens everything but, where there are admin secrets, the admin paths.
    pub game: Secrets,
    /// Opens everything.
    pub admin: Option<Secrets>,
}

impl Gate {
    /// Lets a request for `path` with that `Authorization` pass, or says why not.
    ///
    /// Every secret is compared, whichever fits, so that the time tells nothing.
    fn admit(&self, path: &str, authorization: Option<&str>) -> Result<(), Problem> {
        if OPEN_PATHS.contains(&path) {
            return Ok(());
        }
        let secret = authorization
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, secret)| secret.trim())
            .ok_or_else(Problem::no_secret)?;
        let game = self.game.contain(secret);
        let admin = self.admin.as_ref().map(|admin| admin.contain(secret));
        let for_admins = path == "/v1/admin" || path.starts_with("/v1/admin/");
        match (game, admin) {
            (true, Some(false)) if for_admins => Err(Problem::not_an_admin()),
            (true, _) | (_, Some(true)) => Ok(()),
            (false, _) => Err(Problem::wrong_secret()),
        }
    }
}

pub(super) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let authorization = request.headers().get(header::AUTHORIZATION);
    let authorization = authorization.and_then(|value| value.to_str().ok());
    match app.gate.admit(request.uri().path(), authorization) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}
