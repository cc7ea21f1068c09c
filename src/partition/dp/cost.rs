//! Number types for the costs in tables.

use std::fmt::Debug;

/// A sum of weights in a table. Narrow types allow more comparisons per vector instruction.
pub(crate) trait Cost: Copy + Ord + Debug + TryFrom<u64> + TryInto<u64> {
    /// Cost of unreachable states. Adding to this cost does not lower it.
    const UNREACHABLE: Self;

    fn plus(self, other: Self) -> Self;

    /// Converts a weight, capped at [`Cost::UNREACHABLE`].
    fn of(weight: u64) -> Self {
        Self::try_from(weight).map_or(Self::UNREACHABLE, |weight| weight.min(Self::UNREACHABLE))
    }

    /// Returns the cost, or `None` if the state is unreachable.
    #[inline]
    fn get(self) -> Option<u64> {
        (self < Self::UNREACHABLE).then(|| self.try_into().unwrap_or_default())
    }
}

/// Signed types, although costs are never negative: the oldest vector instructions compare narrow numbers only as
/// signed.
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

/// `UNREACHABLE` leaves room for the sum of two, because 32-bit vector instructions cannot saturate.
impl Cost for i32 {
    const UNREACHABLE: Self = 1 << 29;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}
