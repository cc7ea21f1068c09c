use std::fmt::Debug;

/// A sum of prices as the tables hold it: a number from 0 on that may be too narrow for some, because
/// narrow numbers are compared many at a time.
pub(super) trait Cost: Copy + Ord + Debug + TryFrom<u64> + TryInto<u64> {
    /// What cannot be had, or not for less than this. Adding to it does not make it less.
    const NEVER: Self;
    /// Nothing.
    const FREE: Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// This many, at most [`Cost::NEVER`].
    fn of(price: u64) -> Self {
        Self::try_from(price).map_or(Self::NEVER, |price| price.min(Self::NEVER))
    }

    /// How many.
    #[inline]
    fn get(self) -> u64 {
        // None is negative.
        self.try_into().unwrap_or_default()
    }

    /// Whether it can be had.
    #[inline]
    fn is_had(self) -> bool {
        self < Self::NEVER
    }
}

impl Cost for u8 {
    const NEVER: Self = Self::MAX;
    const FREE: Self = 0;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

/// Signed, though never negative: the oldest vector instructions compare 16 bits only so.
impl Cost for i16 {
    const NEVER: Self = Self::MAX;
    const FREE: Self = 0;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

/// A quarter of the range is for sums of prices, all of which are less. What cannot be had may grow by
/// as much, and two of that still have a sum; vectors of 32 bits cannot saturate.
impl Cost for i32 {
    const NEVER: Self = 1 << 29;
    const FREE: Self = 0;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// How many bytes a cost takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Width {
    One,
    Two,
    Four,
}

impl Width {
    /// The least that holds sums of prices up to `total`.
    pub(super) fn of(total: u64) -> Self {
        if total < u8::NEVER.get() {
            Self::One
        } else if total < i16::NEVER.get() {
            Self::Two
        } else {
            Self::Four
        }
    }

    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }
}
