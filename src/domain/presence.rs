/// The seconds of a round that a player was there for: those from its start on, or those up to its
/// end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    from: u32,
    until: u32,
    round_seconds: u32,
}

impl Presence {
    /// The first `seconds` of a round of `round_seconds`; `None` where it was not as long, or took
    /// no time.
    #[must_use]
    pub fn from_the_start(seconds: u32, round_seconds: u32) -> Option<Self> {
        let fits = round_seconds > 0 && seconds <= round_seconds;
        fits.then_some(Self {
            from: 0,
            until: seconds,
            round_seconds,
        })
    }

    /// The last `seconds` of a round of `round_seconds`; `None` where it was not as long, or took
    /// no time.
    #[must_use]
    pub fn until_the_end(seconds: u32, round_seconds: u32) -> Option<Self> {
        let first = Self::from_the_start(seconds, round_seconds)?;
        Some(Self {
            from: round_seconds - first.until,
            until: round_seconds,
            round_seconds,
        })
    }

    /// The second that it begins with.
    #[must_use]
    pub fn begin(self) -> u32 {
        self.from
    }

    /// The second that it ends before.
    #[must_use]
    pub fn end(self) -> u32 {
        self.until
    }

    /// How long the round took, at least 1.
    #[must_use]
    pub fn round_seconds(self) -> u32 {
        self.round_seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_lies_within_its_round() {
        let ends = |part: Option<Presence>| part.map(|part| (part.begin(), part.end()));
        assert_eq!(ends(Presence::from_the_start(30, 100)), Some((0, 30)));
        assert_eq!(ends(Presence::until_the_end(30, 100)), Some((70, 100)));
        assert_eq!(Presence::from_the_start(101, 100), None);
        assert_eq!(Presence::until_the_end(101, 100), None);
        assert_eq!(Presence::from_the_start(0, 0), None);
    }
}
