use std::cmp::Reverse;
use std::error::Error;
use std::fmt;

use crate::domain::{PlayerId, Rating};

/// A player who may be put on a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// Who.
    pub id: PlayerId,
    /// The rating that counts into a team's sum, hidden or not.
    pub rating: Rating,
}

/// The players to split: distinct, by descending rating, equals by ascending id.
///
/// The order makes the player at index 0 the anchor of F7, and makes every method's answer
/// independent of the order in which the players were given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool(Vec<Candidate>);

/// A player was given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DuplicateCandidate {
    /// Who; the lowest id where there are several.
    pub id: PlayerId,
}

impl fmt::Display for DuplicateCandidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "player {} is in the pool twice; name every player once",
            self.id
        )
    }
}

impl Error for DuplicateCandidate {}

impl Pool {
    /// The pool of these players, given in any order; it may be empty.
    ///
    /// # Errors
    /// A player who is given twice, whether or not with the same rating.
    pub fn new(
        candidates: impl IntoIterator<Item = Candidate>,
    ) -> Result<Self, DuplicateCandidate> {
        let mut players: Vec<Candidate> = candidates.into_iter().collect();
        players.sort_unstable_by_key(|player| player.id);
        if let Some(pair) = players.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(DuplicateCandidate { id: pair[0].id });
        }
        // Stable: equals stay by ascending id.
        players.sort_by_key(|player| Reverse(player.rating));
        Ok(Self(players))
    }

    /// The players by descending rating, equals by ascending id; the anchor is the first.
    #[must_use]
    pub fn players(&self) -> &[Candidate] {
        &self.0
    }

    /// N: how many players there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The team sizes that F7 asks for: 2 to floor(N/2), none below four players.
    pub fn sizes(&self) -> impl Iterator<Item = usize> + use<> {
        2..=self.len() / 2
    }

    /// Whether two disjoint teams of `size` players can be formed.
    pub(super) fn has_teams_of(&self, size: usize) -> bool {
        (1..=self.len() / 2).contains(&size)
    }

    /// The ratings in points, in the pool's order.
    pub(super) fn points(&self) -> Vec<i64> {
        self.0
            .iter()
            .map(|player| i64::from(player.rating.points()))
            .collect()
    }
}

/// Pools for the tests of this folder.
#[cfg(test)]
pub(super) mod generators {
    use std::ops::RangeInclusive;

    use proptest::prelude::*;

    use super::*;

    /// The player with account number `number`.
    pub(in super::super) fn player(number: u64) -> PlayerId {
        PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap()
    }

    /// The pool of these ratings; the players are numbered from 1 in the order given.
    pub(in super::super) fn pool_of(ratings: &[i32]) -> Pool {
        let numbered = (1..).zip(ratings);
        Pool::new(numbered.map(|(number, &points)| Candidate {
            id: player(number),
            rating: Rating::new(points).unwrap(),
        }))
        .unwrap()
    }

    /// Ratings of the kinds that are hard in different ways: anything, many ties, steps of a
    /// hundred, and a group with one player far above.
    pub(in super::super) fn ratings(
        length: RangeInclusive<usize>,
    ) -> impl Strategy<Value = Vec<i32>> {
        let (least, most) = (*length.start(), *length.end());
        let vector = move |points: BoxedStrategy<i32>| prop::collection::vec(points, least..=most);
        prop_oneof![
            vector((0..=4000).boxed()),
            vector((1000..=1003).boxed()),
            vector((5..=20).prop_map(|step: i32| step * 100).boxed()),
            (vector((900..=1100).boxed()), 2000..=900_000).prop_map(|(mut ratings, outlier)| {
                if let Some(first) = ratings.first_mut() {
                    *first = outlier;
                }
                ratings
            }),
        ]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::generators::{player, pool_of, ratings};
    use super::*;

    #[test]
    fn players_stand_by_rating_and_equals_by_id() {
        let numbers: Vec<_> = pool_of(&[900, 1000, 1100, 1000])
            .players()
            .iter()
            .map(|candidate| candidate.id)
            .collect();
        assert_eq!(numbers, [player(3), player(2), player(4), player(1)]);
    }

    #[test]
    fn a_player_cannot_be_in_the_pool_twice() {
        let with = |number, points| Candidate {
            id: player(number),
            rating: Rating::new(points).unwrap(),
        };
        let twice = Pool::new([with(2, 1000), with(1, 1000), with(2, 900)]);
        assert_eq!(twice, Err(DuplicateCandidate { id: player(2) }));
    }

    #[test]
    fn sizes_start_at_two_and_end_at_half_the_pool() {
        let sizes = |players: usize| pool_of(&vec![1000; players]).sizes().collect::<Vec<_>>();
        assert!(sizes(0).is_empty());
        assert!(sizes(3).is_empty());
        assert_eq!(sizes(4), [2]);
        assert_eq!(sizes(9), [2, 3, 4]);
    }

    proptest! {
        #[test]
        fn the_order_of_giving_does_not_matter(
            given in ratings(0..=20)
                .prop_map(|ratings| pool_of(&ratings).players().to_vec())
                .prop_flat_map(|players| (Just(players.clone()), Just(players).prop_shuffle())),
        ) {
            prop_assert_eq!(Pool::new(given.0), Pool::new(given.1));
        }
    }
}
