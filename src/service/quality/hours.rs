use std::collections::BTreeMap;
use std::time::Duration;

use crate::domain::{ServerName, Timestamp};
use crate::service::public_cache::LastFailure;

pub(crate) const HOUR: Duration = Duration::from_hours(1);
pub(crate) const DAY_IN_HOURS: u32 = 24;

/// Minimum time for which the round count of an hour is cached.
const MIN_KEPT: Duration = Duration::from_secs(10);
/// Time for which the round count of an hour is cached, as a multiple of the time that counting took. Limits an open
/// dashboard to a tenth of one database connection, however many rounds there are.
const TIMES_AS_LONG: u32 = 10;

/// Returns the beginning of the current hour, day or other `unit` of UTC.
pub(crate) fn beginning(unit: Duration, now: Timestamp) -> Timestamp {
    let unit = i64::try_from(unit.as_micros()).unwrap_or(i64::MAX);
    let since = now.unix_micros().rem_euclid(unit).unsigned_abs();
    now.earlier(Duration::from_micros(since))
}

/// Cache of a pool's round counts by hour, with the last failure to count.
#[derive(Debug, Default)]
pub(crate) struct CountedHours {
    hours: BTreeMap<Timestamp, CountedHour>,
    pub(super) failure: LastFailure,
}

#[derive(Debug)]
pub(super) struct HourCount {
    pub(super) begin: Timestamp,
    pub(super) played: Vec<(ServerName, u64)>,
    pub(super) took: Duration,
}

#[derive(Debug)]
struct CountedHour {
    count: HourCount,
    counted_at: Timestamp,
    good_until: Timestamp,
}

impl CountedHours {
    /// Drops cached round counts that have expired at `now`. Late and voided rounds can change counts of past hours.
    pub(super) fn drop_old(&mut self, now: Timestamp) {
        self.hours
            .retain(|_, hour| (hour.counted_at..hour.good_until).contains(&now));
    }

    /// Returns the start times of the `wanted` hours whose round counts are not cached.
    pub(super) fn missing(&self, wanted: &[Timestamp]) -> Vec<Timestamp> {
        let missing = wanted.iter().filter(|hour| !self.hours.contains_key(hour));
        missing.copied().collect()
    }

    /// Returns the number of rounds by server in the hour that starts at `hour`; empty if the hour is not cached.
    pub(super) fn played(&self, hour: Timestamp) -> &[(ServerName, u64)] {
        let hour = self.hours.get(&hour);
        hour.map_or(&[], |hour| &hour.count.played)
    }

    /// Caches round counts of hours, counted at time `now`. The total time to count all `wanted` hours determines how
    /// long the counts are cached. An hour that has not ended is cached until its end at most.
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

    /// Returns the start times of the last four hours that ended before `now()`, latest first.
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
            // The first attempt counted only half of the hours.
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
