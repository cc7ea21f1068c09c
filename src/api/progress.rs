use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{Progress, Timestamp};

/// How far something is that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProgressAnswer {
    /// How much is done: rounds and changes of the log that are computed, or bytes that an import has read.
    pub done: u64,
    /// How much there is to be done; of the log it may grow by what is counted meanwhile.
    pub total: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// How many seconds it may still take, by the pace so far; `null` before anything is done.
    pub remaining_seconds: Option<u32>,
}

impl ProgressAnswer {
    /// How far something was at the moment `at` that began at `started_at`.
    #[must_use]
    pub fn new(progress: Progress, started_at: Timestamp, at: Timestamp) -> Self {
        let remaining = progress.remaining(at.duration_since(started_at));
        let seconds = remaining.map(|remaining| remaining.as_micros().div_ceil(1_000_000));
        // Integers of the contract have 32 signed bits.
        let most = i32::MAX.unsigned_abs();
        Self {
            done: progress.done,
            total: progress.total,
            started_at,
            remaining_seconds: seconds
                .map(|seconds| u32::try_from(seconds).unwrap_or(most).min(most)),
        }
    }
}
