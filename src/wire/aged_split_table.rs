use serde::Serialize;
use utoipa::ToSchema;

use super::SplitTableAnswer;
use crate::domain::Timestamp;

/// `POST` and `GET /v1/scramble`, and the splits of an update: a table, and how it has aged.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AgedSplitTableAnswer {
    /// The table as it was computed.
    #[serde(flatten)]
    pub table: SplitTableAnswer,
    /// Whole seconds since then.
    pub age: i32,
    /// Whether any of the players is rated otherwise since then, or was unknown and no longer is;
    /// `None` where that cannot be told.
    pub ratings_changed: Option<bool>,
}

impl AgedSplitTableAnswer {
    /// `table` as it stands at `now`. What was computed by a clock that is ahead has no age yet.
    #[must_use]
    pub fn new(table: SplitTableAnswer, now: Timestamp, ratings_changed: Option<bool>) -> Self {
        let seconds = now.whole_seconds_since(table.computed_at).max(0);
        Self {
            age: i32::try_from(seconds).unwrap_or(i32::MAX),
            table,
            ratings_changed,
        }
    }
}
