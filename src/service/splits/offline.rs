use super::answer::{DescribedSplits, describe_splits, excess_with};
use super::newcomers::{Newcomers, price};
use super::recent_rounds::RecentRounds;
use super::wishes::wishes_of;
use crate::api::ScrambleRequest;
use crate::domain::{Handicap, PlayerId, Rating};
use crate::partition::{Candidate, Limits, Pool, Split, solve};
use crate::rating::win_probability;
use crate::service::ServiceError;
use crate::service::processors::Processors;

/// Returns splits for the players of a request, by the given ratings, without a service or a database. Returns the best
/// split of each requested size, ascending by size, with a drawn split in place of the best one. The alternatives are
/// ordered best first.
///
/// Team A is `advantage` rating points ahead before the round. `newcomers` are shared out if the request asks for it.
///
/// # Errors
/// Returns an error if a player is listed twice.
pub fn split_offline(
    request: &ScrambleRequest,
    ratings: impl IntoIterator<Item = (PlayerId, Rating)>,
    newcomers: Vec<PlayerId>,
    theta: f64,
    advantage: i32,
) -> Result<DescribedSplits, ServiceError> {
    let candidates = ratings
        .into_iter()
        .map(|(id, rating)| Candidate { id, rating });
    let lean = i64::from(advantage);
    let handicap = Handicap {
        lean,
        extra_player: 0,
    };
    let pool = Pool::new(candidates)
        .map_err(ServiceError::internal)?
        .with_handicap(handicap);
    let newcomers = match price(request, 0) {
        0 => Newcomers::default(),
        price => Newcomers {
            players: newcomers,
            price,
        },
    };
    let wishes = wishes_of(request, &RecentRounds::default(), newcomers);
    // Memory limit of one computation in a service.
    let limits = Limits {
        memory: Processors::new().most_memory(),
        ..Limits::default()
    };
    let table = solve(&pool, &wishes, &limits);
    let odds = |split: &Split| Ok(win_probability(split.sum_a + lean, split.sum_b, theta));
    describe_splits(request, &table, excess_with(&wishes), theta, odds)
}
