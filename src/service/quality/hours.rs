use std::collections::BTreeMap;
use std::time::Duration;

use crate::domain::{ServerName, Timestamp};
use crate::service::public_cache::LastFailure;

pub(crate) const HOUR: Duration = Duration::from_hours(1);
pub(crate) const DAY_IN_HOURS: u32 = 24;

/// For how long a count is kept at the least.
const MIN_KEPT: Duration = Duration::from_secs(10);
/// A count is also kept for this many times as long as it took: a dashboard that is open all day takes
/// up a tenth of a connection at most, however many rounds there are.
const TIMES_AS_LONG: u32 = 10;

/// When the hour, day or other `unit` of UTC began that it is at `now`.
pub(crate) fn beginning(unit: Duration, now: Timestamp) -> Timestamp {
    let unit = i64::try_from(unit.as_micros()).unwrap_or(i64::MAX);
    let since = now.unix_micros().rem_euclid(unit).unsigned_abs();
    now.earlier(Duration::from_micros(since))
}

/// The recent counts of a pool's hours, by when each hour begins, and the last failure to count one.
#[derive(Debug, Default)]
pub(crate) struct CountedHours {
    hours: BTreeMap<Timestamp, CountedHour>,
    pub(super) failure: LastFailure,
}

/// The rounds of an hour.
#[derive(Debug)]
pub(super) struct HourCount {
    /// When the hour begins.
    pub(super) begin: Timestamp,
    /// The rounds by server, without servers that had none.
    pub(super) played: Vec<(ServerName, u64)>,
    /// How long counting took.
    pub(super) took: Duration,
}

#[derive(Debug)]
struct CountedHour {
    count: HourCount,
    counted_at: Timestamp,
    good_until: Timestamp,
}

impl CountedHours {
    /// Drops the counts that are too old at `now`: rounds that come late or are voided change hours of
    /// long ago, too.
    pub(super) fn drop_old(&mut self, now: Timestamp) {
        self.hours
            .retain(|_, hour| (hour.counted_at..hour.good_until).contains(&now));
    }

    /// Those of the `wanted` hours that are to be counted.
    pub(super) fn missing(&self, wanted: &[Timestamp]) -> Vec<Timestamp> {
        let missing = wanted.iter().filter(|hour| !self.hours.contains_key(hour));
        missing.copied().collect()
    }

    /// The rounds of the hour that begins then; none where it is missing.
    pub(super) fn played(&self, hour: Timestamp) -> &[(ServerName, u64)] {
        let hour = self.hours.get(&hour);
        hour.map_or(&[], |hour| &hour.count.played)
    }

    /// Adds what was counted from `now` on for a request that `wanted` these hours, for as long as suits
    /// the time that all of those took which are known. An hour that had not ended is counted anew once
    /// it has.
    pub(super) fn add(&mut self, now: Timestamp, wanted: &[Timestamp], counts: Vec<HourCount>) {
        let known = wanted
            .iter()
            .filter_map(|hour| self.hours.get(hour))
            .map(|hour| &hour.count);
        let took: Duration = known.chain(&counts).map(|count| count.took).sum();
        let good_until = now.later(MIN_KEPT.max(took * TIMES_AS_LONG));
        for count in counts {
            let end = count.begin.later(HOUR);
            let hour = CountedHour {
                counted_at: now,
                good_until: if end > now {
                    good_until.min(end)
                } else {
                    good_until
                },
                count,
            };
            self.hours.insert(hour.count.begin, hour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn now() -> Timestamp {
        "2026-11-20T12:30:00Z".parse().unwrap()
    }

    /// Four hours that have ended, the latest first.
    fn wanted() -> [Timestamp; 4] {
        [1, 2, 3, 4].map(|back| beginning(HOUR, now()).earlier(HOUR * back))
    }

    fn count(begin: Timestamp, took: Duration) -> HourCount {
        HourCount {
            begin,
            played: vec![("arena-1".parse().unwrap(), 1)],
            took,
        }
    }

    fn missing_at(known: &mut CountedHours, now: Timestamp, of: &[Timestamp]) -> Vec<Timestamp> {
        known.drop_old(now);
        known.missing(of)
    }

    #[test]
    fn hours_are_kept_for_ten_seconds_or_ten_times_as_long_as_counting_those_wanted_took() {
        for (took, kept) in [(SECOND / 10, MIN_KEPT), (SECOND, SECOND * 40)] {
            let mut known = CountedHours::default();
            let all = wanted();
            // A first try came only half the way.
            let (half, rest) = all.split_at(2);
            for (counted, missing) in [(half, rest), (rest, &all[..0])] {
                let counts = counted.iter().map(|hour| count(*hour, took));
                known.add(now(), &all, counts.collect());
                assert_eq!(missing_at(&mut known, now(), &all), missing);
            }
            let end = now().later(kept);
            let last = end.earlier(Duration::from_micros(1));
            assert_eq!(missing_at(&mut known, last, rest), []);
            assert_eq!(known.played(rest[0]).len(), 1);
            assert_eq!(missing_at(&mut known, end, &all), all);
            assert_eq!(known.played(rest[0]), [], "dropped, not only passed over");
        }
    }

    #[test]
    fn a_clock_that_is_set_back_shows_nothing_of_later() {
        let mut known = CountedHours::default();
        known.add(now(), &wanted(), vec![count(wanted()[0], SECOND)]);
        let before = now().earlier(SECOND);
        assert_eq!(missing_at(&mut known, before, &wanted()), wanted());
    }
}
