use serde::Serialize;
use utoipa::ToSchema;

/// `GET /healthz` and `GET /readyz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusAnswer {
    /// `ok` or `ready`.
    pub status: &'static str,
}
