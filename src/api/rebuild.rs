use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{PoolName, Progress, RoundActionName, RoundId, ServerName, Timestamp};

/// Answer of `GET /v1/admin/rebuild`: the running rebuild of a pool. A rebuild recomputes ratings from the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebuildAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Progress of the pool's running rebuild; `null` if none is running.
    pub rebuild: Option<RunningRebuildAnswer>,
}

/// A running rebuild of a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunningRebuildAnswer {
    /// Round that the rebuild voids, restores or corrects; `null` if the rebuild changes no round.
    pub round: Option<RebuiltRoundAnswer>,
    /// `true` if the rebuild was cancelled and its leftovers are not deleted yet.
    pub cancelled: bool,
    /// Progress of the rebuild; `null` if unknown, or while only the leftovers of a killed rebuild are deleted.
    pub progress: Option<ProgressAnswer>,
}

/// Round that a rebuild changes. If the rebuild changes several rounds, the first of these rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebuiltRoundAnswer {
    /// Name of the server that played the round.
    pub server: ServerName,
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// Change that the rebuild makes to the round: `void`, `unvoid` or `correct`.
    pub action: RoundActionName,
    /// Number of rounds that the rebuild changes, including this round.
    pub rounds: u64,
}

/// Progress of a long operation: of a rebuild or an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProgressAnswer {
    /// Completed part of `total`: replayed log entries (rounds and changes) of a rebuild, or bytes read by an import.
    pub done: u64,
    /// Total work: log entries to replay in a rebuild, which grow with each new round, or bytes to read in an import.
    pub total: u64,
    /// Time at which the rebuild or import started.
    pub started_at: Timestamp,
    /// Estimated seconds until a rebuild or import ends, at the pace so far; `null` before any work is done.
    pub remaining_seconds: Option<u32>,
}

impl ProgressAnswer {
    /// Returns the progress at time `at` of a rebuild or import that started at `started_at`.
    pub(crate) fn new(progress: Progress, started_at: Timestamp, at: Timestamp) -> Self {
        let remaining = progress.remaining(at.duration_since(started_at));
        let seconds = remaining.map(|remaining| remaining.as_micros().div_ceil(1_000_000));
        // The API limits integers to 32 signed bits.
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

/// Answer of `GET /v1/admin/imports`: the running imports, each of an `rbs import` process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportsAnswer {
    /// Running imports, ordered by start, the earliest first.
    pub imports: Vec<ImportAnswer>,
}

/// A running import of rounds from files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportAnswer {
    /// Source of the imported rounds: name of the first file, followed by the number of further files.
    pub source: String,
    /// Progress of the import, in bytes of its files; `null` if the import reads from a pipe, or has just started.
    pub progress: Option<ProgressAnswer>,
}
