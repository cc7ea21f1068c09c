//! Pool of the players to split into two teams.

use std::cmp::Reverse;

use crate::domain::{Handicap, PlayerId, Rating};

/// A player who may be put on a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// SteamID of the player.
    pub id: PlayerId,
    /// Rating that counts in a team's sum, even if hidden from players.
    pub rating: Rating,
}

/// Distinct players to split, by descending rating. Equal ratings are ordered by ascending id or by an explicit
/// tie-break.
///
/// The player at index 0 is the anchor of F7, who usually plays. The fixed order makes every answer independent of the
/// order in which players were given, and decides between equally good splits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    players: Vec<Candidate>,
    handicap: Handicap,
}

/// Error for a player who is listed twice among the players to split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player {id} is in the pool twice; name every player once")]
pub struct DuplicateCandidate {
    /// SteamID of the repeated player; the lowest if there are several.
    pub id: PlayerId,
}

impl Pool {
    /// Creates a pool of players to split, in any order; the pool may be empty.
    ///
    /// # Errors
    /// Returns an error if a player is given twice, with equal or different ratings.
    pub fn new(
        candidates: impl IntoIterator<Item = Candidate>,
    ) -> Result<Self, DuplicateCandidate> {
        Self::with_ties(candidates, |_| 0)
    }

    /// Creates a pool of players to split like [`Pool::new`], but orders equal ratings by ascending `tie`, then by id.
    /// The first player is an exception: of the players with the highest rating, the lowest id comes first.
    ///
    /// # Errors
    /// Returns an error if a player is given twice.
    pub fn with_ties(
        candidates: impl IntoIterator<Item = Candidate>,
        tie: impl Fn(PlayerId) -> u64,
    ) -> Result<Self, DuplicateCandidate> {
        let mut players: Vec<Candidate> = candidates.into_iter().collect();
        players.sort_unstable_by_key(|player| player.id);
        if let Some(pair) = players.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(DuplicateCandidate { id: pair[0].id });
        }
        // A stable sort keeps players of equal rating by ascending id.
        players.sort_by_key(|player| Reverse(player.rating));
        if let Some((_anchor, others)) = players.split_first_mut() {
            others.sort_by_cached_key(|player| (Reverse(player.rating), tie(player.id)));
        }
        Ok(Self {
            players,
            handicap: Handicap::default(),
        })
    }

    /// Sets the advantages of a team that count besides its players' ratings.
    #[must_use]
    pub fn with_handicap(self, handicap: Handicap) -> Self {
        Self { handicap, ..self }
    }

    /// Returns the advantages of a team that count besides its players' ratings.
    #[must_use]
    pub fn handicap(&self) -> Handicap {
        self.handicap
    }

    /// Returns the players to split by descending rating; the first is the anchor, who usually plays.
    #[must_use]
    pub fn players(&self) -> &[Candidate] {
        &self.players
    }

    /// Returns N, the number of players to split.
    #[must_use]
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Returns `true` if there are no players to split.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// Iterates over the possible numbers of players per team (F7) for N players to split: 2 to floor(N/2), none for
    /// fewer than four players.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + use<> {
        2..=self.len() / 2
    }
}
