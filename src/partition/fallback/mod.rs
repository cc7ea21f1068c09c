//! Methods for pools whose tables would be too large: improving swaps, and enumeration for small pools.

pub(crate) mod enumeration;
mod fill;
pub(crate) mod greedy;
