//! How old an answer may be that was read from a standby, as a header of it.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, IntoResponseParts, Response, ResponseParts};
use serde::Serialize;

use crate::service::Reading;

/// The header. It is there where the answer was read from a standby.
pub(crate) const NAME: &str = "rbs-standby-lag";

/// How far the standby was behind at most, which the header has in seconds; `None` of the primary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StandbyLag(pub(crate) Option<Duration>);

impl IntoResponseParts for StandbyLag {
    type Error = Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Infallible> {
        let seconds = self.0.map(|lag| format!("{:.3}", lag.as_secs_f64()));
        // Digits and a point always are a header's value.
        if let Some(Ok(value)) = seconds.map(HeaderValue::try_from) {
            parts
                .headers_mut()
                .insert(HeaderName::from_static(NAME), value);
        }
        Ok(parts)
    }
}

impl<T: Serialize> IntoResponse for Reading<T> {
    fn into_response(self) -> Response {
        (StandbyLag(self.lag), Json(self.value)).into_response()
    }
}
