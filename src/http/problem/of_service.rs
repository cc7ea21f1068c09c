//! Conversion of service errors into HTTP errors, as problem+json (RFC 9457).

use axum::http::StatusCode;

use super::Problem;
use crate::service::ServiceError;

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        match &error {
            ServiceError::Invalid(problems) => Self::invalid(problems.clone()),
            ServiceError::RebuildStopped(_) => Self::unavailable(&error.to_string()),
            ServiceError::NoSuchPool(_)
            | ServiceError::NoSplitTable(_)
            | ServiceError::NoPublicPage
            | ServiceError::NoRebuild(_)
            | ServiceError::NoSuchRatings { .. }
            | ServiceError::NoSuchRound { .. }
            | ServiceError::NoSuchChange(_)
            | ServiceError::NoSuchStart(_)
            | ServiceError::NoSuchSeason { .. } => {
                Self::new(StatusCode::NOT_FOUND, error.to_string())
            }
            ServiceError::OwnVoidsOff | ServiceError::TooLateToVoid(_) => {
                Self::new(StatusCode::FORBIDDEN, error.to_string())
            }
            ServiceError::RoundIdTaken { .. }
            | ServiceError::ChangeIdTaken(_)
            | ServiceError::RebuildInProgress(_)
            | ServiceError::RebuildCancelled(_)
            | ServiceError::RebuildLost(_)
            | ServiceError::PruneTooRecent(_)
            | ServiceError::RatingsPruned(_)
            | ServiceError::ChangePruned(_)
            | ServiceError::SeasonPruned(_)
            | ServiceError::LaterSeason(_)
            | ServiceError::SeasonNameTaken { .. }
            | ServiceError::ModelInForce(..)
            | ServiceError::PrunedPool(_)
            | ServiceError::NeedsWholeLog(..)
            | ServiceError::FiguresDiffer { .. }
            | ServiceError::PrunedMeanwhile(_) => {
                Self::new(StatusCode::CONFLICT, error.to_string())
            }
            ServiceError::RoundPruned(_) => Self::new(StatusCode::GONE, error.to_string()),
            ServiceError::Busy => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, error.to_string()).again_after(1)
            }
            ServiceError::Unavailable(cause) => {
                let reason = if error.is_disk_full() {
                    "the disk is full"
                } else {
                    "the database does not answer"
                };
                tracing::warn!(error = ?cause, "The database does not answer");
                Self::unavailable(&format!(
                    "{reason}; send the same request again later; a round with the same \
                     round_id is never counted twice"
                ))
            }
            ServiceError::BadLog(cause) => {
                tracing::error!(
                    error = ?cause,
                    "The ratings cannot be recomputed from the pool's log; `rbs check` looks for damage"
                );
                Self::internal()
            }
            ServiceError::Internal(cause) => {
                tracing::error!(error = ?cause, "A request failed");
                Self::internal()
            }
        }
    }
}
