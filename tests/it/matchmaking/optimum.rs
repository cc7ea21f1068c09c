//! Of few tickets the best matches are found.

use rbs::matchmaking::{Effort, MatchPolicies, MatchPolicy, make_matches};

use super::generated::{kinds, queue};
use super::oracle::optimum;

/// In how many instances the optimum was found, of how many, and the largest miss.
fn compare(
    tickets: impl Fn(u64) -> u64,
    instances: u64,
    effort: impl Fn(usize) -> Effort,
) -> (u64, u64, f64) {
    let policies = MatchPolicies::built_in().unwrap();
    let policies: Vec<MatchPolicy> = policies.iter().map(|(_, policy)| *policy).collect();
    let (mut found, mut compared, mut miss) = (0, 0, 0.0_f64);
    for (number, kind) in (0..).zip(kinds()) {
        for instance in 0..instances {
            let seed = number * 1000 + instance;
            let queue = queue(kind, tickets(seed), seed);
            let policy = &policies[usize::try_from(seed % 3).unwrap()];
            let best = optimum(&queue, policy);
            let effort = effort(queue.tickets.len());
            let value = make_matches(&queue, policy, effort).unwrap().value;
            // Each value is rounded to millionths, and logarithms in another order.
            let slack = 4 * i64::try_from(queue.tickets.len()).unwrap();
            assert!(
                value <= best + slack,
                "{kind:?} {seed}: {value} above the best, {best}"
            );
            compared += 1;
            found += u64::from(value + slack >= best);
            if best > 0 {
                let [value, best] =
                    [value, best].map(|value| f64::from(i32::try_from(value).unwrap()));
                miss = miss.max(1.0 - value / best);
            }
        }
    }
    (found, compared, miss)
}

#[test]
fn up_to_nine_tickets_get_the_best_matches_there_are() {
    let (found, compared, miss) = compare(|seed| 2 + seed % 8, 2, Effort::usual);
    println!("up to 9 tickets: {found} of {compared}, largest miss {miss:.4}");
    assert!(
        found * 100 >= compared * 95 && miss <= 0.05,
        "{found} of {compared}, {miss}"
    );
}

#[test]
fn fourteen_tickets_get_the_best_matches_there_are() {
    let (found, compared, miss) = compare(|_| 14, 1, Effort::usual);
    println!("14 tickets: {found} of {compared}, largest miss {miss:.4}");
    assert!(
        found * 100 >= compared * 95 && miss <= 0.05,
        "{found} of {compared}, {miss}"
    );
}
