//! Queries of the table `challengers`: leases on evaluating models that only predict, and their quality figures.

use super::{Connection, Fields, Row, bound, changes_any};
use crate::domain::Timestamp;
use crate::store::{
    ChallengerFigures, ChallengersRecord, Generation, PoolId, SettingsId, StoreError,
};

pub(crate) async fn save(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    figures: &ChallengerFigures,
) -> Result<bool, StoreError> {
    let text =
        "update challengers set renewed_at = $3, generation = $4, pruned = $5, settings_id = $6,
                                position = $7, rounds = $8, figures = $9
         where pool_id = $1 and owner = $2";
    let values = (
        pool,
        owner,
        now,
        figures.generation,
        figures.pruned,
        figures.settings,
        figures.position,
        figures.rounds,
        &figures.content,
    );
    changes_any(connection, bound(text, values)).await
}

pub(crate) fn record(row: &Row) -> Result<ChallengersRecord, StoreError> {
    let row = Fields::of(row, "challengers");
    let content: Option<String> = row.get("figures")?;
    let figures = content.map(|content| {
        Ok::<_, StoreError>(ChallengerFigures {
            generation: Generation(row.get("generation")?),
            pruned: row.number("pruned")?,
            settings: SettingsId(row.get("settings_id")?),
            position: row.number("position")?,
            rounds: row.number("rounds")?,
            content,
        })
    });
    Ok(ChallengersRecord {
        owner: row.get("owner")?,
        renewed_at: row.time("renewed_at")?,
        figures: figures.transpose()?,
    })
}
