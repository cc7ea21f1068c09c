use super::Parameters;
use crate::domain::Timestamp;

const MICROS_A_DAY: i64 = 86_400_000_000;

/// Returns the number of rated rounds between a player's return and a round that ended at `now`. The first round after
/// a pause of at least [`Parameters::return_boost_days`] has 0.
///
/// Returns `None` if returns do not raise K, or if there was no such pause within the last
/// [`Parameters::return_boost_rounds`] rounds.
///
/// `ended` yields the end times of the player's rated rounds since the last reset, in the order of rating. Only the
/// last `return_boost_rounds` of these times count, so that a few rows suffice anywhere in the log. A pause lasts from
/// the latest end of earlier rounds to the end of a round: a round that is reported late makes no pause.
#[must_use]
pub fn rounds_since_return(
    ended: impl ExactSizeIterator<Item = Timestamp>,
    now: Timestamp,
    parameters: &Parameters,
) -> Option<u32> {
    let counted = parameters.returning_rounds();
    if counted == 0 {
        return None;
    }
    let pause = i64::from(parameters.return_boost_days) * MICROS_A_DAY;
    let older = ended.len().saturating_sub(counted);
    let mut latest: Option<Timestamp> = None;
    let mut since = None;
    for at in ended.skip(older).chain(std::iter::once(now)) {
        let was_away =
            latest.is_some_and(|latest| at.unix_micros() - latest.unix_micros() >= pause);
        since = if was_away {
            Some(0)
        } else {
            since.map(|rounds| rounds + 1)
        };
        latest = latest.max(Some(at));
    }
    since
}

/// Returns the K-factor after a player's return: K' = K + (Kmax - K)·(1 - i/n). i is `since_return`, and n is
/// [`Parameters::return_boost_rounds`]. Returns K itself if `since_return` is `None` or at least n.
#[must_use]
pub fn boosted(k: f64, since_return: Option<u32>, parameters: &Parameters) -> f64 {
    let rounds = parameters.return_boost_rounds;
    match since_return {
        Some(since) if since < rounds => {
            let left = 1.0 - f64::from(since) / f64::from(rounds);
            k + (parameters.k_max - k) * left
        }
        _ => k,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_unix_seconds(day * 86_400).unwrap()
    }

    fn parameters() -> Parameters {
        Parameters {
            return_boost_days: 14,
            return_boost_rounds: 4,
            ..Parameters::default()
        }
    }

    fn since(days: &[i64], now: i64) -> Option<u32> {
        let ended = days.iter().map(|day| at(*day));
        rounds_since_return(ended, at(now), &parameters())
    }

    #[test]
    fn rounds_are_counted_from_the_last_pause_that_was_long_enough() {
        for (days, now, expected) in [
            (&[][..], 99, None),
            (&[0], 13, None),
            (&[0], 14, Some(0)),
            (&[0, 14], 14, Some(1)),
            (&[0, 14, 15, 16], 17, Some(3)),
            // None of the last four rounds follows a pause.
            (&[0, 14, 15, 16, 17], 18, None),
            (&[0, 14, 15], 29, Some(0)),
            // A round reported late makes no pause, and neither does the next round.
            (&[20, 1], 21, None),
            (&[0, 20, 1], 21, Some(2)),
            (&[0, 20, 1], 34, Some(0)),
            (&[0, 20, 1], 33, Some(2)),
        ] {
            assert_eq!(since(days, now), expected, "{days:?} {now}");
        }
        let off = Parameters {
            return_boost_days: 0,
            ..parameters()
        };
        assert_eq!(rounds_since_return([at(0)].into_iter(), at(99), &off), None);
    }

    #[test]
    fn the_boost_falls_evenly_from_the_greatest_k_to_none() {
        let k = |since| boosted(8.0, since, &parameters());
        let all = [Some(0), Some(1), Some(2), Some(3), Some(4), None].map(k);
        assert_eq!(all, [72.0, 56.0, 40.0, 24.0, 8.0, 8.0]);
    }
}
