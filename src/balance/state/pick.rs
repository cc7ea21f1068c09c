/// Random draw among the best moves or placements, instead of the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Number of best choices of moves or placements to draw from. Over all seeds, each choice is equally likely.
    pub of: usize,
    /// Seed of the random draw.
    pub seed: u64,
}

impl Pick {
    /// Returns the index of the drawn choice; 0 is the best choice, and the result without choices.
    ///
    /// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014) mixes the seed, so that consecutive seeds lead to
    /// unrelated draws.
    #[must_use]
    pub fn place(self, choices: usize) -> usize {
        let choices = choices.min(self.of) as u64;
        let mut mixed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let place = mixed.checked_rem(choices).unwrap_or(0);
        usize::try_from(place).unwrap_or(0)
    }

    /// Draws one of the first `good` choices and moves it to the front. Without `pick`, the best choice stays in front.
    /// Returns `true` if the drawn choice is the best one.
    pub(crate) fn draw<Choice>(pick: Option<Self>, choices: &mut [Choice], good: usize) -> bool {
        let place = pick.map_or(0, |pick| pick.place(good));
        if let Some(drawn) = choices.get_mut(..=place) {
            drawn.rotate_right(1);
        }
        place == 0
    }

    /// Draws like [`draw`](Self::draw), from the first choices, which have the same `faults` as the best one.
    pub(crate) fn draw_as_good<Choice, Faults: PartialEq>(
        pick: Option<Self>,
        choices: &mut [Choice],
        faults: impl Fn(&Choice) -> Faults,
    ) -> bool {
        let least = choices.first().map(&faults);
        let as_good = |choice: &&Choice| Some(faults(choice)) == least;
        let good = choices.iter().take_while(as_good).count();
        Self::draw(pick, choices, good)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_as_likely_as_the_others() {
        let mut counts = [0; 4];
        for seed in 0..4000 {
            let place = Pick { of: 4, seed }.place(9);
            counts[place] += 1;
        }
        assert!(
            counts.iter().all(|count| (900..1100).contains(count)),
            "{counts:?}"
        );
        for seed in 0..10 {
            assert_eq!(Pick { of: 1, seed }.place(4), 0);
            assert_eq!(Pick { of: 4, seed }.place(0), 0);
            assert!(Pick { of: 4, seed }.place(2) < 2);
        }
    }
}
