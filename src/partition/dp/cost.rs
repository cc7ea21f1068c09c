//! Integer types for the costs of unserved wishes in tables.

use std::fmt::Debug;

/// Integer type of a cost, a sum of weights of wishes. Narrow types allow more comparisons per vector instruction.
pub(crate) trait Cost: Copy + Ord + Debug + TryFrom<u64> + TryInto<u64> {
    /// Cost of states (partial splits) that cannot be reached. Adding to this cost does not lower it.
    const UNREACHABLE: Self;

    fn plus(self, other: Self) -> Self;

    /// Converts the weight of an unserved wish to a cost, capped at [`Cost::UNREACHABLE`].
    fn of(weight: u64) -> Self {
        Self::try_from(weight).map_or(Self::UNREACHABLE, |weight| weight.min(Self::UNREACHABLE))
    }

    /// Returns the cost as a number, or `None` for [`Cost::UNREACHABLE`].
    #[inline]
    fn get(self) -> Option<u64> {
        (self < Self::UNREACHABLE).then(|| self.try_into().unwrap_or_default())
    }
}

/// Implements `Cost` (of unserved wishes) for a narrow signed type. Costs are never negative, but the oldest vector
/// instructions compare narrow numbers only as signed.
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

/// Implements [`Cost`] for 32 bits. Twice `UNREACHABLE` does not overflow, because 32-bit vector instructions cannot
/// saturate.
impl Cost for i32 {
    const UNREACHABLE: Self = 1 << 29;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}
