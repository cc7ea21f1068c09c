//! Natives that only compute: numbers, texts and lists.

pub mod format;
pub mod lists;
pub mod numbers;
pub mod strings;
