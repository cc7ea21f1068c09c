use super::Parameters;
use crate::domain::Timestamp;

const MICROS_A_DAY: i64 = 86_400_000_000;

/// By how many rated rounds a player has come back before one that ended at `now`: 0 where that is the first behind a
/// pause of [`Parameters::return_boost_days`] or more. `None` where there was no such pause within the last
/// [`Parameters::return_boost_rounds`], or where the boost is off.
///
/// `ended` says when the player's rated rounds ended, since the last reset and in the order in which they were rated. Of
/// these that many, the last ones, are all that counts, so that the answer follows from a few rows wherever in the log it is
/// asked for. A pause is what lies between a round and the latest of those before it: a round that comes late
/// makes none.
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

/// K' = K + (Kmax - K)·(1 - i/n) in the round that has i rounds since a player's return before it, with n =
/// [`Parameters::return_boost_rounds`]; K where that is no round or n of them.
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
            // Of the last four rounds none is behind a pause.
            (&[0, 14, 15, 16, 17], 18, None),
            (&[0, 14, 15], 29, Some(0)),
            // A round that came late makes no pause, and the one behind it neither.
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
