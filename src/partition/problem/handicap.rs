use crate::domain::Handicap;

impl Handicap {
    /// Returns the distance from even: the stronger team's advantage, in rating points, if the teams' rating sums
    /// differ by `difference`. Assumes that the teams take the sides of the map with the smaller advantage.
    ///
    /// # Design
    /// A split with Σ_A - Σ_B = x is |x + lean| from even, or |-x + lean| with exchanged sides. The better of the two
    /// is ||x| - |lean||. The choice of teams therefore depends on |x| alone, and a search needs to find each split
    /// only once, in either orientation.
    pub(crate) fn distance(self, difference: i64) -> i64 {
        (difference.abs() - self.lean.abs()).abs()
    }

    /// Returns the absolute differences of the teams' rating sums for which [`distance`](Self::distance), which
    /// includes the handicap, is `distance` rating points.
    pub(crate) fn differences(self, distance: i64) -> impl Iterator<Item = i64> {
        let (lean, far) = (self.lean.abs(), distance != 0 && self.lean != 0);
        let nearer = (far && distance <= lean).then_some(lean - distance);
        std::iter::once(lean + distance).chain(nearer)
    }
}
