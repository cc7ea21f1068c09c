use std::time::Duration;

/// Longest acceptable duration of an import's transaction. Others wait for the pool that long, or for the whole SQLite
/// file.
const TIME: Duration = Duration::from_secs(1);

/// Intended duration of an import's transaction, below [`TIME`] so that few transactions exceed that.
const AIM: Duration = Duration::from_millis(800);

/// Minimum and maximum number of imported rounds per transaction. The maximum limits the memory of a transaction.
const MIN: usize = 256;
const MAX: usize = 8_192;

/// Adaptive number of imported rounds per transaction, for transactions of a little less than a second. Large batches
/// are faster, because a player's rows are written once per transaction.
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

    /// Adapts the number of rounds per transaction to one that counted `rounds` rounds in `took`. The number at most
    /// halves or doubles, because a single slow transaction tells little.
    pub(super) fn adapt(&mut self, rounds: usize, took: Duration) {
        // A batch that was not full can only show that batches are too large.
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
        assert_eq!(size.rounds(), MIN, "this batch was not full");
        size.adapt(MIN, AIM / 100);
        assert_eq!(size.rounds(), 2 * MIN, "at most twice as many");
        for _ in 0..10 {
            // All rounds take equally long.
            let rounds = size.rounds();
            size.adapt(rounds, AIM * u32::try_from(rounds).unwrap() / 3_000);
        }
        assert!((2_990..=3_000).contains(&size.rounds()), "{size:?}");
        for (rounds, took, expected) in
            [(3_000, AIM * 3 / 2, 1_990..=2_000), (1, slow, 995..=1_000)]
        {
            size.adapt(rounds, took);
            assert!(expected.contains(&size.rounds()), "{size:?}");
        }
        for (took, expected) in [(quick, MAX), (AIM * 3 / 4, MAX), (slow, MIN)] {
            for _ in 0..10 {
                size.adapt(size.rounds(), took);
            }
            assert_eq!(size.rounds(), expected);
        }
    }
}
