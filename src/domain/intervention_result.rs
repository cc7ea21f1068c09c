use serde::{Deserialize, Serialize};

/// What is to be done about teams that are unbalanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionResult {
    /// Players change teams.
    Moved,
    /// Bots come or go.
    Filled,
    /// Nothing that is allowed balances the teams.
    NothingHelps,
}

impl InterventionResult {
    /// The result where somebody is to change teams or nobody is, and where the teams are balanced
    /// or not once everything is done.
    #[must_use]
    pub fn of(has_moves: bool, balanced_after: bool) -> Self {
        match (has_moves, balanced_after) {
            (true, _) => Self::Moved,
            (false, true) => Self::Filled,
            (false, false) => Self::NothingHelps,
        }
    }

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Filled => "filled",
            Self::NothingHelps => "nothing_helps",
        }
    }
}
