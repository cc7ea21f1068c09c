use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr};

/// Algorithm that found a split.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Display, IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SplitMethod {
    /// Dynamic programming or enumeration of all splits. Both prove that no split is better.
    Exact,
    /// Local search by swaps (F10), without a proof that the split is optimal.
    Greedy,
}

/// Advantages of a team besides its players' ratings, in rating points. The default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Handicap {
    /// Advantage of team a before the round, such as its side of the map, in rating points; may be negative.
    pub lean: i64,
    /// Rating points subtracted from a team's sum for each player more than the other team has. Use an average rating
    /// if only players above the average make a team stronger.
    pub extra_player: i64,
}
