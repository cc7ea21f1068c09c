use serde::{Deserialize, Serialize};

/// Algorithm that found a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitMethod {
    /// Dynamic programming or enumeration of all splits. Both prove that no split is better.
    Exact,
    /// Local search by swaps (F10), without a proof that the split is optimal.
    Greedy,
}

impl SplitMethod {
    /// Returns the name in JSON of the algorithm that splits players into teams: `exact` or `greedy`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Greedy => "greedy",
        }
    }
}
