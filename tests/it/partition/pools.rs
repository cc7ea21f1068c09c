//! Players, pools and ratings for tests of splits.

use std::ops::RangeInclusive;

use proptest::prelude::*;
use rbs::domain::{PlayerId, Rating};
use rbs::partition::{Candidate, Pool, Split};

pub fn player(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap()
}

pub fn players(numbers: impl IntoIterator<Item = u64>) -> Vec<PlayerId> {
    numbers.into_iter().map(player).collect()
}

/// Players numbered from 1 in the order of these ratings.
pub fn candidates(ratings: &[i32]) -> Vec<Candidate> {
    let numbered = (1..).zip(ratings);
    numbered
        .map(|(number, points)| Candidate {
            id: player(number),
            rating: Rating::new(*points).unwrap(),
        })
        .collect()
}

pub fn pool_of(ratings: &[i32]) -> Pool {
    Pool::new(candidates(ratings)).unwrap()
}

/// Ratings in points, in pool order.
pub fn points(pool: &Pool) -> Vec<i64> {
    let players = pool.players().iter();
    players
        .map(|player| player.rating.points().into())
        .collect()
}

pub fn teams(split: &Split) -> (Vec<PlayerId>, Vec<PlayerId>) {
    let ids = |team: &[Candidate]| team.iter().map(|one| one.id).collect();
    (ids(&split.a), ids(&split.b))
}

/// Ratings that are hard in different ways: arbitrary, with many ties, in steps of a hundred, and with one player far
/// above.
pub fn hard_ratings(length: RangeInclusive<usize>) -> impl Strategy<Value = Vec<i32>> {
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
