//! Output of commands, and questions to the user.

pub(crate) mod columns;
pub(crate) mod confirm;
pub mod figures;
pub mod json;
pub mod output;
pub mod progress;
pub(crate) mod screen;
pub mod table;
pub(crate) mod tone;
pub mod words;
