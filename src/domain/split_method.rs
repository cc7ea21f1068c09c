use serde::{Deserialize, Serialize};

/// How a split was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SplitMethod {
    /// By dynamic programming or enumeration of all splits, which prove that there is no better one.
    Exact,
    /// By improving swaps (F10), which prove nothing.
    Greedy,
}

impl SplitMethod {
    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Greedy => "greedy",
        }
    }
}
