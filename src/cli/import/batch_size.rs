use std::time::Duration;

/// How long a transaction may take: others wait so long for the pool, or for all of a SQLite file.
const TIME: Duration = Duration::from_secs(1);

/// How long a transaction is meant to take, so that few take longer than they may.
const AIM: Duration = Duration::from_millis(800);

/// The least and the most that one transaction counts: the most for the memory that it takes.
const MIN: usize = 256;
const MAX: usize = 8_192;

/// How many rounds are counted in one transaction: as many as can be in a little less than a second. What a transaction
/// writes of a player is written once, however many of its rounds the player was in.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSize(usize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(MIN)
    }
}

impl BatchSize {
    pub(super) fn rounds(self) -> usize {
        self.0
    }

    /// Learns that a transaction of so many rounds took so long. The next one has at least half and at most twice as
    /// many as this one may have: a single slow transaction shows little.
    pub(super) fn adapt(&mut self, rounds: usize, took: Duration) {
        // One that was not full can only show that there were too many.
        if rounds >= self.0 || took > TIME {
            let in_time = AIM.as_micros() * rounds as u128 / took.as_micros().max(1);
            let in_time = usize::try_from(in_time).unwrap_or(MAX);
            let next = in_time.clamp(self.0 / 2, self.0 * 2);
            self.0 = next.clamp(MIN, MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_as_large_as_its_time_allows() {
        let mut size = BatchSize::default();
        let (quick, slow) = (TIME / 8, TIME * 2);
        size.adapt(MIN - 1, quick);
        assert_eq!(
            size.rounds(),
            MIN,
            "a batch that was not full proves nothing"
        );
        size.adapt(MIN, AIM / 100);
        assert_eq!(size.rounds(), 2 * MIN, "at most twice as many");
        // Each round takes as long.
        let time_of_a_round = AIM / 3_000;
        for _ in 0..10 {
            size.adapt(
                size.rounds(),
                time_of_a_round * u32::try_from(size.rounds()).unwrap(),
            );
        }
        assert!((2_990..=3_000).contains(&size.rounds()), "{size:?}");
        size.adapt(size.rounds(), AIM * 3 / 2);
        assert!((1_990..=2_000).contains(&size.rounds()), "{size:?}");
        size.adapt(1, slow);
        assert!(
            (995..=1_000).contains(&size.rounds()),
            "at least half as many: {size:?}"
        );
        for _ in 0..10 {
            size.adapt(size.rounds(), quick);
        }
        assert_eq!(size.rounds(), MAX);
        size.adapt(MAX, AIM * 3 / 4);
        assert_eq!(size.rounds(), MAX);
        for _ in 0..10 {
            size.adapt(size.rounds(), slow);
        }
        assert_eq!(size.rounds(), MIN);
    }
}
