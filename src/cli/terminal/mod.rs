//! What the commands print, and what they ask.

pub(crate) mod columns;
pub(crate) mod confirm;
pub(crate) mod figures;
pub(crate) mod json;
pub(crate) mod members;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod screen;
pub(crate) mod table;
pub(crate) mod tone;
pub(crate) mod words;
