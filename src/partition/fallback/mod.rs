//! Where tables would be too large: improving swaps, and of small pools every split.

pub(crate) mod enumeration;
mod fill;
pub(crate) mod greedy;
