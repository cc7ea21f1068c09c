//! The players to split.

use std::cmp::Reverse;

use super::handicap::Handicap;
use crate::domain::{PlayerId, Rating};

/// A player who may be put on a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// Who.
    pub id: PlayerId,
    /// The rating that counts into a team's sum, hidden or not.
    pub rating: Rating,
}

/// The players to split: distinct, by descending rating, equals by ascending id or in an order of their own.
///
/// The order makes the player at index 0 the anchor of F7, and makes every method's answer
/// independent of the order in which the players were given. Of splits that are equally good it decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    players: Vec<Candidate>,
    handicap: Handicap,
}

/// A player was given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("player {id} is in the pool twice; name every player once")]
pub struct DuplicateCandidate {
    /// Who; the lowest id where there are several.
    pub id: PlayerId,
}

impl Pool {
    /// The pool of these players, given in any order; it may be empty.
    ///
    /// # Errors
    /// A player who is given twice, whether or not with the same rating.
    pub fn new(
        candidates: impl IntoIterator<Item = Candidate>,
    ) -> Result<Self, DuplicateCandidate> {
        Self::with_ties(candidates, |_| 0)
    }

    /// The same, but players of equal ratings stand by ascending `tie` before their ids. Only the
    /// first of the best stays the one with the lowest id: the anchor, unless a wish keeps that one out.
    ///
    /// # Errors
    /// As of [`Pool::new`].
    pub fn with_ties(
        candidates: impl IntoIterator<Item = Candidate>,
        tie: impl Fn(PlayerId) -> u64,
    ) -> Result<Self, DuplicateCandidate> {
        let mut players: Vec<Candidate> = candidates.into_iter().collect();
        players.sort_unstable_by_key(|player| player.id);
        if let Some(pair) = players.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(DuplicateCandidate { id: pair[0].id });
        }
        // Stable: equals stay by ascending id.
        players.sort_by_key(|player| Reverse(player.rating));
        if let Some((_anchor, others)) = players.split_first_mut() {
            others.sort_by_cached_key(|player| (Reverse(player.rating), tie(player.id)));
        }
        Ok(Self {
            players,
            handicap: Handicap::default(),
        })
    }

    /// The same players where something counts besides their ratings.
    #[must_use]
    pub fn with_handicap(self, handicap: Handicap) -> Self {
        Self { handicap, ..self }
    }

    /// What counts besides their ratings.
    #[must_use]
    pub fn handicap(&self) -> Handicap {
        self.handicap
    }

    /// The players by descending rating; the anchor is the first.
    #[must_use]
    pub fn players(&self) -> &[Candidate] {
        &self.players
    }

    /// N: how many players there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// The team sizes that F7 asks for: 2 to floor(N/2), none below four players.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + use<> {
        2..=self.len() / 2
    }

    /// Whether two disjoint teams of `size` players can be formed.
    pub(crate) fn has_teams_of(&self, size: usize) -> bool {
        (1..=self.len() / 2).contains(&size)
    }

    /// The ratings in points, in the pool's order.
    pub(crate) fn points(&self) -> Vec<i64> {
        self.players
            .iter()
            .map(|player| i64::from(player.rating.points()))
            .collect()
    }
}
