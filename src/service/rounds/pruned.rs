//! What is answered about a round that is pruned.

use crate::domain::{RoundId, ServerName};
use crate::service::ServiceError;
use crate::store::{PoolRecord, PrunedRound, StoreError, Tx};

/// That the round of that name is pruned, which stands or stood at a place of the log of `pool` up to which
/// its rounds are.
pub(crate) async fn round_pruned(
    tx: &mut Tx,
    pool: &PoolRecord,
    position: u64,
    (server, round_id): (ServerName, RoundId),
) -> Result<ServiceError, StoreError> {
    let prune = tx
        .prune_of(pool.id, position)
        .await?
        .ok_or(StoreError::Corrupt {
            table: "prunes",
            column: "position",
        })?;
    Ok(ServiceError::RoundPruned(Box::new(PrunedRound {
        server,
        round_id,
        pool: pool.name.clone(),
        pruned_at: prune.pruned_at,
        file: prune.file,
    })))
}
