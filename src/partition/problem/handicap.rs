/// What counts besides the ratings, in rating points; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Handicap {
    /// What team a is ahead by before anybody plays, as for its side of the map; below 0 what it is behind.
    pub lean: i64,
    /// What is taken from the sum of a team that has a player more than the other: an average player's rating
    /// where only who is above it makes a team stronger.
    pub extra_player: i64,
}

impl Handicap {
    /// How far teams are from even whose sums are `difference` apart, where sides may be exchanged: the side that is
    /// ahead is then given to the weaker team.
    ///
    /// # Design
    /// A split with Σ_A - Σ_B = x is either taken as it is, |x + lean| from even, or the other way round,
    /// |-x + lean|. The better of the two is ||x| - |lean||. So which teams are formed depends on |x| alone,
    /// and the methods go on to find each split once, whichever way round.
    pub(crate) fn distance(self, difference: i64) -> i64 {
        (difference.abs() - self.lean.abs()).abs()
    }

    /// The differences, without a sign, of teams that are so far from even.
    pub(crate) fn differences(self, distance: i64) -> impl Iterator<Item = i64> {
        let (lean, far) = (self.lean.abs(), distance != 0 && self.lean != 0);
        let nearer = (far && distance <= lean).then_some(lean - distance);
        std::iter::once(lean + distance).chain(nearer)
    }
}
