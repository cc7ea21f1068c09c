use crate::domain::PlayerId;

/// What a split made of the [`Wishes`](super::Wishes), as seen from its teams alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The least difference that a split of the size can have without any wish, in rating points;
    /// of a greedy split, that of the best one found without them.
    pub best_difference: u64,
    /// How many players change teams; `None` where the current teams were not given. Whoever goes
    /// to the bench or comes from it does not change teams.
    pub moves: Option<usize>,
    /// The parties, as wished, that are on one team or all wait.
    pub kept_parties: Vec<Vec<PlayerId>>,
    /// The other parties.
    pub split_parties: Vec<Vec<PlayerId>>,
    /// The pairs who should be apart and are on one team.
    pub together: Vec<[PlayerId; 2]>,
    /// Who should play and waits, for want of room.
    pub benched: Vec<PlayerId>,
    /// Who should wait and plays, for want of others.
    pub drafted: Vec<PlayerId>,
    /// The rounds that each of the waiting has waited before, in the order of
    /// [`Split::waiting`](super::Split::waiting).
    pub waited: Vec<u32>,
    /// The standard deviation (population) of team a's ratings.
    pub deviation_a: f64,
    /// That of team b's.
    pub deviation_b: f64,
    /// Whether the two best players of the pool (by rating, then id) are not on one team.
    pub top_two_apart: bool,
    /// Whether a recent split had these very teams.
    pub repeats: bool,
}
