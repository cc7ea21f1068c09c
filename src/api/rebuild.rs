use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ProgressAnswer;
use crate::domain::{PoolName, RoundActionName, RoundId, ServerName};

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
