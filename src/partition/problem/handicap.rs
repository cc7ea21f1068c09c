/// Advantages besides the ratings, in rating points. The default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Handicap {
    /// Advantage of team a before the round starts, such as its side of the map; negative for a disadvantage.
    pub lean: i64,
    /// Points subtracted from the sum of the team with one more player. Use an average rating if only players above
    /// the average make a team stronger.
    pub extra_player: i64,
}

impl Handicap {
    /// Returns the distance from even of teams with this `difference` of sums. Assumes that the teams take the
    /// better sides.
    ///
    /// # Design
    /// A split with Σ_A - Σ_B = x is |x + lean| from even, or |-x + lean| with exchanged sides. The better of the two
    /// is ||x| - |lean||. The choice of teams therefore depends on |x| alone, and a search needs to find each split
    /// only once, in either orientation.
    pub(crate) fn distance(self, difference: i64) -> i64 {
        (difference.abs() - self.lean.abs()).abs()
    }

    /// Returns the absolute differences of sums of teams that have this `distance` from even.
    pub(crate) fn differences(self, distance: i64) -> impl Iterator<Item = i64> {
        let (lean, far) = (self.lean.abs(), distance != 0 && self.lean != 0);
        let nearer = (far && distance <= lean).then_some(lean - distance);
        std::iter::once(lean + distance).chain(nearer)
    }
}
