//! The numbers that tables hold.

use std::fmt::Debug;

/// A sum of weights as the tables hold it; narrow numbers are compared many at a time.
pub(crate) trait Cost: Copy + Ord + Debug + TryFrom<u64> + TryInto<u64> {
    /// Of a state that cannot be reached. Adding to it does not make it less.
    const UNREACHABLE: Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// This much, at most [`Cost::UNREACHABLE`].
    fn of(weight: u64) -> Self {
        Self::try_from(weight).map_or(Self::UNREACHABLE, |weight| weight.min(Self::UNREACHABLE))
    }

    /// How much; `None` where it cannot be reached.
    #[inline]
    fn get(self) -> Option<u64> {
        (self < Self::UNREACHABLE).then(|| self.try_into().unwrap_or_default())
    }
}

/// Signed, though never negative: the oldest vector instructions compare narrow numbers only so.
macro_rules! narrow {
    ($number:ty) => {
        impl Cost for $number {
            const UNREACHABLE: Self = Self::MAX;

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }
        }
    };
}

narrow!(i8);
narrow!(i16);

/// Two that are unreachable still have a sum; vectors of 32 bits cannot saturate.
impl Cost for i32 {
    const UNREACHABLE: Self = 1 << 29;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}
