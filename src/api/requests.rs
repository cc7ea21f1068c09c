use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::Timestamp;

/// `GET /v1/admin/requests`: what one instance remembers of the requests that it answered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RequestsAnswer {
    /// Since when the slowest are remembered.
    pub since: Timestamp,
    /// The slowest of the last hour or two that took at least 100 milliseconds, the slowest first, at most 20; without
    /// what admins read, which every open page asks for by itself.
    pub slowest: Vec<RequestAnswer>,
    /// The latest that were answered with a status of 500 or more, the latest first, at most 20.
    pub errors: Vec<RequestAnswer>,
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RequestAnswer {
    /// When the answer was ready.
    pub at: Timestamp,
    /// The HTTP method; `other` where it is none of the usual ones.
    pub method: &'static str,
    /// The template of the path; `unmatched` where there is nothing.
    pub route: String,
    /// The HTTP status.
    pub status: u16,
    /// From the request's head to the answer's.
    pub milliseconds: f64,
    /// The request's id, which its lines in the log have too.
    pub request_id: String,
}
