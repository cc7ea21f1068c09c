//! JSON content of a stored table of splits.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::api::SplitTableAnswer;
use crate::domain::{PlayerId, Rating};
use crate::store::{StoreError, corrupt};

/// A table of splits, and the ratings that it was computed with. A new field of the answer needs a default for rows of
/// older versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SplitTableRecord {
    pub(crate) table: SplitTableAnswer,
    pub(crate) ratings: Vec<RatedPlayer>,
    /// Number of consecutive rounds that each player has waited. Empty in tables stored before this field existed.
    #[serde(default)]
    pub(crate) waited: BTreeMap<PlayerId, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RatedPlayer {
    pub(crate) player: PlayerId,
    /// Rating of the player, or the initial rating of an unknown player.
    pub(crate) rating: Rating,
    /// `true` if the pool knows the player.
    pub(crate) known: bool,
}

impl SplitTableRecord {
    pub(crate) fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    pub(crate) fn from_text(text: &str) -> Result<Self, StoreError> {
        serde_json::from_str(text).map_err(|_| corrupt("split_tables", "content"))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Returns a stored table of splits in the format of earlier versions, with a value in every field.
    fn row() -> Value {
        let split = json!({
            "size": 2, "a": ["76561197960265729", "76561197960265732"],
            "b": ["76561197960265730", "76561197960265731"], "waiting": ["76561197960265733"],
            "sum_a": 2100, "sum_b": 2050, "difference": 50, "win_probability_a": 0.5625,
            "method": "exact", "optimal": true, "best_difference": 10, "moves": 1,
            "parties": {"kept": [["76561197960265729", "76561197960265732"]],
                        "split": [["76561197960265730", "76561197960265733"]]},
            "apart": {"together": [["76561197960265730", "76561197960265731"]]},
            "roles": {"missing": [{"name": "commander", "missing": 1}]},
            "newcomers": {"a": 1, "b": 2, "cost": 7},
            "relaxed": {"must_play": ["76561197960265733"], "must_wait": ["76561197960265731"]},
            "waits": [{"id": "76561197960265733", "waited": 3}],
            "spread": {"a": 50.0, "b": 12.5, "top_two_apart": true}, "repeats": true,
            "message": "竞技场",
        });
        let mut swapped = split.clone();
        swapped["method"] = json!("greedy");
        swapped["best_difference"] = Value::Null;
        swapped["moves"] = Value::Null;
        swapped["newcomers"] = Value::Null;
        json!({
            "table": {
                "server": "s", "pool": "default", "by": "pub-power", "scale": 100.0, "eligible": 5,
                "powers": [
                    {"id": "76561197960265729", "power": 12.5, "games": 7, "games_of": "mode",
                     "from": "games", "counted": 12.5},
                    {"id": "76561197960265733", "power": null, "games": 0, "games_of": null,
                     "from": "median", "counted": 12.5},
                ],
                "computed_at": "2026-11-20T12:00:00.000001Z", "splits": [split],
                "alternatives": [swapped], "drawn": {"size": 2, "rank": 2, "of": 3}, "is_probe": true,
                "message": "a sentence",
            },
            "waited": {"76561197960265733": 3},
            "ratings": [
                {"player": "76561197960265729", "rating": 1100, "known": true},
                {"player": "76561197960265733", "rating": 1000, "known": false},
            ],
        })
    }

    #[test]
    fn a_row_is_read_and_written_again_as_it_was() {
        let row = row();
        let record = SplitTableRecord::from_text(&row.to_string()).unwrap();
        let written: Value = serde_json::from_str(&record.to_text().unwrap()).unwrap();
        assert_eq!(written, row);
    }

    #[test]
    fn a_row_of_before_there_were_roles_sentences_waits_or_powers_has_none() {
        let mut old = row();
        old.as_object_mut().unwrap().remove("waited");
        for later in ["message", "by", "scale", "powers", "drawn", "is_probe"] {
            old["table"].as_object_mut().unwrap().remove(later);
        }
        let split = old["table"]["splits"][0].as_object_mut().unwrap();
        split.remove("roles");
        let record = SplitTableRecord::from_text(&old.to_string()).unwrap();
        assert!(record.waited.is_empty());
        let answer = serde_json::to_value(record.table).unwrap();
        assert_eq!(answer["splits"][0]["roles"], json!({"missing": []}));
        assert_eq!(
            (&answer["message"], &answer["drawn"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(answer["by"], json!("rating"));
        assert_eq!(
            (&answer["scale"], &answer["powers"]),
            (&Value::Null, &json!([]))
        );
    }
}
