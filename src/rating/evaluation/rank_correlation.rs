use std::cmp::Ordering;

/// Spearman's rank correlation of pairs of numbers, -1 to 1, equals sharing the mean of their ranks; `None`
/// where all of one side are equal, or there are fewer than two.
#[must_use]
pub fn rank_correlation(pairs: &[(i32, i32)]) -> Option<f64> {
    let (one, other): (Vec<i32>, Vec<i32>) = pairs.iter().copied().unzip();
    let (one, other) = (ranks(&one), ranks(&other));
    let middle = super::mean(one.iter().sum(), one.len() as u64)?;
    let products = |left: &[f64], right: &[f64]| -> f64 {
        let pairs = left.iter().zip(right);
        pairs
            .map(|(left, right)| (left - middle) * (right - middle))
            .sum()
    };
    let spread = (products(&one, &one) * products(&other, &other)).sqrt();
    (spread > 0.0).then(|| products(&one, &other) / spread)
}

/// The rank of each number, from 1, of equals the mean.
fn ranks(numbers: &[i32]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let rank = |number: &i32| {
        let below = sorted.partition_point(|other| other.cmp(number) == Ordering::Less);
        let up_to = sorted.partition_point(|other| other <= number);
        #[expect(clippy::cast_precision_loss, reason = "a rank is far below 2^53")]
        let mean = (below + 1 + up_to) as f64 / 2.0;
        mean
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_counts_and_equals_share_their_ranks() {
        let correlation = |pairs: &[(i32, i32)]| {
            let found = rank_correlation(pairs);
            found.map(|correlation| (correlation * 1e4).round() / 1e4)
        };
        assert_eq!(correlation(&[(1, 10), (2, 500), (3, 501)]), Some(1.0));
        assert_eq!(correlation(&[(1, 3), (2, 2), (3, 1)]), Some(-1.0));
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / √(4.5 · 5).
        assert_eq!(correlation(&[(1, 1), (2, 2), (2, 3), (3, 4)]), Some(0.9487));
        assert_eq!(correlation(&[(1, 1), (1, 2)]), None);
        assert_eq!(correlation(&[(1, 1)]), None);
        assert_eq!(correlation(&[]), None);
    }
}
