use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{PoolName, Progress, RoundActionName, RoundId, ServerName, Timestamp};

/// `GET /v1/admin/rebuild`: whether a pool's ratings are being computed again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebuildAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// What is under way; `null` where nothing is.
    pub rebuild: Option<RunningRebuildAnswer>,
}

/// A rebuild under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunningRebuildAnswer {
    /// The round that is voided, restored or corrected by it; `null` where no round is.
    pub round: Option<RebuiltRoundAnswer>,
    /// Whether somebody has called it off; it is gone once what it wrote is deleted.
    pub cancelled: bool,
    /// How far it is; `null` where that is not known, and while what one that was killed has left is
    /// deleted.
    pub progress: Option<ProgressAnswer>,
}

/// The round that a rebuild is done for, the first of them where there are several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebuiltRoundAnswer {
    /// The server of the round.
    pub server: ServerName,
    /// The round.
    pub round_id: RoundId,
    /// What becomes of it.
    pub action: RoundActionName,
    /// How many rounds are changed with it, this one among them.
    pub rounds: u64,
}

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

/// `GET /v1/admin/imports`: what `rbs import` is reading into the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportsAnswer {
    /// The imports under way, the first that began first.
    pub imports: Vec<ImportAnswer>,
}

/// An import under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportAnswer {
    /// What it reads: its first file, and how many more.
    pub source: String,
    /// How many bytes of its files it has read; `null` where it reads from a pipe, and at first.
    pub progress: Option<ProgressAnswer>,
}
