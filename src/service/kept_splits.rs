use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Pool, ServiceError};
use crate::domain::{PlayerId, Rating};
use crate::store::{StoreError, Tx};
use crate::wire::SplitTableAnswer;

/// A table of splits as it is kept, as text: what was answered, and what tells whether it still
/// holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct KeptSplits {
    /// What was answered.
    pub(super) table: SplitTableAnswer,
    /// The ratings that it was computed with.
    pub(super) ratings: Vec<RatedPlayer>,
}

/// What a player's rating is at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RatedPlayer {
    /// Who.
    pub(super) player: PlayerId,
    /// The rating, a new player's for somebody unknown.
    pub(super) rating: Rating,
    /// Whether the pool knows the player.
    pub(super) known: bool,
}

impl KeptSplits {
    /// The text to keep.
    ///
    /// # Errors
    /// None that a table could be the cause of.
    pub(super) fn to_text(&self) -> Result<String, ServiceError> {
        serde_json::to_string(self).map_err(ServiceError::internal)
    }

    /// What was kept as `text`.
    ///
    /// # Errors
    /// A text that none of ours is.
    pub(super) fn from_text(text: &str) -> Result<Self, StoreError> {
        serde_json::from_str(text).map_err(|_| StoreError::Corrupt {
            table: "split_tables",
            column: "content",
        })
    }
}

/// What `players` are rated in `pool`, in their order.
pub(super) async fn ratings_now(
    tx: &mut Tx,
    pool: &Pool,
    players: &[PlayerId],
) -> Result<Vec<RatedPlayer>, StoreError> {
    let found = tx.players(pool.id, players).await?.into_iter();
    let known: HashMap<PlayerId, Rating> = found.map(|player| (player.id, player.rating)).collect();
    let initial = pool.settings.parameters.initial_rating;
    let rated = players.iter().map(|player| {
        let rating = known.get(player).copied();
        RatedPlayer {
            player: *player,
            rating: rating.unwrap_or(initial),
            known: rating.is_some(),
        }
    });
    Ok(rated.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_table_that_was_kept_before_there_were_roles_is_read() {
        let split = json!({
            "size": 2, "a": [], "b": [], "waiting": [], "sum_a": 0, "sum_b": 0, "difference": 0,
            "win_probability_a": 0.5, "method": "exact", "optimal": true, "best_difference": 0,
            "moves": null, "parties": {"kept": [], "split": []}, "apart": {"together": []},
            "relaxed": {"must_play": [], "must_wait": []}, "waits": [],
            "spread": {"a": 0.0, "b": 0.0, "top_two_apart": true}, "repeats": false, "say": "",
        });
        let table = json!({
            "server": "s", "pool": "default", "eligible": 4,
            "computed_at": "2026-11-20T12:00:00Z", "splits": [&split], "alternatives": [],
        });
        let text = json!({"table": table, "ratings": []}).to_string();
        let kept = KeptSplits::from_text(&text).unwrap();
        let answered: Value = serde_json::from_str(&kept.to_text().unwrap()).unwrap();
        let mut expected = split;
        expected["roles"] = json!({"missing": []});
        assert_eq!(answered["table"]["splits"][0], expected);
    }
}
