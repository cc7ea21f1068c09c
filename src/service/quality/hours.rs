use std::collections::BTreeMap;
use std::time::Duration;

use crate::domain::{ServerName, Timestamp};
use crate::service::last_failure::LastFailure;

pub(crate) const HOUR: Duration = Duration::from_hours(1);

/// How long what was counted is held, at the least.
const HELD: Duration = Duration::from_secs(10);
/// How many times as long as counting took it is held at the least: whoever looks all day long takes up
/// a tenth of a connection at most, however many rounds there are.
const REST: u32 = 10;

/// The rounds of one hour by server, without those that had none.
pub(crate) type Played = Vec<(ServerName, u64)>;

/// What was counted of a pool's hours lately, each by when it begins, and why no more is.
#[derive(Debug, Default)]
pub(crate) struct CountedHours {
    hours: BTreeMap<Timestamp, CountedHour>,
    /// How counting failed last.
    pub(crate) failure: LastFailure,
}

/// An hour as counting it went.
#[derive(Debug)]
pub(crate) struct HourCount {
    /// When the hour begins.
    pub(crate) begin: Timestamp,
    /// What was played.
    pub(crate) played: Played,
    /// How long counting took.
    pub(crate) took: Duration,
}

#[derive(Debug)]
struct CountedHour {
    count: HourCount,
    counted_at: Timestamp,
    good_until: Timestamp,
}

impl CountedHours {
    /// Drops what cannot be shown any more at `now`: rounds that come late or are voided change hours
    /// of long ago, too.
    pub(crate) fn drop_old(&mut self, now: Timestamp) {
        self.hours
            .retain(|_, hour| (hour.counted_at..hour.good_until).contains(&now));
    }

    /// Those of the hours `asked` for that are to be counted.
    pub(crate) fn missing(&self, asked: &[Timestamp]) -> Vec<Timestamp> {
        let missing = asked.iter().filter(|hour| !self.hours.contains_key(hour));
        missing.copied().collect()
    }

    /// What was played in the hour that begins then; nothing where it is missing.
    pub(crate) fn played(&self, hour: Timestamp) -> &[(ServerName, u64)] {
        let hour = self.hours.get(&hour);
        hour.map_or(&[], |hour| &hour.count.played)
    }

    /// Keeps what was counted from `now` on for who had `asked` for these hours, for as long as suits
    /// the time that all of those took which are known. An hour that had not ended is counted anew once
    /// it has.
    pub(crate) fn keep(&mut self, now: Timestamp, asked: &[Timestamp], counts: Vec<HourCount>) {
        let known = asked.iter().filter_map(|hour| self.hours.get(hour));
        let known = known.map(|hour| &hour.count);
        let took: Duration = known.chain(&counts).map(|count| count.took).sum();
        let good_until = now.later(HELD.max(took * REST));
        for count in counts {
            let end = count.begin.later(HOUR);
            let good_until = if end > now {
                good_until.min(end)
            } else {
                good_until
            };
            let hour = CountedHour {
                counted_at: now,
                good_until,
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

    /// The hour that it is `now`, and the three before it, the latest first.
    fn asked() -> [Timestamp; 4] {
        let this_hour: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        [0, 1, 2, 3].map(|back| this_hour.earlier(HOUR * back))
    }

    fn count(begin: Timestamp, took: Duration) -> HourCount {
        HourCount {
            begin,
            played: vec![("arena-1".parse().unwrap(), 1)],
            took,
        }
    }

    fn missing_at(known: &mut CountedHours, now: Timestamp, asked: &[Timestamp]) -> Vec<Timestamp> {
        known.drop_old(now);
        known.missing(asked)
    }

    #[test]
    fn hours_are_held_for_ten_seconds_or_ten_times_as_long_as_counting_those_asked_for_took() {
        for (took, held) in [(SECOND / 10, HELD), (SECOND, SECOND * 40)] {
            let mut known = CountedHours::default();
            // A first try came only half the way.
            let [half, rest] = [&asked()[..2], &asked()[2..]];
            let counts =
                |hours: &[Timestamp]| hours.iter().map(|hour| count(*hour, took)).collect();
            known.keep(now(), &asked(), counts(half));
            assert_eq!(missing_at(&mut known, now(), &asked()), rest);
            known.keep(now(), &asked(), counts(rest));
            let last = now().later(held).earlier(Duration::from_micros(1));
            assert_eq!(missing_at(&mut known, last, rest), []);
            assert_eq!(known.played(rest[0]).len(), 1);
            assert_eq!(missing_at(&mut known, now().later(held), &asked()), asked());
            assert_eq!(
                known.played(rest[0]),
                [],
                "it is dropped, not only passed over"
            );
        }
    }

    #[test]
    fn an_hour_that_has_ended_since_is_counted_anew() {
        let mut known = CountedHours::default();
        let counts = asked().map(|hour| count(hour, SECOND * 60));
        known.keep(now(), &asked(), counts.into());
        let turn = asked()[0].later(HOUR);
        let last = turn.earlier(Duration::from_micros(1));
        assert_eq!(missing_at(&mut known, last, &asked()), []);
        assert_eq!(missing_at(&mut known, turn, &asked()), asked()[..1]);
    }

    #[test]
    fn a_clock_that_is_set_back_shows_nothing_of_later() {
        let mut known = CountedHours::default();
        known.keep(now(), &asked(), vec![count(asked()[1], SECOND)]);
        let before = now().earlier(SECOND);
        assert_eq!(missing_at(&mut known, before, &asked()), asked());
    }
}
