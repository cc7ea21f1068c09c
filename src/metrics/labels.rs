//! What distinguishes the series of one metric.

/// The names and values of a series' labels.
pub(super) type Labels<const N: usize> = [(&'static str, String); N];

pub(super) fn labels<const N: usize>(labels: [(&'static str, &str); N]) -> Labels<N> {
    labels.map(|(name, value)| (name, value.to_owned()))
}

/// What was answered about the teams of a match in mid-round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceResult {
    /// Nothing is wrong with them.
    Balanced,
    /// They are left alone, whatever they are.
    Suppressed,
    /// Somebody should change teams.
    Moved,
    /// There should be other bots.
    Filled,
    /// They are unbalanced, and nothing that is allowed balances them.
    NothingHelps,
}

impl BalanceResult {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Suppressed => "suppressed",
            Self::Moved => "moved",
            Self::Filled => "filled",
            Self::NothingHelps => "nothing_helps",
        }
    }
}
