//! What tells one series of a metric from another.

use prometheus_client::encoding::EncodeLabelSet;

use crate::domain::PoolName;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Build {
    pub(super) version: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RouteLabel {
    pub(super) route: String,
    pub(super) method: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct StatusLabel {
    pub(super) route: String,
    pub(super) method: &'static str,
    pub(super) status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct PoolLabel {
    pool: String,
}

impl PoolLabel {
    pub(super) fn of(pool: &PoolName) -> Self {
        Self {
            pool: pool.to_string(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct OutcomeLabel {
    pub(super) pool: String,
    pub(super) outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Reason {
    pub(super) reason: &'static str,
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

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ResultLabel {
    pub(super) pool: String,
    pub(super) policy: String,
    pub(super) result: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct RuleLabel {
    pub(super) pool: String,
    pub(super) rule: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct PolicyLabel {
    pub(super) pool: String,
    pub(super) policy: String,
}

/// How a whole table of splits was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitMethod {
    /// Every split of it is proven to be the best.
    Exact,
    /// At least one is not.
    Greedy,
}

impl SplitMethod {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Greedy => "greedy",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct MethodLabel {
    pub(super) method: &'static str,
}

/// What a connection to the database does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    /// It waits for work.
    Idle,
    /// It works.
    InUse,
}

impl ConnectionState {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::InUse => "in_use",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct ConnectionsOf {
    pub(super) kind: &'static str,
    pub(super) state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct PoolState {
    pub(super) pool: String,
    pub(super) state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Measured {
    pub(super) pool: String,
    pub(super) over: &'static str,
}
