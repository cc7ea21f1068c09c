use std::time::Duration;

/// How long a transaction may take: others wait so long for the pool, or for all of a SQLite file.
const TIME: Duration = Duration::from_secs(1);

/// The least and the most that one transaction counts: the most for the memory that it takes.
const LEAST: usize = 256;
const MOST: usize = 8_192;

/// How many rounds are counted in one transaction: as many as can be in a second. What a transaction
/// writes of a player is written once, however many of its rounds the player was in.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSize(usize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(LEAST)
    }
}

impl BatchSize {
    pub(super) fn rounds(self) -> usize {
        self.0
    }

    /// Learns that a transaction of so many rounds took so long.
    pub(super) fn adapt(&mut self, rounds: usize, took: Duration) {
        if took > TIME {
            self.0 = (self.0 / 2).max(LEAST);
        } else if took < TIME / 2 && rounds >= self.0 {
            self.0 = (self.0 * 2).min(MOST);
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
        size.adapt(LEAST - 1, quick);
        assert_eq!(
            size.rounds(),
            LEAST,
            "a batch that was not full proves nothing"
        );
        for _ in 0..10 {
            size.adapt(size.rounds(), quick);
        }
        assert_eq!(size.rounds(), MOST);
        size.adapt(MOST, TIME * 3 / 4);
        assert_eq!(size.rounds(), MOST);
        for _ in 0..10 {
            size.adapt(size.rounds(), slow);
        }
        assert_eq!(size.rounds(), LEAST);
    }
}
