//! What the commands print, and what they ask.

pub(crate) mod confirm;
pub(crate) mod figures;
pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod table;
pub(crate) mod words;
