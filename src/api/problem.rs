use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::FieldProblem;

/// The most fields that an answer names.
pub const MOST_PROBLEMS: usize = 20;

/// An error (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProblemAnswer {
    /// Always `about:blank`: the status shows of what kind it is.
    pub r#type: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong and what to do.
    pub detail: String,
    /// The fields that are not acceptable, where fields are, 20 at most.
    pub errors: Option<Vec<FieldProblem>>,
}

/// `GET /healthz` and `GET /readyz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusAnswer {
    /// `ok`, or `ready` from `/readyz`.
    pub status: &'static str,
}
