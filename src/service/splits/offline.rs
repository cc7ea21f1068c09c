use super::answer::{describe_splits, excess_with};
use super::wishes::wishes_of;
use crate::api::{ScrambleRequest, SplitAnswer};
use crate::domain::{PlayerId, Rating};
use crate::partition::{Candidate, Limits, Pool, solve};
use crate::service::ServiceError;

/// The splits of the players of a request, who have these ratings, without a service and its database:
/// the best of every size wanted, ascending, and the alternatives, the best first.
///
/// # Errors
/// A player who is listed twice.
pub fn split_offline(
    request: &ScrambleRequest,
    ratings: impl IntoIterator<Item = (PlayerId, Rating)>,
    theta: f64,
) -> Result<(Vec<SplitAnswer>, Vec<SplitAnswer>), ServiceError> {
    let candidates = ratings.into_iter();
    let candidates = candidates.map(|(id, rating)| Candidate { id, rating });
    let pool = Pool::new(candidates).map_err(ServiceError::internal)?;
    let wishes = wishes_of(request);
    let table = solve(&pool, &wishes, &Limits::default());
    Ok(describe_splits(&table, excess_with(&wishes), theta))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::SplitMethod;

    fn id(number: usize) -> PlayerId {
        format!("[U:1:{number}]").parse().unwrap()
    }

    fn splits(ratings: &[i32]) -> Vec<SplitAnswer> {
        let ratings = (1..).zip(ratings);
        let ratings = ratings.map(|(number, points)| (id(number), Rating::new(*points).unwrap()));
        let found = split_offline(&ScrambleRequest::default(), ratings, 2400.0);
        found.unwrap().0
    }

    #[test]
    fn a_list_is_split_by_ratings_and_equals_stand_by_id() {
        let splits = splits(&[1000, 1300, 1000, 700, 1000]);
        let [split] = &splits[..] else {
            panic!("{splits:#?}");
        };
        let sums = (split.sum_a, split.sum_b, split.difference);
        assert_eq!(sums, (2000, 2000, 0));
        assert_eq!(split.a, [id(2), id(4)], "the best and the weakest");
        let mut others = [&split.b[..], &split.waiting].concat();
        assert!(split.b.is_sorted());
        others.sort_unstable();
        assert_eq!(others, [1, 3, 5].map(id));
        assert_eq!(split.win_probability_a.get(), 0.5);
        assert_eq!((split.spread.a, split.spread.b), (300.0, 0.0));
        assert_eq!((split.method, split.optimal), (SplitMethod::Exact, true));
    }

    #[test]
    fn the_longest_list_is_split() {
        let ratings: Vec<i32> = (0..128)
            .map(|number| 1000 + number * number % 769)
            .collect();
        assert!(splits(&ratings).iter().map(|split| split.size).eq(2..=64));
    }
}
