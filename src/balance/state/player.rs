use super::{Handicap, Power};
use crate::domain::{ModeName, PartyName, PlayerId, Rating};

/// A player of a match, or one who joins it, as the plugin reports them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Who.
    pub id: PlayerId,
    /// The rating in the pool, a new player's for somebody unknown.
    pub rating: Rating,
    /// What the player weighs, as the plugin sends it.
    pub weight: Option<Power>,
    /// The points of the player in this match so far.
    pub points: Option<i32>,
    /// The friends whom the player wants to stay with.
    pub party: Option<PartyName>,
    /// Must not be moved just now: carries the flag, or builds.
    pub immune: bool,
    /// Has been moved in this match already.
    pub moved: bool,
    /// For how many seconds the player has been in the match.
    pub joined_seconds: Option<u32>,
}

impl Player {
    /// Somebody of whom no more is known than the rating.
    #[must_use]
    pub fn rated(id: PlayerId, rating: Rating) -> Self {
        Self {
            id,
            rating,
            weight: None,
            points: None,
            party: None,
            immune: false,
            moved: false,
            joined_seconds: None,
        }
    }
}

/// A match as it stands. Everybody stands in it once; the order of the players means nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Match {
    /// Team a, without bots.
    pub team_a: Vec<Player>,
    /// Team b, without bots.
    pub team_b: Vec<Player>,
    /// What kind of match it is.
    pub modes: Vec<ModeName>,
    /// The seconds left in the round.
    pub seconds_left: Option<u32>,
    /// The bots.
    pub bots: Bots,
    /// What counts besides the ratings.
    pub handicap: Handicap,
}

/// What is known of the bots of a match, and of how many players its map wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bots {
    /// How many stand on team a.
    pub a: usize,
    /// How many stand on team b.
    pub b: usize,
    /// What one weighs on average; the policy's figure where none is sent.
    pub weight: Option<Power>,
    /// The least and the most players that the map is made for.
    pub map_players: Option<(usize, usize)>,
}
